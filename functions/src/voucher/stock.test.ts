import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/voucher/endpoints.ts'
import { listSoonestExpiries } from '@shop/shared/voucher/expiry-endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findTrouble } from '../chat/troubles.ts'
import { readConfig } from '../config/config.ts'
import { SALE_BREACHES } from '../dashboard/sale-day.ts'
import { JOBS } from '../jobs/jobs.ts'
import { runCommand } from '../operations/commands.ts'
import { type CodeShop, codes, createCodeShop, lookAt, stockUp } from '../testing/code-shop.ts'
import { fixture } from '../testing/fixture.ts'
import { bankOrder, buyByBank, codeOf } from '../testing/orders.ts'
import { onceKey, UNLIMITED } from '../testing/shop.ts'
import { openVouchers } from './store.ts'

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as const

let it: CodeShop
beforeAll(async () => {
  it = await createCodeShop({ VOUCHER_KEYS: OLD })
})
afterAll(() => it?.db.close())
beforeEach(() => it.empty())

const breaches = () => it.db.query({ text: SALE_BREACHES })

describe('the stock', () => {
  test('is found by what a package needs and by the end of a code, and shows costs to managers alone', async () => {
    const [one, two] = codes(2) as [string, string]
    await stockUp(it, [`${one},,,30/11/2026`, two])
    expect(await it.stock()).toMatchObject({ free: 2, expiring: 1, soonestExpiry: '2026-11-30', lowStock: 2 })
    const needy = async (needs: 'low' | 'expiring') =>
      (await it.as('staff').call(contract.listStock, { query: { needs } })).rows
    expect(await needy('low')).toMatchObject([{ packageId: fixture.pubg.package, valueSatang: null }])
    expect(await needy('expiring')).toHaveLength(1)
    const found = await it.list({ lastFour: 'zx', state: 'free' })
    expect(found.map(({ batchName, state }) => [batchName, state])).toEqual([
      ['ชุดทดสอบ', 'free'],
      ['ชุดทดสอบ', 'free'],
    ])
    expect(JSON.stringify(found)).not.toContain(one)
  })

  test('loses a code or a batch that staff withdraw with a reason, and gets it back; not what somebody has bought', async () => {
    const { batchId } = await stockUp(it, codes(3))
    const manager = it.as('manager')
    const [first] = await it.list({ batchId })
    const { orderNo } = await buyByBank(await it.customer())
    const taken = (await it.list({ orderNo }))[0]!
    const reason = 'ผู้ขายแจ้งว่าเสีย'
    expect(await manager.codeOf(contract.withdrawVouchers, { body: { of: { id: taken.id }, reason } })).toBe(
      'VOUCHER_NOT_FREE',
    )
    expect(await it.as('staff').codeOf(contract.withdrawVouchers, { body: { of: { batchId }, reason } })).toBe(
      'FORBIDDEN',
    )
    const single = taken.id === first!.id ? (await it.list({ batchId }))[1]! : first!
    await manager.call(contract.withdrawVouchers, { body: { of: { id: single.id }, reason } })
    expect((await it.list({ batchId, state: 'withdrawn' }))[0]).toMatchObject({
      withdrawn: { byName: 'manager', reason },
    })
    expect(await manager.call(contract.withdrawVouchers, { body: { of: { batchId }, reason } })).toEqual({ pieces: 1 })
    expect(await it.stock()).toMatchObject({ free: 0, reserved: 1, isOut: true })
    expect(await codeOf(buyByBank(await it.customer()))).toBe('SOLD_OUT')
    expect(await manager.call(contract.returnVouchers, { body: { of: { batchId }, reason: 'ตรวจแล้วใช้ได้' } })).toEqual({
      pieces: 2,
    })
    expect(await it.stock()).toMatchObject({ free: 2, isOut: false })
    expect((await it.entries('voucher.withdraw')).at(-1)!.after).toMatchObject({ pieces: 1, reason, name: 'ชุดทดสอบ' })
  })

  test('sells first what expires first, and nothing that has expired', async () => {
    const [never, late, soon] = codes(3) as [string, string, string]
    await stockUp(it, [never, `${late},,,31/12/2027`, `${soon},,,22/11/2026`])
    expect(await it.opened((await it.buy()).orderNo)).toEqual([soon])
    const [again] = codes(1) as [string]
    await stockUp(it, [`${again},,,22/11/2026`])
    const before = it.clock.now
    it.clock.now = new Date('2026-11-22T17:00:00.000Z')
    expect(await it.stock()).toMatchObject({ free: 2, expired: 1 })
    await it
      .as('manager')
      .call(contract.withdrawVouchers, { body: { of: { id: (await it.list({ state: 'free' }))[1]!.id }, reason: 'x' } })
    it.clock.now = before
  })

  test('tells buyers the soonest day on which what they get may expire, of several days and of what is reserved', async () => {
    const told = () => it.as(null).call(listSoonestExpiries, { params: { gameId: fixture.pubg.id } })
    const of = (soonestExpiry: string) => [{ packageId: fixture.pubg.package, soonestExpiry }]
    const [never, late, soon] = codes(3) as [string, string, string]
    await stockUp(it, [never])
    expect(await told()).toEqual([])
    await stockUp(it, [`${late},,,31/12/2027`, `${soon},,,22/11/2026`])
    expect(await told()).toEqual(of('2026-11-22'))
    // Reserved, it comes back if nobody pays.
    await buyByBank(await it.customer())
    expect(await told()).toEqual(of('2026-11-22'))
    const before = it.clock.now
    it.clock.now = new Date('2026-11-21T17:00:00.000Z')
    expect(await told()).toEqual(of('2027-12-31'))
    it.clock.now = before
    expect(await it.as(null).call(listSoonestExpiries, { params: { gameId: fixture.mlbb.id } })).toEqual([])
  })

  test('that runs out by the day is shown as sold out by the job of each minute', async () => {
    const before = it.clock.now
    await stockUp(it, [`${codes(1)[0]},,,21/11/2026`])
    expect((await it.stock()).isOut).toBe(false)
    it.clock.now = new Date('2026-11-20T17:00:00.000Z')
    await JOBS.refreshstock.run(it.shop)
    expect(await it.stock()).toMatchObject({ free: 0, expired: 1, isOut: true })
    it.clock.now = before
  })

  test('that is low, or expires within thirty days, is told to managers', async () => {
    await stockUp(it, [`${codes(1)[0]},,,1/12/2026`])
    const troubles = async () => [
      (await findTrouble(it.shop, 'codesLow', it.clock.now))?.detail,
      (await findTrouble(it.shop, 'codesExpiring', it.clock.now))?.detail,
    ]
    expect(await troubles()).toEqual(['PUBG Mobile 325 UC เหลือ 1', 'ภายใน 30 วัน PUBG Mobile 325 UC 1 รหัส'])
    await it.db.query({ text: `UPDATE voucher SET expires_on = NULL WHERE state = 'free'` })
    await stockUp(it, codes(2))
    expect(await troubles()).toEqual([undefined, undefined])
  })
})

describe('buying', () => {
  test('forty people at once buy ten codes: ten have an order, thirty are told that it is sold out, no code is in two hands', async () => {
    const lines = codes(10)
    await stockUp(it, lines)
    const callers = await Promise.all(Array.from({ length: 40 }, () => it.customer()))
    const orders = await Promise.all(
      callers.map(caller =>
        caller
          .call(confirmPrice, { body: bankOrder(), idempotencyKey: onceKey() })
          .catch((error: { code: string }) => error.code),
      ),
    )
    const made = orders.filter(each => typeof each !== 'string')
    expect(orders.filter(each => typeof each === 'string')).toEqual(Array.from({ length: 30 }, () => 'SOLD_OUT'))
    expect(made).toHaveLength(10)
    const held = (await Promise.all(made.map(({ orderNo }) => it.opened(orderNo, 'reserved')))).flat()
    expect(held.sort()).toEqual([...lines].sort())
    expect(await it.stock()).toMatchObject({ free: 0, reserved: 10, isOut: true })
  })

  test('costs what the batch did, and the sales of the day say the same', async () => {
    await stockUp(it, codes(1), { costSatang: 7000 })
    await stockUp(it, codes(2), { costSatang: 8000 })
    const orderNo = await it.buyMany(3)
    expect(await it.look(orderNo)).toMatchObject({ status: 'success', deliveryReference: 'สต็อกของร้าน' })
    expect(await it.costOf(orderNo)).toBe(23_000)
    expect(await breaches()).toEqual([])
  })
})

/** Each rotation in its steps: what VOUCHER_KEYS holds while one key takes the place of another. */
const STEPS = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]] as const

test('a key of codes changes while people buy: codes are sold and read at every step, and none is taken in twice', async () => {
  const variables = (keys: readonly string[]) => ({
    NODE_ENV: 'test',
    DATABASE_URL: it.databaseUrl,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    ...UNLIMITED,
    VOUCHER_KEYS: keys.join(','),
  })
  const ops = async (command: string, keys: readonly string[]) => {
    const lines: string[] = []
    const code = await runCommand([command], {
      variables: variables(keys),
      say: text => lines.push(text.replaceAll(/ +/g, ' ')),
    })
    return { code, lines: lines.filter(text => /VOUCHER_KEYS|codes/.test(text)) }
  }
  const deploy = (keys: readonly string[]) => {
    it.shop.vouchers = openVouchers(readConfig(variables(keys)))
  }
  const all = codes(20)
  const sold: string[] = []
  await stockUp(it, all.slice(0, 4))
  const [held] = await it.db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM voucher' })
  for (const [at, keys] of STEPS.entries()) {
    // While one step is deployed, servers of the step before still answer.
    for (const server of at === 0 ? [keys] : [STEPS[at - 1]!, keys]) {
      deploy(server)
      const { orderNo } = await it.buy()
      sold.push(...(await it.opened(orderNo)))
      for (const before of sold) expect((await lookAt(it, before)).known.count).toBe(1)
      await stockUp(it, [all[4 + sold.length]!])
    }
    if (at !== 2) continue
    expect((await ops('keys', keys)).lines.join('\n')).toMatch(
      / [1-9]\d* codes and 0 secrets of webhooks; it is needed/,
    )
    expect((await ops('keys', [NEW])).code).toBe(1)
    // Somebody buys while everything is moved, by a server of either kind.
    const [resealed, { orderNo }] = await Promise.all([ops('reseal', keys), it.buy()])
    sold.push(...(await it.opened(orderNo)))
    expect(resealed.lines[0]).toMatch(/^[1-9]\d* codes were moved to the newest key/)
    expect((await ops('reseal', keys)).lines).toEqual(['0 codes were moved to the newest key.'])
    expect((await ops('keys', keys)).lines.join('\n')).toMatch(/ 0 codes and 0 secrets of webhooks; it may go/)
  }
  expect(new Set(sold).size).toBe(sold.length)
  expect(sold.length).toBe(8)
  expect((await ops('keys', [NEW])).code).toBe(0)
  expect(held!.n).toBeGreaterThan(4)
  deploy([OLD])
})
