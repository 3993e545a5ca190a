import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { type FileMovement, linesNow, scbFile } from '../testing/statement.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
beforeEach(() =>
  it.db.query({ text: 'TRUNCATE statement_line, statement_event, statement_file, statement_mapping CASCADE' }),
)
afterAll(() => it.db.close())

const { second } = fixture.accounts
const manager = () => it.as('manager')
const read = (file: Blob, receivingAccountId: number = second) =>
  manager().call(contract.readStatementFile, { params: { receivingAccountId }, file })
const take = (
  fileId: string,
  body: EndpointInput<typeof contract.importStatementFile>['body'] = { mapping: null, remember: false },
  idempotencyKey = onceKey(),
) => manager().call(contract.importStatementFile, { params: { fileId }, body, idempotencyKey })

const sample = (name: string) => new Blob([readFileSync(fileURLToPath(new URL(`./samples/${name}`, import.meta.url)))])
const minutes = (n: number) => addSeconds(it.clock.now, -60 * n)
const movements = (): FileMovement[] => [
  { at: minutes(50), amountSatang: 14_907 },
  { at: minutes(40), amountSatang: -200_000, detail: '=HYPERLINK(1)' },
  { at: minutes(40), amountSatang: 14_907 },
]

describe('a file', () => {
  test('is shown first, taken in once, and known the next time', async () => {
    const shown = await read(scbFile(movements()))
    expect(shown).toMatchObject({
      counts: { fresh: 3, known: 0, unreadable: 0 },
      inSatang: 29_814,
      outSatang: 200_000,
      fromDay: '2026-11-20',
      toDay: '2026-11-20',
      problems: [],
    })
    expect(shown.layout).toContain('ไทยพาณิชย์')
    expect(shown.lines.map(({ isKnown, time }) => [isKnown, time])).toEqual([
      [false, '11:10'],
      [false, '11:20'],
      [false, '11:20'],
    ])
    expect(shown.checks.every(({ ok }) => ok)).toBe(true)
    expect(await linesNow(it)).toEqual([])

    expect(await take(shown.fileId)).toEqual({ fileId: shown.fileId, imported: 3, known: 0, needsSecond: false })
    const once = await linesNow(it)
    expect(once.map(({ state }) => state)).toEqual(['unmatched', 'out', 'unmatched'])
    const again = await read(scbFile(movements()))
    expect(again.counts).toEqual({ fresh: 0, known: 3, unreadable: 0 })
    expect(await take(again.fileId)).toMatchObject({ imported: 0, known: 3 })
    expect(await linesNow(it)).toEqual(once)
  })

  test('that overlaps another adds what is new', async () => {
    const all = movements()
    await take((await read(scbFile(all.slice(0, 2)))).fileId)
    const later = await read(scbFile([...all, { at: minutes(1), amountSatang: 50 }]))
    expect(later.counts).toMatchObject({ fresh: 2, known: 2 })
    expect(await take(later.fileId)).toMatchObject({ imported: 2, known: 2 })
  })

  test('is taken in whole or not at all: one broken row keeps all of it out', async () => {
    const text = (await scbFile(movements()).text()).replace('149.07', '149.0x7')
    const { fileId, counts, problems } = await read(new Blob([text]))
    expect(counts.unreadable).toBe(1)
    expect(problems).toMatchObject([{ rowNumber: 2, column: 'Deposit' }])
    await expect(take(fileId)).rejects.toMatchObject({ code: 'STATEMENT_INVALID' })
    expect(await linesNow(it)).toEqual([])
  })

  test('of another account is refused, and says so before', async () => {
    const { fileId, problems, stranger } = await read(scbFile(movements()), fixture.accounts.promptPay)
    expect(problems).toEqual([])
    expect(stranger).toEqual({
      message: expect.stringContaining('ไฟล์นี้เป็นของบัญชี'),
      receivingAccountId: fixture.accounts.second,
    })
    await expect(take(fileId)).rejects.toMatchObject({ code: 'STATEMENT_OTHER_ACCOUNT' })
    const other = await read(sample('kbank-deposit-statement-th.csv'))
    expect(other.stranger).toEqual({
      message: expect.stringContaining('ไฟล์นี้เป็นของบัญชี 9999999999 ไม่ใช่'),
      receivingAccountId: null,
    })
    await expect(take(other.fileId)).rejects.toMatchObject({ code: 'STATEMENT_OTHER_ACCOUNT' })
  })

  test('of another bank that names no account is refused, unless a person points out its columns', async () => {
    const { fileId, stranger, proposal } = await read(sample('bbl-ibanking-24h.csv'))
    expect(stranger).toEqual({ message: expect.stringContaining('กรุงเทพ'), receivingAccountId: null })
    await expect(take(fileId)).rejects.toMatchObject({ code: 'STATEMENT_OTHER_BANK' })
    expect(await linesNow(it)).toEqual([])
    expect(await take(fileId, { mapping: proposal, remember: false })).toMatchObject({ imported: 10 })
  })

  test.each([
    ['kbank-deposit-statement-th.csv', 'kbank-recent-transaction.csv'],
    ['kbank-recent-transaction.csv', 'kbank-deposit-statement-th.csv'],
    ['kbank-deposit-statement-th.csv', 'kbank-kcyber-legacy.csv'],
  ])('%s and then %s, of the same days but written otherwise, add no line twice', async (first, then) => {
    const account = await it.db.query<{ id: number }>({
      text: `INSERT INTO receiving_account (bank_code, account_no, account_name, position) VALUES ('004', '9999999999', 'x', 9)
        RETURNING id`,
    })
    const { id } = account[0]!
    expect(await take((await read(sample(first), id)).fileId)).toMatchObject({ imported: 10, known: 0 })
    const again = await read(sample(then), id)
    expect(again).toMatchObject({ counts: { fresh: 0, known: 10 }, problems: [] })
    expect(await take(again.fileId)).toMatchObject({ imported: 0, known: 10 })
  })

  test('asked for twice with one key is taken once', async () => {
    const { fileId } = await read(scbFile(movements()))
    const key = onceKey()
    const body = { mapping: null, remember: false }
    const replies = await Promise.all([take(fileId, body, key), take(fileId, body, key), take(fileId)])
    expect(replies.filter(({ imported }) => imported === 3).length).toBeGreaterThanOrEqual(1)
    expect(replies[0]).toEqual(replies[1])
    expect(await linesNow(it)).toHaveLength(3)
  })

  test.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1'), 'STATEMENT_KIND'],
    ['an empty file', Buffer.alloc(0), 'STATEMENT_EMPTY'],
    ['bytes of nothing', Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]), 'STATEMENT'],
    ['more than 20 MB', Buffer.alloc(20 * 1024 * 1024 + 1, 'a,b\n'), 'STATEMENT_TOO_LARGE'],
  ])('%s is refused', async (_, bytes, code) => {
    const outcome = await read(new Blob([bytes])).then(
      ({ layout }) => `read ${layout}`,
      (error: { code: string }) => error.code,
    )
    expect(outcome).toMatch(code)
  })

  test('that nobody has any more is not found', async () => {
    await expect(take('018f0000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(read(scbFile(movements()), 999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      await it
        .as('staff')
        .codeOf(contract.readStatementFile, { params: { receivingAccountId: second }, file: scbFile([]) }),
    ).toBe('FORBIDDEN')
  })
})

test('columns that a person pointed out are remembered for the account', async () => {
  const file = () => new Blob(['When,What,Sum\n20/11/2026 10:00,first,100.07\n20/11/2026 10:01,second,-5\n'])
  const unknown = await read(file())
  expect(unknown).toMatchObject({
    layout: null,
    mapping: null,
    lines: [],
    rows: [['When', 'What', 'Sum'], expect.anything(), expect.anything()],
  })
  await expect(take(unknown.fileId)).rejects.toMatchObject({ code: 'STATEMENT_INVALID' })
  const mapping = {
    ...unknown.proposal,
    headerRow: 0,
    header: ['When', 'What', 'Sum'],
    date: { column: 0, order: 'dmy', era: 'CE' } as const,
    amount: { style: 'signed' as const, column: 2 },
    detailColumns: [1],
    balanceColumn: null,
    timeColumn: null,
  }
  const pointed = await manager().call(contract.previewStatementFile, {
    params: { fileId: unknown.fileId },
    body: { mapping },
  })
  expect(pointed).toMatchObject({ counts: { fresh: 2, unreadable: 0 }, problems: [], inSatang: 10_007 })
  expect(await take(unknown.fileId, { mapping, remember: true })).toMatchObject({ imported: 2 })
  expect(await read(file())).toMatchObject({ counts: { known: 2, fresh: 0 }, mapping: { detailColumns: [1] } })
  expect(await read(file(), fixture.accounts.promptPay)).toMatchObject({ mapping: null })
})

test('the browser matches in batches until nothing is left', async () => {
  await addAccount(it, 'payer', 'customer')
  const { amountSatang, orderNo } = await buyByBank(it.as('payer'), { receivingAccountId: second })
  const { fileId } = await read(
    scbFile([
      { at: it.clock.now, amountSatang },
      { at: minutes(3), amountSatang: 77 },
    ]),
  )
  await take(fileId)
  const match = () => manager().call(contract.matchStatementLines, { body: { receivingAccountId: second, fileId } })
  expect(await match()).toEqual({ tried: 2, matched: 1, left: 0, matchedOfFile: 1 })
  expect(await match()).toEqual({ tried: 0, matched: 0, left: 0, matchedOfFile: 1 })
  expect((await linesNow(it)).find(({ state }) => state === 'matched')).toMatchObject({ target: orderNo })
})
