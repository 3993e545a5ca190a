import { randomUUID } from 'node:crypto'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDrain } from '../outbox-kind.ts'
import { fixture } from '../testing/fixture.ts'
import { bankOrder, buyByBank, codeOf, holdByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { enqueue, type OutboxKind, type OutboxPayload } from './outbox.ts'
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
