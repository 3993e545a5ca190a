import { listStatementLines, trustStatementLine } from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { type FileMovement, scbFile } from '../testing/statement.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'

let it: TestShop
let key: string
const receivingAccountId = fixture.accounts.second
beforeEach(async () => {
  it = await createTestShop()
  const body = { name: 'เครื่องร้าน', receivingAccountId }
  key = (await it.as('admin').call(contract.createFeedKey, { body })).key
  await addAccount(it, 'manager2', 'manager')
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const { order, seen, decide, detailsOf } = deskOf(() => it)

interface Fed {
  at: Date
  amountSatang: number
  balanceSatang?: number
}
const feed = (...lines: Fed[]) =>
  it.as(null, { 'x-feed-key': key }).call(contract.feedStatementLines, {
    body: { accountNo: '9876543210', lines: lines.map(({ at, ...line }) => ({ ...line, at: at.toISOString() })) },
  })
/** Minutes from now. */
const at = (minutes: number) => addSeconds(it.clock.now, minutes * 60)
const list = async (query: object = {}) => {
  const day = bangkokDay(it.clock.now)
  const { rows } = await it
    .as('manager')
    .call(listStatementLines, { query: { receivingAccountId, from: day, to: day, ...query } })
  return rows.toReversed()
}
const chains = async () => (await list()).map(({ amountSatang, chain }) => [amountSatang, chain])

async function readFile(movements: FileMovement[], openingSatang: number) {
  const file = scbFile(movements, openingSatang)
  return it.as('manager').call(contract.readStatementFile, { params: { receivingAccountId }, file })
}
const importFile = (fileId: string, acceptsGap = false) =>
  it.as('manager').codeOf(contract.importStatementFile, {
    params: { fileId },
    body: { mapping: null, remember: false, acceptsGap },
    idempotencyKey: onceKey(),
  })

describe('the feed', () => {
  test('an invented line does not pay: not with an invented balance, nor without one, nor after another invented one', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await feed({ at: at(-30), amountSatang: 100, balanceSatang: 500_000 })
    expect(await feed({ at: at(0), amountSatang, balanceSatang: 7_000_000 })).toMatchObject({ imported: 1, matched: 0 })
    expect(await feed({ at: at(0.5), amountSatang })).toMatchObject({ imported: 1, matched: 0 })
    expect(
      await feed(
        { at: at(0.5), amountSatang: 5, balanceSatang: 90_000 },
        { at: at(1), amountSatang, balanceSatang: 90_000 + amountSatang },
      ),
    ).toMatchObject({ imported: 2, matched: 0 })
    expect((await seen(orderNo)).status).toBe('waiting_payment')
    const flagged = await list({ gap: 'true' })
    expect(flagged).toHaveLength(4)
    expect((await detailsOf(flagged[0]!.id)).gapNote).toMatch(/^ยอดก่อนหน้าที่รู้จักคือ 5,000.00 จึงควรเหลือ/)
    expect((await detailsOf(flagged[1]!.id)).gapNote).toMatch(/ไม่บอก$/)
    // The real ones go on, and pay.
    expect(await feed({ at: at(1), amountSatang, balanceSatang: 500_000 + amountSatang })).toMatchObject({ matched: 1 })
    expect((await seen(orderNo)).status).toBe('paid')
  })

  test('of an account without balances it is as it was', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await feed({ at: at(-5), amountSatang: 100 })
    await feed({ at: at(0), amountSatang })
    expect((await seen(orderNo)).status).toBe('paid')
    expect(await chains()).toEqual([
      [100, 'unknown'],
      [amountSatang, 'unknown'],
    ])
  })

  test('what was missing in between explains what waited, and that is tried again', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await feed({ at: at(-30), amountSatang: 100, balanceSatang: 1000 })
    expect(await feed({ at: at(1), amountSatang, balanceSatang: 1500 + amountSatang })).toMatchObject({ matched: 0 })
    expect(await feed({ at: at(-2), amountSatang: 500, balanceSatang: 1500 })).toMatchObject({ matched: 1 })
    expect((await seen(orderNo)).status).toBe('paid')
    expect((await chains()).map(([, chain]) => chain)).toEqual(['unknown', 'ok', 'ok'])
  })

  test('several in one minute, told in another order and twice, follow', async () => {
    await feed({ at: at(-30), amountSatang: 100, balanceSatang: 1000 })
    const lines = [
      { at: at(-10), amountSatang: 30, balanceSatang: 1050 },
      { at: at(-10), amountSatang: 20, balanceSatang: 1020 },
      { at: at(-10), amountSatang: -50, balanceSatang: 1000 },
    ]
    await feed(...lines)
    await feed(...lines, { at: at(-9), amountSatang: 7, balanceSatang: 1007 })
    expect((await chains()).map(([, chain]) => chain)).toEqual(['unknown', 'ok', 'ok', 'ok', 'ok'])
  })

  test('a person who did not bring it can believe it, and what follows from it pays', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await feed({ at: at(-30), amountSatang: 100, balanceSatang: 1000 })
    await feed({ at: at(-3), amountSatang: 5, balanceSatang: 2005 })
    await feed({ at: at(1), amountSatang, balanceSatang: 2005 + amountSatang })
    const [line] = await list({ gap: 'true' })
    const trust = (uid: string, version = 1) =>
      it.as(uid).codeOf(trustStatementLine, {
        params: { id: line!.id },
        body: { version, reason: 'ตรวจกับแอปธนาคาร' },
        idempotencyKey: onceKey(),
      })
    expect(await trust('staff')).toBe('FORBIDDEN')
    expect(await trust('admin')).toBe('LINE_OWN_SOURCE')
    expect(await trust('manager', 7)).toBe('CONFLICT')
    expect(await trust('manager')).toBe('OK')
    expect(await trust('manager2', 2)).toBe('LINE_FOLLOWS')
    expect((await seen(orderNo)).status).toBe('paid')
    expect((await detailsOf(line!.id)).history).toMatchObject([{ step: 'trust', actorName: 'manager' }])
  })

  test('a person may still match it, having seen why', async () => {
    const { target, amountSatang, orderNo } = await order({ receivingAccountId })
    await feed({ at: at(-30), amountSatang: 100, balanceSatang: 1000 })
    await feed({ at: at(1), amountSatang, balanceSatang: 9 })
    const [line] = await list({ gap: 'true' })
    await decide(line!.id, { step: 'match', target })
    expect((await seen(orderNo)).status).toBe('paid')
  })
})

describe('a file', () => {
  const begin = () => feed({ at: at(-120), amountSatang: 100, balanceSatang: 19_735_541 })

  test('that goes on from what is known says so, and pays', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await begin()
    const preview = await readFile([{ at: at(1), amountSatang }], 19_735_541)
    expect(preview.gaps).toBe(0)
    expect(preview.checks.at(-1)).toEqual({ ok: true, text: 'ยอดต่อจากรายการล่าสุดของบัญชีนี้ (197,355.41)' })
    expect(await importFile(preview.fileId)).toBe('OK')
    await matchLines(it.shop)
    expect((await seen(orderNo)).status).toBe('paid')
  })

  test('that begins elsewhere names both numbers, takes a tick, and pays nothing by itself', async () => {
    const { orderNo, amountSatang } = await order({ receivingAccountId })
    await begin()
    const movements = [
      { at: at(-1), amountSatang: 5 },
      { at: at(1), amountSatang },
    ]
    const { fileId, gaps, checks } = await readFile(movements, 5_000_000)
    expect(gaps).toBe(2)
    expect(checks.at(-1)!.ok).toBe(false)
    expect(checks.at(-1)!.text).toMatch(/^รายการล่าสุดของบัญชีนี้เหลือ 197,355.41 แต่ไฟล์เริ่มจากยอด 50,000.00: /)
    expect(await importFile(fileId)).toBe('STATEMENT_GAP')
    expect(await list()).toHaveLength(1)
    expect(await importFile(fileId, true)).toBe('OK')
    expect(await matchLines(it.shop)).toBe(0)
    expect((await seen(orderNo)).status).toBe('waiting_payment')
    const [line] = await list({ gap: 'true' })
    const trust = { params: { id: line!.id }, body: { version: 1, reason: 'x' }, idempotencyKey: onceKey() }
    expect(await it.as('manager').codeOf(trustStatementLine, trust)).toBe('LINE_OWN_SOURCE')
    // The days between, by another file.
    const between = await readFile([{ at: at(-60), amountSatang: 5_000_000 - 19_735_541 }], 19_735_541)
    expect(await importFile(between.fileId)).toBe('OK')
    await matchLines(it.shop)
    expect((await seen(orderNo)).status).toBe('paid')
  })

  test('fills in the balances that a feed left out, and its lines follow through them', async () => {
    await feed({ at: at(-20), amountSatang: 300 })
    const { fileId, gaps } = await readFile(
      [
        { at: at(-30), amountSatang: 100 },
        { at: at(-20), amountSatang: 300 },
        { at: at(-10), amountSatang: 500 },
      ],
      1000,
    )
    expect(gaps).toBe(0)
    expect(await importFile(fileId)).toBe('OK')
    const lines = await list()
    expect(lines.map(({ balanceSatang, chain }) => [balanceSatang, chain])).toEqual([
      [1100, 'unknown'],
      [1400, 'ok'],
      [1900, 'ok'],
    ])
  })
})
