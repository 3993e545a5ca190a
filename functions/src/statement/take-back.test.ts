import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { listStatementLines } from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import * as takeBack from '@shop/shared/statement/take-back-endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { linesNow, scbFile } from '../testing/statement.ts'
import { addWallet, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: TestShop
let walletId: string
const receivingAccountId = fixture.accounts.second
beforeEach(async () => {
  it = await createTestShop()
  walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const { order, seen, decide, detailsOf, change } = deskOf(() => it)
const because = { reason: 'ตรวจแล้ว' }

const makeKey = (name: string) => it.as('admin').call(contract.createFeedKey, { body: { name, receivingAccountId } })
interface Fed {
  at: Date
  amountSatang: number
  balanceSatang?: number
}
const feed = ({ key }: { key: string }, ...lines: Fed[]) =>
  it.as(null, { 'x-feed-key': key }).call(contract.feedStatementLines, {
    body: { accountNo: '9876543210', lines: lines.map(({ at, ...line }) => ({ ...line, at: at.toISOString() })) },
  })
const now = () => it.clock.now
const preview = (id: string, since?: Date) =>
  it.as('admin').call(takeBack.previewTakeBack, { params: { id }, query: { since: since?.toISOString() } })
async function takeAll(id: string, since: string | null = null) {
  const sum = { voided: 0, undone: 0, stuck: 0 }
  for (let after = 0; ; ) {
    const body = { since, reason: 'คีย์รั่ว', after }
    const batch = await it.as('admin').call(takeBack.takeBackLines, { params: { id }, body })
    for (const each of ['voided', 'undone', 'stuck'] as const) sum[each] += batch[each]
    if (batch.next === null) return sum
    after = batch.next
  }
}
const stateOf = async (amountSatang: number) => {
  const day = bangkokDay(now())
  const query = { receivingAccountId, from: day, to: day }
  const { rows } = await it.as('manager').call(listStatementLines, { query })
  return rows.find(row => row.amountSatang === amountSatang)
}

test('what a leaked key brought is undone where it can be, listed where not, and taken back once', async () => {
  const leaked = await makeKey('เครื่องที่รั่ว')
  const other = await makeKey('อีกเครื่อง')
  const [waits, delivered, taken] = [
    await order({ receivingAccountId }),
    await order({ receivingAccountId }),
    await order({ receivingAccountId }),
  ]
  const paying = [waits, delivered, taken].map(({ amountSatang }) => ({ at: now(), amountSatang }))
  await feed(leaked, ...paying, { at: now(), amountSatang: 70_000 }, { at: now(), amountSatang: 80_000 })
  await feed(leaked, { at: now(), amountSatang: 90_000 }, { at: now(), amountSatang: -500 })
  await feed(other, { at: now(), amountSatang: 60_000 })
  await change(delivered.orderNo, 'processing', 'staff')
  await change(delivered.orderNo, 'success', 'staff')
  await change(taken.orderNo, 'processing', 'staff')
  const credited = await stateOf(70_000)
  await decide(credited!.id, { step: 'creditWallet', walletId, ...because })
  await decide((await stateOf(80_000))!.id, { step: 'oweRefund', ...because })
  expect(await walletBalance(it.db, 'agent')).toBe(70_000)

  const foreseen = await preview(leaked.id)
  expect(foreseen).toMatchObject({
    idle: { lines: 2, amountSatang: 89_500 },
    undone: { lines: 3 },
    stuck: { lines: 2, amountSatang: delivered.amountSatang + taken.amountSatang },
    confirmed: { lines: 0 },
  })
  expect(foreseen.cases.map(({ target, why }) => [target?.no, why])).toEqual([
    [delivered.orderNo, 'เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้'],
    [taken.orderNo, 'มีคนกำลังเติมอยู่ ยกเลิกการจับคู่ไม่ได้'],
  ])

  expect(await takeAll(leaked.id)).toEqual({ voided: 5, undone: 3, stuck: 2 })
  expect(await walletBalance(it.db, 'agent')).toBe(0)
  expect((await seen(waits.orderNo)).status).toBe('waiting_payment')
  expect((await seen(delivered.orderNo)).status).toBe('success')
  expect((await linesNow(it)).map(({ state }) => state).sort()).toEqual(
    ['matched', 'matched', 'unmatched', ...Array(5).fill('void')].sort(),
  )
  await expect(feed(leaked, { at: now(), amountSatang: 1 })).rejects.toMatchObject({ code: 'FEED_KEY_INVALID' })
  const { waiting } = await it.as('manager').call(getBacklog, {})
  expect(waiting.disputed).toMatchObject({ count: 2, receivingAccountId })
  expect((await detailsOf(credited!.id)).history.map(({ step }) => step)).toEqual(['creditWallet', 'undo', 'void'])

  // Again: nothing twice, and what moved on meanwhile goes as well.
  await change(taken.orderNo, 'paid', 'staff')
  expect(await takeAll(leaked.id)).toEqual({ voided: 1, undone: 1, stuck: 1 })
  expect(await takeAll(leaked.id)).toEqual({ voided: 0, undone: 0, stuck: 1 })
  const left = await stateOf(delivered.amountSatang)
  expect((await detailsOf(left!.id)).history.filter(({ step }) => step === 'dispute')).toHaveLength(1)
  const settle = { params: { id: left!.id }, body: { reason: 'เรียกเงินคืนจากผู้ซื้อแล้ว' } }
  expect(await it.as('manager').codeOf(takeBack.settleDisputedLine, settle)).toBe('FORBIDDEN')
  expect(await it.as('admin').codeOf(takeBack.settleDisputedLine, settle)).toBe('OK')
  expect(await it.as('admin').codeOf(takeBack.settleDisputedLine, settle)).toBe('NOT_FOUND')
  expect((await it.as('manager').call(getBacklog, {})).waiting.disputed).toMatchObject({ count: 0 })
  const audit = await it.db.query<{ action: string }>({
    text: `SELECT DISTINCT action FROM audit_entry WHERE subject = $1 ORDER BY action`,
    values: [`feedKey:${leaked.id}`],
  })
  expect(audit.map(({ action }) => action)).toEqual(['feedKey.create', 'feedKey.takeBack'])
})

test('what a file tells of as well stays; what is voided comes anew with the file that tells of it', async () => {
  const leaked = await makeKey('เครื่อง')
  const { orderNo, amountSatang } = await order({ receivingAccountId })
  const late = await order({ receivingAccountId })
  await feed(leaked, { at: now(), amountSatang }, { at: now(), amountSatang: late.amountSatang })
  const importFile = async (movements: { at: Date; amountSatang: number }[]) => {
    const params = { receivingAccountId }
    const { fileId } = await it.as('manager').call(contract.readStatementFile, { params, file: scbFile(movements) })
    const body = { mapping: null, remember: false, acceptsGap: true }
    await it.as('manager').call(contract.importStatementFile, { params: { fileId }, body, idempotencyKey: onceKey() })
    await it.as('manager').call(contract.matchStatementLines, { body: { receivingAccountId } })
  }
  await importFile([{ at: now(), amountSatang }])
  expect(await preview(leaked.id)).toMatchObject({ confirmed: { lines: 1, amountSatang }, undone: { lines: 1 } })
  expect(await takeAll(leaked.id)).toEqual({ voided: 1, undone: 1, stuck: 0 })
  expect((await seen(orderNo)).status).toBe('paid')
  expect((await seen(late.orderNo)).status).toBe('waiting_payment')
  await importFile([
    { at: now(), amountSatang },
    { at: now(), amountSatang: late.amountSatang },
  ])
  expect((await seen(late.orderNo)).status).toBe('paid')
  expect((await linesNow(it)).map(({ state }) => state)).toEqual(['matched', 'void', 'matched'])
})

test('only what came since a moment, where it is named, and by admins only', async () => {
  const leaked = await makeKey('เครื่อง')
  await feed(leaked, { at: now(), amountSatang: 1_000 })
  it.clock.advance(60)
  const since = now()
  await feed(leaked, { at: now(), amountSatang: 2_000 })
  expect(await preview(leaked.id, since)).toMatchObject({ idle: { lines: 1, amountSatang: 2_000 } })
  expect(await takeAll(leaked.id, since.toISOString())).toEqual({ voided: 1, undone: 0, stuck: 0 })
  expect((await linesNow(it)).map(({ state }) => state)).toEqual(['unmatched', 'void'])
  expect(await it.as('manager').codeOf(takeBack.previewTakeBack, { params: { id: leaked.id } })).toBe('FORBIDDEN')
  expect(
    await it.as('admin').codeOf(takeBack.previewTakeBack, { params: { id: '018f0000-0000-7000-8000-000000000000' } }),
  ).toBe('NOT_FOUND')
})

test('what an invented line kept from following pays once that is taken back', async () => {
  const [leaked, own] = [await makeKey('รั่ว'), await makeKey('จริง')]
  await feed(own, { at: addSeconds(now(), -600), amountSatang: 100, balanceSatang: 1_000 })
  // Whoever knows the balance invents a line that follows; the real one then does not.
  await feed(leaked, { at: addSeconds(now(), -300), amountSatang: 400, balanceSatang: 1_400 })
  const { orderNo, amountSatang } = await order({ receivingAccountId })
  await feed(own, { at: now(), amountSatang, balanceSatang: 1_000 + amountSatang })
  expect((await seen(orderNo)).status).toBe('waiting_payment')
  await takeAll(leaked.id)
  expect((await seen(orderNo)).status).toBe('paid')
})
