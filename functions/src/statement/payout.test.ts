import { getStatementLine } from '@shop/shared/statement/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deskOf } from '../testing/decisions.ts'
import { createGatewayShop, type GatewayShop, payByGateway } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { addLines, lineOf, linesNow } from '../testing/statement.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

const PRICE = 14_900
/** 1.65 % and 7 % tax of it. */
const FEE = 263
const { order, line, detailsOf, decide, change, booked } = deskOf(() => it)
const because = { reason: 'ตรวจกับรายงานของผู้ให้บริการแล้ว' }
const payout = (more: object = {}) => ({ step: 'bookPayout', gateway: 'opn', ...more })

/** What the gateway holds by the books. */
async function held(): Promise<number> {
  const [row] = await it.db.query<{ sum: number }>({
    text: `SELECT coalesce(-sum(amount_satang), 0)::bigint AS sum FROM ledger_entry WHERE account = 'gateway:opn'`,
  })
  return row!.sum
}

test('without a gateway that ever collected, a line is no payout', async () => {
  const id = await line(1_000, { detail: 'OMISE CO LTD' })
  expect((await detailsOf(id)).steps).not.toContain('bookPayout')
  expect((await detailsOf(id)).payers).toEqual([])
  expect(await codeOf(decide(id, payout()))).toBe('PAYOUT_ABOVE_HELD')
  await decide(id, { step: 'ignore', ...because })
})

test('a payout moves what was collected to the bank, is audited, and undone it is held again', async () => {
  await payByGateway(it)
  await payByGateway(it)
  expect(await held()).toBe(2 * (PRICE - FEE))
  const id = await line(PRICE - FEE - 3_000, { detail: 'รับโอนจาก OMISE CO LTD' })
  expect(await detailsOf(id)).toMatchObject({ payers: [{ gateway: 'opn', isNamed: true }], payout: null })
  expect(await codeOf(decide(id, payout(), 'staff'))).toBe('FORBIDDEN')
  const paid = await decide(id, payout({ feeSatang: 3_000 }))
  expect(paid).toMatchObject({
    line: { state: 'payout', target: null },
    payout: { gateway: 'opn', feeSatang: 3_000 },
    payers: [],
    steps: ['undo'],
    history: [{ step: 'bookPayout', actorName: 'manager' }],
  })
  expect(await held()).toBe(PRICE - FEE)
  expect(await booked('bank:1', id)).toBe(-(PRICE - FEE - 3_000))
  expect(await booked('fees', id)).toBe(-3_000)
  expect((await checkLedger(it.db)).breaches).toEqual([])
  const [audit] = await it.db.query({
    text: `SELECT after->>'step' AS step, after->>'gateway' AS gateway, after->>'feeSatang' AS fee, after->>'state' AS state
      FROM audit_entry WHERE subject = $1`,
    values: [`statementLine:${id}`],
  })
  expect(audit).toEqual({ step: 'bookPayout', gateway: 'opn', fee: '3000', state: 'payout' })
  const undone = await decide(id, { step: 'undo', ...because })
  expect(undone).toMatchObject({ line: { state: 'unmatched' }, payout: null, payers: [{ gateway: 'opn' }] })
  expect(await held()).toBe(2 * (PRICE - FEE))
  expect(await booked('bank:1', id)).toBe(0)
  await decide(id, payout({ feeSatang: 3_000 }))
  expect(await held()).toBe(PRICE - FEE)
})

test('what is more than the gateway holds is refused, with what it holds; two at once are never more together', async () => {
  const before = await held()
  const above = await line(before + 1)
  const refused = await decide(above, payout()).catch((error: Error) => error)
  expect(refused).toMatchObject({ code: 'PAYOUT_ABOVE_HELD', message: expect.stringContaining('146.37') })
  const [one, two] = [await line(before - 10), await line(before - 20)]
  const codes = await Promise.all([one, two].map(id => codeOf(decide(id, payout()))))
  expect(codes.toSorted()).toEqual(['OK', 'PAYOUT_ABOVE_HELD'])
  expect(await held()).toBeLessThan(before)
  expect(await held()).toBeGreaterThanOrEqual(0)
})

test('a line that an order waits for is no payout before somebody has seen that order and says why', async () => {
  for (const _ of [1, 2]) await payByGateway(it)
  const { orderNo, amountSatang } = await order()
  const id = await line(amountSatang)
  expect(await codeOf(decide(id, payout()))).toBe('SAME_AMOUNT_ORDER')
  const seen = { sameAmountOrderNo: orderNo }
  expect(await codeOf(decide(id, payout(seen)))).toBe('REASON_REQUIRED')
  await decide(id, payout({ ...seen, ...because }))
  // The order still waits for its own money.
  const own = await line(amountSatang)
  await matchLines(it.shop)
  expect((await detailsOf(own)).line).toMatchObject({ state: 'matched', target: { no: orderNo } })
})

test('a line whose money an order has on somebody’s word is no payout before that is seen; one that paid is none at all', async () => {
  await payByGateway(it)
  const { orderNo, amountSatang, target } = await order()
  await change(orderNo, 'paid')
  const id = await line(amountSatang, { seconds: 0 })
  expect(await codeOf(decide(id, payout()))).toBe('TRANSFER_MAY_BE_USED')
  await decide(id, { step: 'match', target })
  expect(await codeOf(decide(id, payout({ usedByNo: orderNo, ...because })))).toBe('LINE_STEP_NOT_ALLOWED')
})

test('money that the bank says is the gateway’s pays no order by itself, however well it fits', async () => {
  await it.db.query({ text: `UPDATE statement_line SET tried_at = created_at WHERE tried_at IS NULL` })
  const { amountSatang, orderNo } = await order()
  await addLines(it, [lineOf({ amountSatang, at: it.clock.now, detail: 'BULK CREDIT Omise Co.,Ltd.' })])
  await matchLines(it.shop)
  const payer = (await linesNow(it)).at(-1)!
  expect(payer).toMatchObject({ state: 'unmatched', target: null })
  const details = await it.as('manager').call(getStatementLine, { params: { id: payer.id } })
  expect(details.payers).toEqual([{ gateway: 'opn', isNamed: true }])
  expect(details.candidates[0]).toMatchObject({ target: { no: orderNo }, isBest: true })
  await addLines(it, [lineOf({ amountSatang, at: it.clock.now, detail: 'รับโอนจาก KBANK' })])
  await matchLines(it.shop)
  expect((await linesNow(it)).at(-1)).toMatchObject({ state: 'matched', target: orderNo })
})

test('a charge that came too late is held by the gateway as well, and is paid out with the others', async () => {
  const before = await held()
  await payByGateway(it, { isLate: true })
  expect(await held()).toBe(before + PRICE - FEE)
  const id = await line(await held(), { detail: 'OPN PAYMENTS' })
  await decide(id, payout())
  expect(await held()).toBe(0)
})
