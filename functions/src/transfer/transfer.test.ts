import { decideTopUp, getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { matchStatements } from '../statement/matching.ts'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { report } from '../testing/orders.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { createSlipShop, lookAt, type SlipShop, transferOf } from '../testing/slips.ts'
import { addLines, lineOf, linesNow } from '../testing/statement.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { isReferenceUsed, isSlipFree, useTransfer } from './store.ts'

const ACCOUNT = fixture.accounts.promptPay

let it: SlipShop
beforeAll(async () => {
  it = await createSlipShop('slipok')
})
// Amounts of orders are drawn by lot: far enough apart, two equal ones are still two transfers.
beforeEach(() => it.clock.advance(3600))
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.stop()
})
const desk = deskOf(() => it)

let agents = 0
/** A new agent with an empty wallet. */
async function newAgent(): Promise<{ uid: string; walletId: string }> {
  const uid = `transfer-agent-${++agents}`
  await addAccount(it, uid, 'agent')
  return { uid, walletId: await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now }) }
}

let amounts = 20_000
/** An amount that nothing else in this file has. */
const newAmount = () => (amounts += 10)

async function enter(uid: string, amountSatang: number, slipId: string | null = null) {
  const body = { amountSatang, slipId, receivingAccountId: ACCOUNT }
  return it.as(uid).call(saveTopUp, { body, idempotencyKey: onceKey() })
}
const view = (id: string) => it.as('manager').call(getTopUpForStaff, { params: { id } })
const decision = async (id: string, usedByNo?: string) => ({
  body: { id, version: (await view(id)).version, status: 'approve' as const, usedByNo },
  idempotencyKey: onceKey(),
})
const approve = async (id: string, usedByNo?: string) =>
  it.as('manager').codeOf(decideTopUp, await decision(id, usedByNo))

/** A transfer as the bank's statement tells of it, up to the minute. */
async function addLine(amountSatang: number, at: Date): Promise<string> {
  const line = lineOf({ amountSatang, at: new Date(Math.floor(at.getTime() / 60_000) * 60_000) })
  await addLines(it, [line], ACCOUNT)
  await matchStatements(it.shop)
  return (await linesNow(it)).find(({ key }) => key === line.key)!.id
}
const targetOf = async (lineId: string) => (await linesNow(it)).find(({ id }) => id === lineId)?.target

/** Hands the slip of a transfer that was made in for a new top-up of an agent, and has it checked. */
async function enterWithSlip(uid: string, transfer: ReturnType<typeof transferOf>) {
  const topUp = await enter(uid, transfer.amountSatang, await addSlip(it, `u:${uid}`, transfer.reference))
  await it.drain()
  return topUp
}

describe('a transfer that its statement line brought pays nothing by its slip', () => {
  test('where the line paid a top-up: the slip is unclear, names it, and who approves must have seen it', async () => {
    const [{ uid }, amount] = [await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    it.bank.add(transfer)
    const first = await enter(uid, amount)
    const lineId = await addLine(amount, transfer.at)
    expect(await targetOf(lineId)).toBe(first.no)
    expect(await approve(first.id)).toBe('OK')

    const second = await enterWithSlip(uid, transfer)
    const seen = await view(second.id)
    expect(seen.slipVerdict).toMatchObject({ state: 'staff', reason: 'rules' })
    expect(seen.slipVerdict!.ask!.verdict!.amount).toMatchObject({ result: 'unclear' })
    expect(seen.slipVerdict!.ask!.verdict!.amount.found).toContain(first.no)
    expect(seen.maybeUsedBy).toMatchObject([{ kind: 'topUp', no: first.no }])
    expect(await approve(second.id)).toBe('TRANSFER_MAY_BE_USED')
    expect(await approve(second.id, 'WT2611-00000000')).toBe('TRANSFER_MAY_BE_USED')
    expect(await approve(second.id, first.no)).toBe('REASON_REQUIRED')
    expect(await walletBalance(it.db, uid)).toBe(amount)
  })

  test('where the line paid an order whose buyer never showed the slip', async () => {
    const [{ uid }, order] = [await newAgent(), await desk.order({ receivingAccountId: ACCOUNT })]
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    const lineId = await addLine(order.amountSatang, transfer.at)
    expect(await targetOf(lineId)).toBe(order.orderNo)
    it.clock.advance(900)
    const topUp = await enterWithSlip(uid, transfer)
    expect((await view(topUp.id)).slipVerdict!.ask!.verdict!.amount.found).toContain(order.orderNo)
    expect(await approve(topUp.id)).toBe('TRANSFER_MAY_BE_USED')
  })

  test.each(['creditWallet', 'oweRefund'] as const)('where a person decided %s about the line', async step => {
    const [{ uid, walletId }, amount] = [await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    it.bank.add(transfer)
    const lineId = await addLine(amount, transfer.at)
    await desk.decide(lineId, { step, walletId, reason: 'ลูกค้าแจ้ง' })
    const topUp = await enterWithSlip(uid, transfer)
    const seen = await view(topUp.id)
    expect(seen.maybeUsedBy).toMatchObject([{ kind: 'line', id: lineId }])
    expect(seen.slipVerdict!.ask!.verdict!.amount.result).toBe('unclear')
    expect(await approve(topUp.id)).toBe('TRANSFER_MAY_BE_USED')
  })

  test('where a person marked an order paid and had seen no slip', async () => {
    const [{ uid }, order] = [await newAgent(), await desk.order({ receivingAccountId: ACCOUNT })]
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    expect(await desk.change(order.orderNo, 'paid')).toBe('OK')
    const topUp = await enterWithSlip(uid, transfer)
    const { maybeUsedBy } = await view(topUp.id)
    // Two orders of this file may have drawn the same amount.
    expect(maybeUsedBy).toContainEqual(expect.objectContaining({ kind: 'order', no: order.orderNo }))
    expect(await approve(topUp.id)).toBe('TRANSFER_MAY_BE_USED')
  })

  test('naming another receiving account hides nothing', async () => {
    const [{ uid }, amount] = [await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    const first = await enter(uid, amount)
    await addLine(amount, transfer.at)
    expect(await approve(first.id)).toBe('OK')
    const slipId = await addSlip(it, `u:${uid}`, transfer.reference)
    const body = { amountSatang: amount, slipId, receivingAccountId: fixture.accounts.second }
    const second = await it.as(uid).call(saveTopUp, { body, idempotencyKey: onceKey() })
    expect(await approve(second.id)).toBe('TRANSFER_MAY_BE_USED')
  })
})

describe('a transfer that a slip or a word brought pays nothing by its line', () => {
  test('its line goes to what the slip is for, though another top-up waits for as much', async () => {
    const [{ uid }, other, amount] = [await newAgent(), await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    it.bank.add(transfer)
    const first = await enterWithSlip(uid, transfer)
    await enter(other.uid, amount)
    expect(await targetOf(await addLine(amount, transfer.at))).toBe(first.no)
  })

  test('a line that was there first is tied as soon as the slip is confirmed', async () => {
    const [{ uid }, order] = [await newAgent(), await desk.order({ receivingAccountId: ACCOUNT })]
    const transfer = transferOf(it, order.amountSatang)
    it.bank.add(transfer)
    await enter(uid, order.amountSatang)
    const lineId = await addLine(order.amountSatang, transfer.at)
    expect(await targetOf(lineId)).toBeNull()
    it.clock.advance(5)
    await report(it.as(order.uid), order.orderNo, await addSlip(it, `u:${order.uid}`, transfer.reference))
    await it.drain()
    await matchStatements(it.shop)
    expect(await targetOf(lineId)).toBe(order.orderNo)
  })

  test('a person who books the line elsewhere has seen what has its money', async () => {
    const [{ uid, walletId }, amount] = [await newAgent(), newAmount()]
    const first = await enter(uid, amount, await addSlip(it, `u:${uid}`, 'a reference nobody confirms'))
    expect(await approve(first.id)).toBe('OK')
    it.clock.advance(600)
    // Too late to be taken for that by itself.
    const lineId = await addLine(amount, it.clock.now)
    expect(await targetOf(lineId)).toBeNull()
    const credit = { step: 'creditWallet', walletId, reason: 'ลูกค้าแจ้ง' }
    await expect(desk.decide(lineId, credit)).rejects.toMatchObject({
      code: 'TRANSFER_MAY_BE_USED',
      details: { usedByNo: first.no },
    })
    await expect(desk.decide(lineId, { step: 'oweRefund', reason: 'x' })).rejects.toMatchObject({
      code: 'TRANSFER_MAY_BE_USED',
    })
    await desk.decide(lineId, { ...credit, usedByNo: first.no })
    expect(await walletBalance(it.db, uid)).toBe(2 * amount)
  })
})

describe('two transfers of one amount and time are not booked three times', () => {
  /** A top-up approved by word, whose line comes too late to be taken for its own by itself. */
  async function approvedByWord() {
    const [{ uid, walletId }, amount] = [await newAgent(), newAmount()]
    const topUp = await enter(uid, amount, await addSlip(it, `u:${uid}`, `nobody confirms ${amount}`))
    expect(await approve(topUp.id)).toBe('OK')
    it.clock.advance(600)
    const isAnother = { step: 'creditWallet', walletId, reason: 'โอนอีกครั้ง', usedByNo: topUp.no }
    return { uid, amount, topUp, isAnother }
  }
  const historyOf = async (lineId: string) => (await desk.detailsOf(lineId)).history.at(-1)

  test('who says of one line that it is another transfer leaves the other line to what was paid first', async () => {
    const { uid, amount, topUp, isAnother } = await approvedByWord()
    const [first, second] = [
      await addLine(amount, it.clock.now),
      await addLine(amount, new Date(+it.clock.now + 60_000)),
    ]
    expect([await targetOf(first), await targetOf(second)]).toEqual([null, null])
    await desk.decide(first, isAnother)
    expect(await targetOf(second)).toBe(topUp.no)
    const { no } = (await desk.detailsOf(first)).line
    expect(await historyOf(second)).toMatchObject({ actorName: null, reason: `รายการหมายเลข ${no} เป็นเงินโอนอีกครั้งหนึ่ง` })
    await expect(desk.decide(second, isAnother)).rejects.toMatchObject({ code: 'LINE_STEP_NOT_ALLOWED' })
    expect(await walletBalance(it.db, uid)).toBe(2 * amount)
  })

  test('a line that comes after the answer, too; taken back by a person, it stays with people', async () => {
    const { uid, amount, topUp, isAnother } = await approvedByWord()
    await desk.decide(await addLine(amount, it.clock.now), isAnother)
    const second = await addLine(amount, new Date(+it.clock.now + 60_000))
    expect(await targetOf(second)).toBe(topUp.no)
    await desk.decide(second, { step: 'undo', reason: 'มีสามรายการ' })
    await matchStatements(it.shop)
    expect(await targetOf(second)).toBeNull()
    await desk.decide(second, isAnother)
    expect(await walletBalance(it.db, uid)).toBe(3 * amount)
  })

  test('an answer that was taken back says nothing', async () => {
    const { amount, isAnother } = await approvedByWord()
    const first = await addLine(amount, it.clock.now)
    await desk.decide(first, isAnother)
    await desk.decide(first, { step: 'undo', reason: 'ผิด' })
    expect(await targetOf(await addLine(amount, new Date(+it.clock.now + 60_000)))).toBeNull()
  })

  test('an order that somebody marked paid gets its line in the same way', async () => {
    const order = await desk.order({ receivingAccountId: ACCOUNT })
    expect(await desk.change(order.orderNo, 'paid')).toBe('OK')
    it.clock.advance(700)
    const lines = [await addLine(order.amountSatang, it.clock.now), await addLine(order.amountSatang, it.clock.now)]
    const [first, second] = lines as [string, string]
    const owe = { step: 'oweRefund', reason: 'ลูกค้าโอนซ้ำ', usedByNo: order.orderNo }
    await desk.decide(first, owe)
    expect(await targetOf(second)).toBe(order.orderNo)
  })
})

describe('another transfer of the same amount and time pays', () => {
  test('by a line of its own', async () => {
    const [{ uid }, amount] = [await newAgent(), newAmount()]
    for (const n of [0, 1]) {
      it.clock.advance(300)
      const topUp = await enter(uid, amount)
      expect([n, await targetOf(await addLine(amount, it.clock.now))]).toEqual([n, topUp.no])
      expect(await approve(topUp.id)).toBe('OK')
    }
    expect(await walletBalance(it.db, uid)).toBe(2 * amount)
  })

  test('by a slip of its own, where a provider confirmed both', async () => {
    const [{ uid }, amount] = [await newAgent(), newAmount()]
    for (const n of [0, 1]) {
      it.clock.advance(60)
      const transfer = transferOf(it, amount)
      it.bank.add(transfer)
      const topUp = await enterWithSlip(uid, transfer)
      expect([n, (await view(topUp.id)).slipVerdict!.state]).toEqual([n, 'confirmed'])
      expect(await approve(topUp.id)).toBe('OK')
      await addLine(amount, transfer.at)
    }
    expect(await walletBalance(it.db, uid)).toBe(2 * amount)
  })

  test('but a reference that nobody confirmed makes no second transfer', async () => {
    const [{ uid }, amount] = [await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    it.bank.add(transfer)
    const first = await enter(uid, amount, await addSlip(it, `u:${uid}`, 'drawn at home'))
    await addLine(amount, transfer.at)
    expect(await approve(first.id)).toBe('OK')
    const second = await enterWithSlip(uid, transfer)
    expect((await view(second.id)).slipVerdict!.ask!.verdict!.amount.result).toBe('unclear')
    expect(await approve(second.id)).toBe('TRANSFER_MAY_BE_USED')
  })
})

test('a slip and a line decided about in the same moment: one of them pays, the other is refused or asked about', async () => {
  for (let round = 0; round < 6; round++) {
    const [{ uid, walletId }, amount] = [await newAgent(), newAmount()]
    const transfer = transferOf(it, amount)
    const lineId = await addLine(amount, transfer.at)
    const topUp = await enter(uid, amount, await addSlip(it, `u:${uid}`, transfer.reference))
    const approval = await decision(topUp.id)
    const results = await Promise.all([
      it.as('manager').codeOf(decideTopUp, approval),
      desk.decide(lineId, { step: 'creditWallet', walletId, reason: 'x' }).then(
        () => 'OK',
        (error: { code: string }) => error.code,
      ),
    ])
    expect(results.filter(code => code === 'OK')).toHaveLength(1)
    expect(await walletBalance(it.db, uid)).toBe(amount)
  }
})

test('what was taken back has no transfer any more; what stays paid keeps its own', async () => {
  const order = await desk.order({ receivingAccountId: ACCOUNT })
  const lineId = await addLine(order.amountSatang, it.clock.now)
  expect(await targetOf(lineId)).toBe(order.orderNo)
  const has = async (id: string) =>
    (await it.db.query({ text: 'SELECT line_id FROM used_transfer WHERE subject_id = $1', values: [id] }))[0]
  expect(await has(order.id)).toEqual({ line_id: lineId })
  await desk.decide(lineId, { step: 'undo', reason: 'ผิดรายการ' })
  expect(await has(order.id)).toBeUndefined()
  expect((await lookAt(it, order.orderNo)).status).toBe('waiting_payment')
  expect(await desk.change(order.orderNo, 'paid')).toBe('OK')
  await desk.decide(lineId, { step: 'match', target: order.target })
  expect(await has(order.id)).toEqual({ line_id: lineId })
  await desk.decide(lineId, { step: 'undo', reason: 'ผิดรายการ' })
  expect(await has(order.id)).toEqual({ line_id: null })
})

test('a reference is one bank’s own: the same text from another bank is another transfer', async () => {
  const slipId = await addSlip(it, 'u:customer', 'REF-1')
  const subjectId = crypto.randomUUID()
  expect(await isReferenceUsed(it.db, '004', 'REF-1')).toBe(false)
  const made = { from: it.clock.now, to: it.clock.now }
  const use = { kind: 'topUp', subjectId, receivingAccountId: null, amountSatang: 1, made, slipId } as const
  await it.db
    .transaction(async tx => {
      await useTransfer(tx, { ...use, toldAt: null, lineId: null, apartFrom: null }, it.clock.now)
      expect(await isReferenceUsed(tx, '004', 'REF-1')).toBe(true)
      expect(await isReferenceUsed(tx, '014', 'REF-1')).toBe(false)
      expect(await isSlipFree(tx, slipId, subjectId)).toBe(true)
      expect(await isSlipFree(tx, slipId, crypto.randomUUID())).toBe(false)
      throw new Error('taken back')
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'))
})
