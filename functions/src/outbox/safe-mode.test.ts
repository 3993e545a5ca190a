import { randomUUID } from 'node:crypto'
import { sendOwnerCode } from '@shop/shared/account/pin-endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { takeRefundAsCredit, withdrawCredit } from '@shop/shared/credit/endpoints.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { cancelApiOrder, createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { replaceVoucher } from '@shop/shared/voucher/endpoints.ts'
import { sendCodeNumber } from '@shop/shared/voucher/reveal-endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { addGatewayTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDrain } from '../start/outbox-kind.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { bankOrder, buyAndRefund, buyByBank, codeOf, holdByBank } from '../testing/orders.ts'
import { KBANK } from '../testing/refunds.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { enqueue } from './outbox.ts'
import type { OutboxKind, OutboxPayload } from './payload.ts'
import { endSafeMode, orderSafeMode, saveCompared } from './safe-mode.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const go = async () => {
  await saveCompared(it.db, it.clock.now)
  expect(await endSafeMode(it.db, 'Somchai', it.clock.now)).toBe(true)
}
const stop = () => orderSafeMode(it.db, 'Somchai', 'disk put back', it.clock.now)

/** Something of each kind that leaves the shop, or does what can't be taken back; nothing that it names is there. */
const JOBS = {
  'slip.check': { checkId: randomUUID() },
  'supplier.deliver': { orderId: randomUUID(), after: null },
  'supplier.ask': { attemptId: randomUUID() },
  'charge.ask': { chargeId: randomUUID() },
  'charge.end': { chargeId: randomUUID() },
  'chat.tell': { event: 'orderPaid', id: randomUUID(), turn: '' },
  'chat.send': { messageId: randomUUID() },
  'chat.hear': { kind: 'follow', userId: 'U1', at: '2026-11-20T05:00:00.000Z' } as never,
  'owner.tell': { newsId: randomUUID() },
  'mail.send': { mailId: randomUUID() },
  'account.erase': { erasureId: randomUUID() },
  'play.step': { orderId: randomUUID() },
  'webhook.send': { messageId: randomUUID() },
} satisfies { [K in OutboxKind]: OutboxPayload[K] }
const KINDS = Object.keys(JOBS) as OutboxKind[]

async function startsOf(): Promise<Partial<Record<OutboxKind, number>>> {
  const rows = await it.db.query<{ kind: OutboxKind; attempts: number }>({ text: 'SELECT kind, attempts FROM outbox' })
  return Object.fromEntries(rows.map(({ kind, attempts }) => [kind, attempts]))
}
const each = (attempts: number) => Object.fromEntries(KINDS.map(kind => [kind, attempts]))

test('no job of any kind is begun in safe mode, and each is after go', async () => {
  await stop()
  for (const kind of KINDS) await enqueue(it.db, { kind, key: kind, payload: JOBS[kind] as never, now: it.clock.now })
  await openDrain(it.shop).run()
  expect(await startsOf()).toEqual(each(0))
  await go()
  await openDrain(it.shop).run()
  expect(await startsOf()).toEqual(each(1))
})

test('in safe mode nobody can order, hold an amount, spend from a wallet or ask for a top-up; what there is can be paid and seen', async () => {
  await addAccount(it, 'buyer', 'customer')
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
  const order = await buyByBank(it.as('buyer'))
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '51',
    termsVersion: '1',
    pin: '1234',
  }
  const paid = await it.as('agent').call(contract.confirmOrder, { body, idempotencyKey: onceKey() })
  expect(paid.expected).not.toBeNull()
  const newMoney = async () => [
    await it.as('buyer').codeOf(contract.confirmPrice, { body: bankOrder(), idempotencyKey: onceKey() }),
    await it.as(null).codeOf(contract.confirmPrice, { body: bankOrder(), idempotencyKey: onceKey() }),
    await codeOf(holdByBank(it.as('buyer'))),
    await it.as('agent').codeOf(contract.confirmOrder, { body, idempotencyKey: onceKey() }),
    await it
      .as('agent')
      .codeOf(saveTopUp, { body: { amountSatang: 10_000, slipId: null } as never, idempotencyKey: onceKey() }),
  ]
  await stop()
  expect(await newMoney()).toEqual(Array(5).fill('SHOP_HOLDS'))
  expect(await it.as(null).call(getPublicConfig, {})).toMatchObject({ isHolding: true })
  const seen = await it.as('agent').call(contract.getOrder, { params: { orderNo: paid.orderNo } })
  expect([seen.status, seen.expected]).toEqual(['paid', null])
  const report = { params: { orderNo: order.orderNo }, body: {}, idempotencyKey: onceKey() }
  expect(await it.as('buyer').codeOf(contract.reportOrderTransfer, report)).toBe('OK')
  await go()
  expect(await it.as(null).call(getPublicConfig, {})).toMatchObject({ isHolding: false })
  expect(await newMoney()).not.toContain('SHOP_HOLDS')
})

test('what leaves at once, and not by a job, does not leave in safe mode: charges, codes by mail and LINE, credit, machines', async () => {
  await addAccount(it, 'owed', 'customer')
  const { orderNo } = await buyAndRefund(it, it.as('owed'))
  await addAccount(it, 'with-machine', 'agent')
  await addWallet(it.db, { uid: 'with-machine', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
  const machine = machineOf(it.request, (await addKey(it, 'with-machine')).token)
  const placed = { ref: 'r-1', packageId: fixture.pubg.package, playerId: '5123456789', quantity: 1 }
  const { body: bought } = await machine(createApiOrder, { body: placed as never })
  const [owner, agent] = [it.as('owed'), it.as('with-machine')]
  const params = { orderNo }
  const tries = async () => [
    await owner.codeOf(chargeOrder, { params, body: { method: 'promptpay' } }),
    await agent.codeOf(addGatewayTopUp, {
      body: { amountSatang: 50_000, method: 'promptpay' },
      idempotencyKey: onceKey(),
    }),
    await owner.codeOf(sendCodeNumber, { params, body: {} }),
    await owner.codeOf(sendOwnerCode, {}),
    await owner.codeOf(takeRefundAsCredit, { params, idempotencyKey: onceKey() }),
    await agent.codeOf(withdrawCredit, { body: { ...KBANK, pin: '1234' }, idempotencyKey: onceKey() }),
    (await machine(createApiOrder, { body: { ...placed, ref: 'r-2' } as never })).body.code,
    (await machine(cancelApiOrder, { params: { id: bought.id } } as never)).body.code,
  ]
  await stop()
  expect(await tries()).toEqual(Array(8).fill('SHOP_HOLDS'))
  await go()
  expect(await tries()).not.toContain('SHOP_HOLDS')
})

test('in safe mode no code of the stock is handed out in the place of a bad one: it may be sold already', async () => {
  const body = { orderNo: 'KT2611-00000001', id: randomUUID(), reason: 'ใช้ไม่ได้' }
  await stop()
  expect(await it.as('staff').codeOf(replaceVoucher, { body })).toBe('VOUCHER_STOCK_UNSURE')
  await go()
  expect(await it.as('staff').codeOf(replaceVoucher, { body })).toBe('ORDER_NOT_FOUND')
})

test('who orders safe mode once more undoes the comparing: nobody ends it by what was found before', async () => {
  await stop()
  await saveCompared(it.db, it.clock.now)
  await stop()
  expect(await endSafeMode(it.db, 'Somchai', it.clock.now)).toBe(false)
  expect(await it.as(null).call(getPublicConfig, {})).toMatchObject({ isHolding: true })
  await go()
})
