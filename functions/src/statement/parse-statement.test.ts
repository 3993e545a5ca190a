import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAYOUT, LAYOUTS, type LayoutName, layoutMapping } from '@shop/shared/statement/layouts.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import { type ColumnMapping, columnMapping, PREVIEW_ROWS } from '@shop/shared/statement/mapping.ts'
import { expect, test } from 'vitest'
import { readGrid } from './grid.ts'
import { headerHash, parseStatement } from './parse-statement.ts'

const now = new Date('2026-11-21T05:00:00Z')
const folder = join(import.meta.dirname, 'samples')
const sample = (name: string) => readFileSync(join(folder, name))
interface Expected {
  encoding: string
  lines: { at: string; satang: number; balanceSatang?: number }[]
}
const expected = JSON.parse(sample('expected.json').toString()) as Record<string, Expected>
const names = Object.keys(expected)

const LAYOUT_OF: Record<string, LayoutName> = {
  'kbank-deposit-statement-th.csv': 'kbank-deposit',
  'kbank-deposit-statement-en.csv': 'kbank-deposit',
  'kbank-recent-transaction.csv': 'kbank-recent',
  'kbank-kcyber-legacy.csv': 'kbank-kcyber',
  'scb-historical-statement.csv': 'scb-historical',
  'scb-easynet-pasted.txt': 'scb-easynet',
  'bbl-ibanking-24h.csv': 'bbl-ibanking',
  'bbl-ibanking-12h.csv': 'bbl-ibanking',
  'bbl-thai-legacy.csv': 'bbl-thai',
  'ktb-netbank-html.xls': 'ktb-netbank',
  'ktb-corporate-downloadservice.xlsx': 'ktb-download',
  'ktb-corporate-th.xlsx': 'ktb-corporate',
  'ktb-business-csv.csv': 'ktb-business',
  'ktb-business-mt940.txt': 'mt940',
  'iso-camt053.xml': 'camt053',
  'krungsri-statementinquiry.csv': 'krungsri-inquiry',
}
/** What these exports do not tell. */
const WITHOUT_BALANCE = ['kbank-recent-transaction.csv', 'ktb-business-mt940.txt', 'iso-camt053.xml']

const factsOf = ({ lines }: Pick<ReturnType<typeof parseStatement>, 'lines'>) =>
  lines.map(({ date, time, amountSatang, balanceSatang }) => [date, time, amountSatang, balanceSatang] as const)

test('there is a sample of every layout, and none was forgotten', () => {
  expect(readdirSync(folder).filter(name => name !== 'expected.json')).toEqual([...names].sort())
  expect(new Set(names.map(name => LAYOUT_OF[name]))).toEqual(new Set(LAYOUTS))
})

test.each(names)('%s is read whole and proves itself', name => {
  const { encoding, lines } = expected[name]!
  const read = parseStatement(sample(name), { now })
  expect(read).toMatchObject({ layout: LAYOUT_OF[name], problems: [], problemCount: 0 })
  expect(read.encoding).toBe(encoding === 'cp874' ? 'windows-874' : encoding.replace(' + BOM', ''))
  expect(factsOf(read)).toEqual(
    lines.map(({ at, satang, balanceSatang }) => [
      at.slice(0, 10),
      at.length > 10 ? at.slice(11, -'+07:00'.length) : null,
      satang,
      WITHOUT_BALANCE.includes(name) ? null : balanceSatang,
    ]),
  )
  expect(read.checks.map(check => check.ok)).toEqual(Array(read.checks.length).fill(true))
  expect(read.checks.length).toBeGreaterThan(name.startsWith('kbank-recent') ? -1 : 0)
  expect(columnMapping.parse(read.mapping)).toEqual(read.mapping)
  expect(read.preview).toHaveLength(Math.min(read.rowCount, PREVIEW_ROWS))
})

test('who sent the money, where the bank tells', () => {
  const senderOf = (name: string, index: number) => {
    const { fromBank, fromAccount } = parseStatement(sample(name), { now }).lines[index]!
    return [fromBank, fromAccount]
  }
  expect(senderOf('kbank-deposit-statement-th.csv', 0)).toEqual(['004', 'x1234'])
  expect(senderOf('kbank-deposit-statement-th.csv', 1)).toEqual(['014', 'x2345'])
  expect(senderOf('kbank-deposit-statement-en.csv', 3)).toEqual(['006', 'x3456'])
  expect(senderOf('kbank-recent-transaction.csv', 0)).toEqual(['004', null])
  expect(senderOf('scb-historical-statement.csv', 1)).toEqual(['004', 'x2345'])
  expect(senderOf('scb-easynet-pasted.txt', 1)).toEqual(['006', 'x2345'])
  expect(senderOf('bbl-ibanking-24h.csv', 1)).toEqual([null, '0942x345'])
  expect(senderOf('ktb-netbank-html.xls', 1)).toEqual(['014', '9999992345'])
  expect(senderOf('ktb-corporate-th.xlsx', 1)).toEqual(['014', '9999992345'])
  expect(senderOf('ktb-business-mt940.txt', 1)).toEqual(['014', '9999992345'])
  expect(senderOf('iso-camt053.xml', 1)).toEqual(['014', '9999992345'])
  // Two payers whose money was booked together.
  expect(senderOf('iso-camt053.xml', 4)).toEqual([null, null])
  expect(senderOf('krungsri-statementinquiry.csv', 1)).toEqual(['014', 'x2345x'])
  expect(senderOf('kbank-deposit-statement-th.csv', 2)).toEqual([null, null])
})

test('the digits of the account that the file names', () => {
  const digits = names.map(name => parseStatement(sample(name), { now }).lastDigits)
  expect(digits.filter(each => each === null)).toHaveLength(5)
  expect(parseStatement(sample('kbank-deposit-statement-en.csv'), { now }).lastDigits).toBe('9999')
  expect(parseStatement(sample('ktb-business-mt940.txt'), { now }).lastDigits).toBe('9999999999')
})

test('of several MT940 messages the newest may stand first', () => {
  const message = (day: number, from: number) =>
    `:20:X\n:25:123\n:60F:C2611${day}THB${from},\n:61:2611${day}C1,00NTRFX\n:62F:C2611${day}THB${from + 1},\n-`
  for (const messages of [
    [message(19, 2), message(18, 1)],
    [message(18, 1), message(19, 2)],
  ]) {
    const { lines, checks } = parseStatement(Buffer.from(messages.join('\n')), { now })
    expect([lines.map(({ date }) => date), checks.map(({ ok }) => ok)]).toEqual([['2026-11-18', '2026-11-19'], [true]])
  }
})

test('the English and the Thai file of one bank have the same keys', () => {
  const [thai, english] = ['th', 'en'].map(language =>
    lineKeys(parseStatement(sample(`kbank-deposit-statement-${language}.csv`), { now }).lines),
  )
  expect(thai).toEqual(english)
  expect(new Set(thai).size).toBe(10)
})

test.each(names)('%s cut anywhere in its second half never shows a line that is not in it', name => {
  const bytes = sample(name)
  const whole = factsOf(parseStatement(bytes, { now })).map(String)
  for (let length = Math.ceil(bytes.length / 2); length < bytes.length; length += name.endsWith('.xlsx') ? 97 : 7) {
    let read: ReturnType<typeof parseStatement>
    try {
      read = parseStatement(bytes.subarray(0, length), { now })
    } catch (error) {
      expect((error as { code: string }).code, `${length} bytes`).toMatch(/^STATEMENT_(CUT_OFF|UNREADABLE)$/)
      continue
    }
    if (read.problemCount > 0 || read.checks.some(check => !check.ok)) continue
    const lines = factsOf(read).map(String)
    // The newest are missing where the file begins with the oldest, and the other way round.
    const isPart = [whole.slice(0, lines.length), whole.slice(-lines.length)].some(
      part => String(part) === String(lines),
    )
    expect(isPart, `${length} bytes: ${lines.at(-1)}`).toBe(true)
  }
})

test('a file that states its sums is never taken for whole when rows are missing', () => {
  for (const name of ['kbank-deposit-statement-th.csv', 'kbank-deposit-statement-en.csv']) {
    const rows = sample(name).toString().split('\n')
    const { problems, checks } = parseStatement(Buffer.from(rows.slice(0, -4).join('\n')), { now })
    expect(problems).toEqual([])
    expect(checks.map(check => check.ok)).toEqual([true, false, false, false])
  }
})

test.each(names)("%s is refused by every other bank's mapping, row and column named", name => {
  const bytes = sample(name)
  for (const other of names.filter(each => LAYOUT_OF[each] !== LAYOUT_OF[name])) {
    const mapping = layoutMapping(LAYOUT_OF[other]!, readGrid(sample(other)).rows)!
    const { problems, lines } = parseStatement(bytes, { now, mapping })
    expect(problems[0], other).toMatchObject({ rowNumber: expect.any(Number), message: expect.any(String) })
    if (mapping.headerRow !== null) expect(lines, other).toEqual([])
  }
})

const UNKNOWN = Buffer.from('Bank X\nDay;What;Money\n18.11.2026;a;5,00\n19.11.2026;b;6.00\n')
const SAVED: ColumnMapping = {
  ...layoutMapping('krungsri-inquiry', [['18/11/2026 08:05', '', '5', '5.00', 'TN', '', '', '']])!,
  headerRow: 1,
  header: ['Day', 'What', 'Money'],
  amount: { style: 'signed', column: 2 },
  balanceColumn: null,
  detailColumns: [1],
  channelColumn: null,
}

test('an unknown file has no lines but a place to begin; with what was pointed out it is read', () => {
  const unknown = parseStatement(UNKNOWN, { now })
  expect(unknown).toMatchObject({ layout: null, mapping: null, lines: [], problems: [], rowCount: 4 })
  expect(unknown.preview[2]).toEqual(['18.11.2026', 'a', '5,00'])
  const { problems } = parseStatement(UNKNOWN, { now, mapping: SAVED })
  expect(problems).toMatchObject([{ rowNumber: 3, column: 'Money', code: 'AMOUNT_INVALID' }])
})

test('a saved mapping is found by its headings wherever they stand, and goes before a known layout', () => {
  const later = Buffer.from('Bank X\nPage 1\n DAY ;What;Money;\n18.11.2026;a;5.00\n19.11.2026;b;6.00\n')
  const other = { ...SAVED, header: ['Day', 'What', 'Cash'] }
  const read = parseStatement(later, { now, saved: [other, SAVED] })
  expect(read).toMatchObject({ layout: null, mapping: SAVED, problems: [] })
  expect(read.lines.map(line => line.amountSatang)).toEqual([500, 600])
  expect(read.headerHash).toBe(headerHash(SAVED))
  expect(parseStatement(later, { now, saved: [other] }).mapping).toBeNull()
  const known = parseStatement(sample('scb-easynet-pasted.txt'), { now })
  const own = { ...known.mapping!, detailColumns: [] }
  expect(parseStatement(sample('scb-easynet-pasted.txt'), { now, saved: [own] })).toMatchObject({
    layout: null,
    mapping: own,
  })
})

test('a cell without end is shown cut, and still found as a heading', () => {
  const bytes = Buffer.from(`Day,What ${'x'.repeat(900)},Money\n18.11.2026,a,5.00\n`)
  const { preview } = parseStatement(bytes, { now })
  expect(preview[0]![1]).toHaveLength(200)
  const mapping = columnMapping.parse({ ...SAVED, headerRow: 0, header: preview[0] })
  expect(parseStatement(bytes, { now, saved: [mapping] }).lines).toHaveLength(1)
})

test('headings are one whatever their blanks, capitals and empty ends; none have no hash', () => {
  expect(headerHash({ header: [' Day', 'MONEY\n', '', ''] })).toBe(headerHash({ header: ['day', 'money'] }))
  expect(headerHash({ header: ['day', 'money'] })).not.toBe(headerHash({ header: ['daymoney'] }))
  expect(headerHash({ header: ['', ' '] })).toBeNull()
})

test('years of both eras in a real layout: the row and its column are named', () => {
  const text = sample('kbank-recent-transaction.csv').toString().replace('2026-11-19 18:20:05', '2569-11-19 18:20:05')
  const { problems } = parseStatement(Buffer.from(text), { now })
  expect(problems).toMatchObject([{ rowNumber: 7, column: 'Transaction Date', code: 'DATE_MIXED_ERA' }])
})

test('a file with dollars, a formula and three decimals names each cell', () => {
  const text = sample('bbl-ibanking-24h.csv')
    .toString()
    .replace('"100.07 THB"', '"100.07 USD"')
    .replace('"59.03 THB"', '=59+0.03')
    .replace('"299.11 THB"', '299.115')
  const { problems } = parseStatement(Buffer.from(text), { now })
  expect(problems.map(({ rowNumber, column, code }) => [rowNumber, column, code])).toEqual([
    [4, 'Credit Amount', 'AMOUNT_FOREIGN'],
    [5, 'Credit Amount', 'AMOUNT_FORMULA'],
    [7, 'Credit Amount', 'AMOUNT_DECIMALS'],
  ])
})

test('every layout names its bank', () => {
  const isOfAll = (name: LayoutName) => name === 'camt053'
  expect(LAYOUTS.filter(name => !/^\d{3}$/.test(LAYOUT[name].bank ?? '') && !isOfAll(name))).toEqual([])
  expect(LAYOUTS.filter(name => LAYOUT[name].name === '')).toEqual([])
})
