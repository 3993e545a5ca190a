import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { matchLines } from './matching.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
beforeEach(async () => {
  await it.db.query({ text: 'TRUNCATE statement_line, statement_event CASCADE' })
  it.clock.advance(1800)
})
afterAll(() => it.db.close())

const account = fixture.accounts.promptPay
const PERIOD = { receivingAccountId: account, from: '2026-11-01', to: '2026-11-20' }
const list = (query: object = {}) =>
  it.as('manager').call(contract.listStatementLines, { query: { ...PERIOD, ...query } as never })
const at = (seconds: number) => addSeconds(it.clock.now, seconds)

let buyers = 0
async function order(change: Record<string, unknown> = {}) {
  const uid = `buyer-${++buyers}`
  await addAccount(it, uid, 'customer')
  return buyByBank(it.as(uid), change)
}

describe('the list', () => {
  test('latest first, with candidates of open lines and what is decided of all', async () => {
    const paid = await order()
    await addLines(it, [lineOf({ amountSatang: paid.amountSatang, at: at(60), detail: 'จ่าย' })])
    await matchLines(it.shop)
    const waiting = await order()
    await order()
    await addLines(it, [
      lineOf({ amountSatang: waiting.amountSatang, at: at(120) }),
      lineOf({ amountSatang: 77_700, at: at(-60), detail: '100%_x' }),
      lineOf({ amountSatang: -500, at: at(-30) }),
      lineOf({ amountSatang: 88, day: '2026-11-19' }),
    ])
    const { rows, total, summary } = await list()
    expect(
      rows.map(({ amountSatang, state, candidates, fitting, target }) => [
        amountSatang,
        state,
        candidates,
        fitting,
        target?.no ?? null,
      ]),
    ).toEqual([
      [waiting.amountSatang, 'unmatched', 2, 1, null],
      [paid.amountSatang, 'matched', null, null, paid.orderNo],
      [-500, 'out', null, null, null],
      [77_700, 'unmatched', 0, 0, null],
      [88, 'unmatched', 0, 0, null],
    ])
    expect(total).toBe(5)
    expect(summary).toEqual({
      moneyIn: 4,
      decided: 1,
      byItself: 1,
      inSatang: waiting.amountSatang + paid.amountSatang + 77_700 + 88,
    })
    const waiting3 = await list({ noSaleOrder: 'true' })
    expect(waiting3.rows.map(row => row.amountSatang)).toEqual([88, 77_700, waiting.amountSatang])
    expect((await list({ state: ['matched', 'out'] })).total).toBe(2)
    expect((await list({ text: '777' })).rows.map(row => row.amountSatang)).toEqual([77_700])
    expect((await list({ text: '0%_' })).total).toBe(1)
    expect((await list({ text: '%' })).total).toBe(1)
    expect((await list({ from: '2026-11-20' })).total).toBe(4)
    expect((await list({ receivingAccountId: fixture.accounts.second })).total).toBe(0)
    const accounts = await it.as('manager').call(contract.listStatementAccounts, {})
    expect(accounts.map(({ waiting, latestDay }) => [waiting, latestDay])).toEqual([
      [3, '2026-11-20'],
      [0, null],
      [0, null],
    ])
  })

  test('what waits is asked for without account or period, however old it is; decided lines of three months', async () => {
    const second = fixture.accounts.second
    const old = [101, 102].map(amountSatang => lineOf({ amountSatang, day: '2026-06-01' }))
    await addLines(it, [...old, lineOf({ amountSatang: 104, at: at(-30) })])
    await addLines(it, [lineOf({ amountSatang: 103, at: at(-60) })], second)
    await it.db.query({ text: `UPDATE statement_line SET state = 'ignored' WHERE amount_satang IN (102, 104)` })
    const ask = async (query: object) => {
      const { rows, summary } = await it.as('manager').call(contract.listStatementLines, { query: query as never })
      return { amounts: rows.map(row => row.amountSatang), summary }
    }
    expect(await ask({ noSaleOrder: 'true' })).toEqual({ amounts: [101, 103], summary: null })
    expect(await ask({ noSaleOrder: 'true', receivingAccountId: second })).toEqual({ amounts: [103], summary: null })
    expect(await ask({})).toEqual({ amounts: [104, 103], summary: null })
    const { headers } = it.as('manager')
    const csv = await it.request(`${contract.exportStatementLines.path}?noSaleOrder=true`, { headers })
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(3)
  })

  test.each([
    ['more than three months back', { from: '2026-08-19' }],
    ['backwards', { from: '2026-11-20', to: '2026-11-19' }],
    ['in the future', { to: '2026-11-21' }],
  ])('a period %s is refused', async (_, query) => {
    await expect(list(query)).rejects.toMatchObject({ code: 'STATEMENT_PERIOD_INVALID' })
    const asked = it.as('manager').call(contract.exportStatementLines, { query: { ...PERIOD, ...query } as never })
    await expect(asked).rejects.toMatchObject({ code: 'STATEMENT_PERIOD_INVALID' })
  })

  test('a download has every line of the filter once, formulas as text, named by its time', async () => {
    const many = Array.from({ length: 2500 }, (_, n) =>
      lineOf({ amountSatang: 100 + n, ...(n % 3 ? { at: at(-(n % 7)) } : {}), detail: n ? `${n}` : '=1+1' }),
    )
    await addLines(it, [...many, lineOf({ amountSatang: -1, at: at(-1) })])
    const { headers } = it.as('manager')
    const query = new URLSearchParams({ ...PERIOD, receivingAccountId: String(account), noSaleOrder: 'true' })
    const reply = await it.request(`${contract.exportStatementLines.path}?${query}`, { headers })
    expect(reply.headers.get('content-disposition')).toMatch(/Export2026\d{10}\.csv/)
    const [, ...rows] = (await reply.text()).trim().split('\r\n')
    expect(rows).toHaveLength(2500)
    expect(new Set(rows.map(row => row.split(',')[0])).size).toBe(2500)
    expect(rows.filter(row => row.includes(`,'=1+1,`))).toHaveLength(1)
  })
})

describe('a line', () => {
  const idOf = async () => (await list({ noSaleOrder: 'true' })).rows[0]!.id
  const look = async (id?: string) =>
    it.as('manager').call(contract.getStatementLine, { params: { id: id ?? (await idOf()) } })

  test('with what it could be the money of, likeliest first, and what may be decided', async () => {
    const rounded = await order()
    const cancelled = await order()
    await it
      .as('manager')
      .call(updateOrderStatus, { body: { orderNo: cancelled.orderNo, status: 'cancel', reason: 'x' } })
    await addLines(it, [lineOf({ amountSatang: cancelled.amountSatang, at: at(60), fromBank: '014' })])
    const { line, candidates, steps, history } = await look()
    expect(line).toMatchObject({ candidates: candidates.length, fromBank: '014', decidedByName: null })
    // The only order that it fits was cancelled, so nothing is said to fit and the money is proposed to go back.
    expect(line).toMatchObject({ fitting: 0, goesBack: true })
    expect(candidates.slice(0, 2).map(({ goesBackFor }) => goesBackFor)).toEqual(['คำสั่งซื้อยกเลิกแล้ว', null])
    expect(candidates.slice(0, 2).map(({ target, needs }) => [target.no, needs])).toEqual([
      [cancelled.orderNo, 'impossible'],
      [rounded.orderNo, 'reason'],
    ])
    expect(candidates[0]).toMatchObject({ title: 'PUBG Mobile · 325 UC', differenceSatang: 0, status: 'cancel' })
    expect([steps, history]).toEqual([['match', 'creditWallet', 'oweRefund', 'ignore'], []])
  })

  test('of money that came twice says what it pays twice', async () => {
    const { amountSatang, orderNo } = await order()
    await addLines(
      it,
      [60, 120].map(seconds => lineOf({ amountSatang, at: at(seconds) })),
    )
    await matchLines(it.shop)
    const { rows } = await list()
    expect(rows.map(({ state }) => state)).toEqual(['unmatched', 'matched'])
    const { candidates } = await look()
    expect(candidates[0]).toMatchObject({ target: { no: orderNo }, needs: 'impossible', goesBackFor: 'จ่ายซ้ำ' })
    expect(candidates[0]!.reasons.map(({ text }) => text)).toContain('จ่ายซ้ำ: รายการนี้มีเงินเข้าแล้ว')
    const paid = await look(rows[1]!.id)
    expect(paid).toMatchObject({
      candidates: [],
      steps: ['undo'],
      line: { target: { no: orderNo }, decidedByName: null },
    })
    expect(paid.history).toMatchObject([{ step: 'match', actorName: null, target: { no: orderNo } }])
  })

  test('that is not there is not found', async () => {
    await expect(look('018f0000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is matched by searching: number, amount, game, package; top-ups too', async () => {
    await addAccount(it, 'owner', 'agent')
    await addWallet(it.db, { uid: 'owner', balanceSatang: 0, pin: null, now: it.clock.now })
    const topUp = await it.as('owner').call(saveTopUp, {
      body: { amountSatang: 54_321, slipId: await addSlip(it, 'u:owner') },
      idempotencyKey: onceKey(),
    })
    const mine = await order({ receivingAccountId: fixture.accounts.second })
    await addLines(it, [lineOf({ amountSatang: 54_321, at: at(60) })])
    const id = await idOf()
    const search = async (query: object) => {
      const { rows, total } = await it.as('manager').call(contract.searchStatementTargets, { params: { id }, query })
      expect(total).toBeGreaterThanOrEqual(rows.length)
      return rows
    }
    expect(await search({ no: mine.orderNo.toLowerCase() })).toMatchObject([
      {
        target: { no: mine.orderNo, kind: 'order' },
        needs: 'reason',
        reasons: expect.arrayContaining([{ tone: 'warn', text: 'คนละบัญชีรับโอน' }]),
      },
    ])
    expect(await search({ amountSatang: 54_321 })).toMatchObject([
      { target: { no: topUp.no, kind: 'topUp' }, title: 'เติมเงิน owner', needs: 'nothing' },
    ])
    expect(await search({ game: 'pubg', package: '325', pageSize: 1 })).toMatchObject([
      { target: { no: mine.orderNo } },
    ])
    expect(await search({ game: 'no such' })).toEqual([])
    const [first] = await search({ pageSize: 1 })
    const [second] = await search({ pageSize: 1, page: 2 })
    expect(first!.target.id).not.toBe(second!.target.id)
  })
})
