import { createApiOrder, getApiCodes } from '@shop/shared/reseller/v1-endpoints.ts'
import { getSlip, uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { giveSecondWord, listSecondWords } from '@shop/shared/value/endpoints.ts'
import * as contract from '@shop/shared/voucher/endpoints.ts'
import { revealCodes } from '@shop/shared/voucher/reveal-endpoints.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CodeShop, codes, createCodeShop, stockUp } from '../testing/code-shop.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { codeOf } from '../testing/orders.ts'
import { addAccount, onceKey, type TestCaller } from '../testing/shop.ts'

let it: CodeShop
beforeAll(async () => {
  it = await createCodeShop()
  await addAccount(it, 'staff-2', 'staff')
  await addAccount(it, 'bookkeeper', 'accountant')
})
afterAll(() => it?.db.close())
beforeEach(() => it.empty())

const soldOf = (orderNo: string) => it.list({ orderNo, state: 'sold' })
const onlyOf = async (orderNo: string) => (await soldOf(orderNo))[0]!
interface Shown {
  evidenceSlipId?: string
  complaint?: string
}
const replace = (orderNo: string, id: string, shown: Shown = {}, by = 'staff') =>
  it.as(by).call(contract.replaceVoucher, { body: { orderNo, id, reason: 'ถูกใช้แล้ว', ...shown } })
const replaced = async (orderNo: string, shown: Shown = {}, by = 'staff') =>
  codeOf(replace(orderNo, (await onlyOf(orderNo)).id, shown, by))
const reveal = async (buyer: TestCaller, orderNo: string) => {
  const ids = (await soldOf(orderNo)).map(({ id }) => id)
  await buyer.call(revealCodes, { body: { orderNo, ids } })
}

let shade = 0
async function picture(): Promise<Blob> {
  shade += 30
  const background = { r: shade, g: 80, b: 90 }
  const bytes = await sharp({ create: { width: 300, height: 500, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)])
}
const upload = async (file: Blob, by = 'staff'): Promise<string> =>
  (await it.as(by).call(uploadSlip, { file, idempotencyKey: onceKey() })).id

/** Somebody's order of one code, which its buyer has looked at. */
async function seenOrder(buyer = it.as(null)): Promise<string> {
  const { orderNo } = await it.buy(buyer)
  await reveal(buyer, orderNo)
  return orderNo
}

const waiting = async (orderNo: string) =>
  (await it.as('manager').call(listSecondWords, {})).rows.filter(({ subject }) => subject === `order:${orderNo}`)
/** The answer may be an error of the call that is carried out, which the contract of the word does not name. */
async function give(orderNo: string, by = 'manager'): Promise<string> {
  const path = giveSecondWord.path.replace(':id', (await waiting(orderNo)).at(-1)!.id)
  const { headers } = it.as(by)
  const answer = await it.request(path, { method: 'POST', headers })
  return answer.ok ? 'OK' : ((await answer.json()) as { code: string }).code
}

describe('one person alone', () => {
  test('who buys a code as a guest and looks at it has it replaced not even once', async () => {
    await stockUp(it, codes(9))
    const orderNo = await seenOrder()
    const free = (await it.stock()).free
    expect(await replaced(orderNo)).toBe('VOUCHER_NEEDS_EVIDENCE')
    expect(await replaced(orderNo, { complaint: 'made up' })).toBe('SECOND_WORD_NEEDED')
    expect(await replaced(orderNo, { complaint: 'made up' }, 'manager')).toBe('SECOND_WORD_NEEDED')
    expect((await it.stock()).free).toBe(free)
  })

  test('replaces a piece once: its next code is the same piece, whoever asks, and on whatever day', async () => {
    await stockUp(it, codes(9))
    const { orderNo } = await it.buy()
    expect(await replaced(orderNo)).toBe('OK')
    for (const by of ['staff', 'staff-2', 'manager', 'admin'])
      expect(await replaced(orderNo, {}, by)).toBe('VOUCHER_NEEDS_EVIDENCE')
    it.clock.advance(86_400)
    expect(await replaced(orderNo, {}, 'staff-2')).toBe('VOUCHER_NEEDS_EVIDENCE')
    expect(await replaced(orderNo, { complaint: 'C-1' }, 'staff-2')).toBe('SECOND_WORD_NEEDED')
  })

  test('replaces each piece of an order once, and no piece twice', async () => {
    await stockUp(it, codes(12), { costSatang: 100 })
    const orderNo = await it.buyMany(3)
    for (const { id } of await soldOf(orderNo)) expect(await codeOf(replace(orderNo, id))).toBe('OK')
    for (const { id, takesEvidence } of await soldOf(orderNo)) {
      expect(takesEvidence).toBe(true)
      expect(await codeOf(replace(orderNo, id))).toBe('VOUCHER_NEEDS_EVIDENCE')
    }
  })

  test('cannot replace what a server of the version before replaced, which did not say of which code', async () => {
    await stockUp(it, codes(4))
    const { orderNo } = await it.buy()
    expect(await replaced(orderNo)).toBe('OK')
    await it.db.query({ text: 'UPDATE voucher SET replaces_id = NULL' })
    expect(await replaced(orderNo)).toBe('VOUCHER_NEEDS_EVIDENCE')
  })

  test('nor what a machine has read, nor what somebody of the staff has looked at', async () => {
    await stockUp(it, codes(9))
    const send = machineOf(it.request, (await addKey(it, 'agent')).token)
    const { body: placed } = await send(createApiOrder, {
      body: { ref: 'r-1', packageId: fixture.pubg.package, quantity: 1 },
    })
    await it.drain()
    expect((await send(getApiCodes, { params: { id: placed.id } })).status).toBe(200)
    expect(await replaced(placed.id)).toBe('VOUCHER_NEEDS_EVIDENCE')
    const { orderNo } = await it.buy()
    const { id } = await onlyOf(orderNo)
    await it.as('manager').call(contract.seeVoucher, { body: { id, reason: 'ลูกค้าถาม' } })
    expect(await replaced(orderNo)).toBe('VOUCHER_NEEDS_EVIDENCE')
  })

  test('replaces nothing of an order that failed: its money is about to go back', async () => {
    await stockUp(it, codes(4))
    const { orderNo } = await it.buy()
    await it.db.query({ text: `UPDATE orders SET status = 'failed' WHERE order_no = $1`, values: [orderNo] })
    expect(await replaced(orderNo)).toBe('VOUCHER_NOT_REPLACEABLE')
    await it.db.query({ text: `UPDATE orders SET status = 'success' WHERE order_no = $1`, values: [orderNo] })
  })
})

describe('with evidence', () => {
  test('a second person sees it and gives the word; what was shown stays with the code, for staff alone', async () => {
    await stockUp(it, codes(9))
    const buyer = it.as(null)
    const orderNo = await seenOrder(buyer)
    const { id } = await onlyOf(orderNo)
    const evidenceSlipId = await upload(await picture())
    expect(await replaced(orderNo, { evidenceSlipId, complaint: 'SUP-77' })).toBe('SECOND_WORD_NEEDED')
    const [word] = await waiting(orderNo)
    expect(word).toMatchObject({
      kind: 'codeReplacedAgain',
      evidence: { slipId: evidenceSlipId, reference: 'SUP-77' },
      note: expect.stringContaining('มีคนดูรหัสแล้ว'),
    })
    const path = getSlip.path.replace(':id', evidenceSlipId)
    const statusFor = async (caller: TestCaller) => (await it.request(path, { headers: caller.headers })).status
    expect(await give(orderNo, 'staff-2')).toBe('FORBIDDEN')
    expect(await give(orderNo)).toBe('OK')
    expect((await onlyOf(orderNo)).id).not.toBe(id)
    const [bad] = await it.list({ orderNo, state: 'withdrawn' })
    expect(bad!.withdrawn).toMatchObject({ evidenceSlipId, complaint: 'SUP-77' })
    expect(await Promise.all(['staff-2', 'manager', 'bookkeeper'].map(uid => statusFor(it.as(uid))))).toEqual([
      200, 200, 200,
    ])
    for (const stranger of [buyer, it.as('customer'), it.as(null)]) expect(await statusFor(stranger)).toBe(404)
    const moves = await it.db.query({
      text: `SELECT second_uid AS second, is_alone AS alone FROM value_move WHERE kind = 'codeReplacedAgain' AND subject = $1`,
      values: [`order:${orderNo}`],
    })
    expect(moves).toEqual([{ second: 'manager', alone: false }])
  })

  test('one picture serves one code, also when it is uploaded again, and only who uploaded it may hand it in', async () => {
    await stockUp(it, codes(9))
    const [one, two, three] = [await seenOrder(), await seenOrder(), await seenOrder()]
    const file = await picture()
    const evidenceSlipId = await upload(file)
    const again = await upload(file)
    expect(await replaced(one, { evidenceSlipId })).toBe('SECOND_WORD_NEEDED')
    // Both wait; the word for one of them uses the picture up.
    expect(await replaced(two, { evidenceSlipId })).toBe('SECOND_WORD_NEEDED')
    expect(await give(one)).toBe('OK')
    expect(await give(two)).toBe('SLIP_REUSED')
    expect(await replaced(two, { evidenceSlipId: again })).toBe('EVIDENCE_REUSED')
    expect(await replaced(three, { evidenceSlipId: await upload(await picture(), 'staff-2') })).toBe('SLIP_NOT_FOUND')
    // Nor for the next code of the same piece.
    expect(await replaced(one, { evidenceSlipId })).toBe('SLIP_REUSED')
  })

  test('a complaint may be about many codes; who confirms is told of how many', async () => {
    await stockUp(it, codes(9))
    const [one, two] = [await seenOrder(), await seenOrder()]
    await replaced(one, { complaint: 'SUP-100' })
    expect(await give(one)).toBe('OK')
    await replaced(two, { complaint: 'SUP-100' })
    const [word] = await waiting(two)
    expect(word!.note).toContain('เลขที่เรื่องนี้ใช้กับรหัสอื่นแล้ว 1 รหัส')
  })

  test('the buyer of the order is no second person', async () => {
    await stockUp(it, codes(4))
    const manager = it.as('manager')
    const { orderNo } = await it.buy(manager)
    expect(await replaced(orderNo)).toBe('OK')
    await replaced(orderNo, { complaint: 'SUP-9' })
    expect(await give(orderNo)).toBe('SECOND_WORD_NOT_YOURS')
    expect(await give(orderNo, 'admin')).toBe('OK')
  })
})

test('a code that its buyer looks at while its first replacement waits takes evidence after all', async () => {
  await addAccount(it, 'staff-at-limit', 'staff')
  await stockUp(it, codes(4), { costSatang: 2_500_000 })
  const buyer = await it.customer()
  const { orderNo } = await it.buy(buyer)
  const { id } = await onlyOf(orderNo)
  expect(await replaced(orderNo, {}, 'staff-at-limit')).toBe('SECOND_WORD_NEEDED')
  await reveal(buyer, orderNo)
  expect(await give(orderNo)).toBe('VOUCHER_NEEDS_EVIDENCE')
  expect((await onlyOf(orderNo)).id).toBe(id)
  expect(await waiting(orderNo)).toEqual([])
})

test('a replacement counts what was paid for the piece, or what the new code cost where that is more', async () => {
  await addAccount(it, 'staff-who-counts', 'staff')
  await stockUp(it, codes(2), { costSatang: 100 })
  const first = await it.buy()
  await replaced(first.orderNo, {}, 'staff-who-counts')
  await stockUp(it, codes(2), { costSatang: 77_700 })
  const second = await it.buy()
  await replaced(second.orderNo, {}, 'staff-who-counts')
  const [paid] = await it.db.query<{ satang: number }>({
    text: 'SELECT (price_satang + tail_satang)::int AS satang FROM orders WHERE order_no = $1',
    values: [first.orderNo],
  })
  const moves = await it.db.query<{ satang: number }>({
    text: `SELECT amount_satang::int AS satang FROM value_move WHERE actor_uid = 'staff-who-counts' ORDER BY at, id`,
  })
  expect(moves.map(({ satang }) => satang)).toEqual([paid!.satang, 77_700])
})
