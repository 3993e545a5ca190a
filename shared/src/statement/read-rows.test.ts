import { expect, test } from 'vitest'
import { type ColumnMapping, columnMapping } from './mapping.ts'
import { readRows } from './read-rows.ts'

const now = new Date('2026-11-21T05:00:00Z')
const HEADER = ['วันที่', 'เวลา', 'รายการ', 'ถอน', 'ฝาก', 'คงเหลือ', '']

const TWO: ColumnMapping = {
  headerRow: 0,
  header: HEADER,
  date: { column: 0, order: 'dmy', era: 'CE' },
  timeColumn: 1,
  amount: { style: 'two-columns', withdrawal: 3, deposit: 4 },
  balanceColumn: 5,
  detailColumns: [2],
  channelColumn: 6,
  fromBankColumn: null,
  fromAccountColumn: null,
  accountColumn: null,
  bank: '004',
  skipRows: [],
}
const SIGNED: ColumnMapping = { ...TWO, amount: { style: 'signed', column: 4 }, balanceColumn: null }

const read = (rows: string[][], mapping: ColumnMapping = TWO, account?: string) =>
  readRows([HEADER, ...rows], mapping, { now, account })
/** A row of the table: day of November, withdrawal, deposit, balance. */
const row = (day: string, out: string, into: string, balance: string, detail = 'โอน', time = '08:05') => [
  /^\d+$/.test(day) ? `${day}/11/2026` : day,
  time,
  detail,
  out,
  into,
  balance,
  'ATM',
]
const problemsOf = (rows: string[][], mapping?: ColumnMapping) =>
  read(rows, mapping).problems.map(({ rowNumber, column, code }) => [rowNumber, column, code])
const amountsOf = (rows: string[][], mapping?: ColumnMapping) =>
  read(rows, mapping).lines.map(line => line.amountSatang)

test('a row becomes a line', () => {
  const { lines, problems, problemCount } = read([row('18', '', '100.07', '100.07', 'จาก  SCB X2345 นาย ก')])
  expect({ problems, problemCount }).toEqual({ problems: [], problemCount: 0 })
  expect(lines).toEqual([
    {
      rowNumber: 2,
      date: '2026-11-18',
      time: '08:05',
      amountSatang: 10_007,
      balanceSatang: 10_007,
      detail: 'จาก SCB X2345 นาย ก',
      fromBank: '014',
      fromAccount: 'x2345',
      channel: 'ATM',
    },
  ])
})

test('money out has no sender', () => {
  const [line] = read([row('18', '5', '', '0', 'จาก SCB X2345 นาย ก')]).lines
  expect(line).toMatchObject({ amountSatang: -500, fromBank: null, fromAccount: null })
})

test('sender columns come before what the details say', () => {
  const mapping = { ...SIGNED, fromBankColumn: 5, fromAccountColumn: 6 }
  const rows = [
    ['18/11/2026', '', 'จาก SCB X2345', '', '5', 'KTB', 'XXX-9999'],
    ['18/11/2026', '', 'จาก SCB X2345', '', '5', '', ''],
  ]
  expect(read(rows, mapping).lines.map(line => [line.fromBank, line.fromAccount])).toEqual([
    ['006', 'x9999'],
    ['014', 'x2345'],
  ])
})

test('deposits and withdrawals, a withdrawal with or without minus', () => {
  expect(
    amountsOf([
      row('18', '5', '', '0'),
      row('18', '-5', '', '0'),
      row('18', '0.00', '7', '0'),
      row('18', '5', '0.00', '0'),
    ]),
  ).toEqual([-500, -500, 700, -500])
})

test('one signed column; nothing moved is no line', () => {
  expect(amountsOf([row('18', '', '5', ''), row('18', '', '(5)', ''), row('18', '', '0.00', '')], SIGNED)).toEqual([
    500, -500,
  ])
})

test('a direction by words', () => {
  const mapping: ColumnMapping = {
    ...SIGNED,
    amount: { style: 'direction', column: 4, directionColumn: 3, inWords: ['CR', 'เข้า'], outWords: ['DR'] },
  }
  expect(
    amountsOf(
      [row('18', 'cr', '5', ''), row('18', 'เข้า ', '6', ''), row('18', 'DR', '7', ''), row('18', 'DR', '-8', '')],
      mapping,
    ),
  ).toEqual([500, 600, -700, -800])
  expect(problemsOf([row('18', 'XX', '5', ''), row('18', '', '5', ''), row('18', 'CR', '-5', '')], mapping)).toEqual([
    [2, 'ถอน', 'DIRECTION_UNKNOWN'],
    [3, 'ถอน', 'DIRECTION_UNKNOWN'],
    [4, 'ฝาก', 'DEPOSIT_NEGATIVE'],
  ])
})

test('a direction by the balance, from the opening on, whichever way the file stands', () => {
  const mapping: ColumnMapping = { ...TWO, amount: { style: 'balance', column: 4 } }
  const rows = [
    ['', '', 'ยอดยกมา', '', '', '100.00', ''],
    row('18', '', '5', '105.00'),
    row('18', '', '5', '100.00'),
    row('19', '', '7', '107.00'),
  ]
  expect(amountsOf(rows, mapping)).toEqual([500, -500, 700])
  const newestFirst = [rows[0]!, rows[3]!, rows[2]!, rows[1]!]
  expect(amountsOf(newestFirst, mapping)).toEqual([500, -500, 700])
  expect(problemsOf(rows.slice(1), mapping)).toEqual([[2, 'ฝาก', 'DIRECTION_NOT_PROVEN']])
  expect(problemsOf([...rows, row('19', '', '7', '99.00')], mapping)).toEqual([[6, 'ฝาก', 'DIRECTION_NOT_PROVEN']])
  // One minus tells that the bank writes signs: then the balance is not asked.
  expect(amountsOf([row('18', '', '5', '105.00'), row('18', '', '-5', '100.00')], mapping)).toEqual([500, -500])
  expect(columnMapping.safeParse({ ...mapping, balanceColumn: null }).success).toBe(false)
})

test('what is wrong names row, column, and what stands there', () => {
  expect(
    problemsOf([
      row('18', '', '1.234', '0'),
      row('18', '', 'USD 5', '0'),
      row('18', '=1+1', '', '0'),
      row('18', '', '5', '-'),
      row('18', '', '5', '1.2E+3'),
      row('18', '5', '5', '0'),
      row('18', '', '', '1'),
      row('18', '', '-5', '0'),
      row('31', '', '5', '0'),
      row('30', '', '5', '0'),
      row('18/11/2569', '', '5', '0'),
      row('', '', '5', '0'),
      row('18', '', '5', '0', '', '25:00'),
      row('18', '', 'x', 'y', '', ''),
    ]),
  ).toEqual([
    [2, 'ฝาก', 'AMOUNT_DECIMALS'],
    [3, 'ฝาก', 'AMOUNT_FOREIGN'],
    [4, 'ถอน', 'AMOUNT_FORMULA'],
    [5, 'คงเหลือ', 'BALANCE_MISSING'],
    [6, 'คงเหลือ', 'AMOUNT_INVALID'],
    [7, 'ถอน', 'AMOUNT_BOTH'],
    [8, 'ฝาก', 'AMOUNT_MISSING'],
    [9, 'ฝาก', 'DEPOSIT_NEGATIVE'],
    [10, 'วันที่', 'DATE_INVALID'],
    [11, 'วันที่', 'DATE_FUTURE'],
    [12, 'วันที่', 'DATE_MIXED_ERA'],
    [13, 'วันที่', 'DATE_INVALID'],
    [14, 'เวลา', 'TIME_INVALID'],
    [15, 'ฝาก', 'AMOUNT_INVALID'],
    [15, 'คงเหลือ', 'AMOUNT_INVALID'],
  ])
  const [problem] = read([row('18', '', 'USD 5', '0')]).problems
  expect(problem?.message).toContain('"USD 5"')
  // Without headings the letter names it.
  const [bare] = readRows([row('18', '', 'USD 5', '0')], { ...TWO, headerRow: null, header: [] }, { now }).problems
  expect(bare).toMatchObject({ rowNumber: 1, column: 'E' })
})

test('a broken file shows a hundred problems and counts all, in the order of the file', () => {
  const { problems, problemCount, lines } = read(Array.from({ length: 150 }, () => row('18', '', 'x', '0')))
  expect([problems.length, problemCount, lines.length]).toEqual([100, 150, 0])
  expect(problems.map(problem => problem.rowNumber)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2))
})

test('times: behind the date, missing, or a day where the time should be', () => {
  const sameCell = { ...TWO, timeColumn: null }
  expect(read([row('18/11/2026 23:59:58', '', '5', '0')], sameCell).lines[0]?.time).toBe('23:59:58')
  expect(read([row('18', '', '5', '0')], sameCell).lines[0]?.time).toBeNull()
  expect(read([row('18', '', '5', '0', '', '')]).lines[0]?.time).toBeNull()
  expect(read([row('18', '', '5', '0', '', '18-11-26')]).lines[0]?.time).toBeNull()
  expect(problemsOf([row('18/11/2026 25:00', '', '5', '0')], sameCell)).toEqual([[2, 'วันที่', 'TIME_INVALID']])
})

test('rows between the movements are left out; a row with date and amount never is', () => {
  const mapping = { ...TWO, skipRows: ['หมายเหตุ'] }
  const { lines, problems } = read(
    [
      ['', '', 'ยอดยกมา', '', '', '95.00', ''],
      row('18', '', '5', '100.00'),
      ['', '', '', '', '', '', ''],
      [],
      HEADER,
      ['ออกโดยระบบ'],
      ['', '', 'Total', '0.00', '10.00', '', ''],
      ['หมายเหตุ 1', '', '', '', '10.00', '', ''],
      ['18/11/2026', '', 'หมายเหตุ', '', '', '100.00', ''],
      row('19', '', '5', '105.00', 'ยอดยกมา'),
    ],
    mapping,
  )
  expect(problems).toEqual([])
  expect(lines.map(line => line.rowNumber)).toEqual([3, 11])
})

test('lines come oldest first, by time, else by how balances chain', () => {
  const up = [row('18', '', '5', '5', '', ''), row('18', '', '6', '11', '', ''), row('18', '', '7', '18', '', '')]
  expect(amountsOf(up)).toEqual([500, 600, 700])
  expect(amountsOf(up.toReversed())).toEqual([500, 600, 700])
  const byTime = [row('18', '', '6', '0', '', '09:00'), row('18', '', '5', '0', '', '08:00')]
  expect(amountsOf(byTime)).toEqual([500, 600])
  expect(amountsOf(byTime.toReversed())).toEqual([500, 600])
})

test('the headings are found where other rows stand above them; another bank has others', () => {
  const rows = [['ธนาคาร'], [], HEADER.slice(0, 6), row('18', '', '5', '5')]
  expect(readRows(rows, TWO, { now }).lines[0]?.rowNumber).toBe(4)
  const other = [
    ['Date', 'Amount'],
    ['18/11/2026', '5.00'],
  ]
  const { lines, problems } = readRows(other, TWO, { now })
  expect(lines).toEqual([])
  expect(problems).toMatchObject([{ rowNumber: 1, column: null, code: 'HEADER_NOT_FOUND' }])
})

test('a table without movements is a problem of its heading', () => {
  expect(problemsOf([])).toEqual([[1, null, 'NO_LINES']])
  expect(problemsOf([['', '', 'ยอดยกมา', '', '', '95.00', '']])).toEqual([[1, null, 'NO_LINES']])
})

test('half a row at the end', () => {
  expect(problemsOf([row('18', '', '5', '5'), row('18', '', '5', '10').slice(0, 6)])).toEqual([
    [3, null, 'ROW_CUT_OFF'],
  ])
  expect(problemsOf([row('18', '', '5', '5').slice(0, 6)])).toEqual([[2, null, 'ROW_CUT_OFF']])
  // Some files leave out empty cells at the end of any row.
  expect(problemsOf([row('18', '', '5', '5').slice(0, 6), row('18', '', '5', '10').slice(0, 6)])).toEqual([])
})

test('several accounts in one file: only the one asked for, else a problem', () => {
  const mapping = { ...SIGNED, accountColumn: 3 }
  const rows = [
    row('18', '111-1-11111-1', '5', ''),
    row('18', '222-2-22222-2', '6', ''),
    row('18', '111-1-11111-1', '7', ''),
  ]
  expect(problemsOf(rows, mapping)).toEqual([[3, 'ถอน', 'ACCOUNTS_MIXED']])
  expect(read(rows, mapping, '1111111111').lines.map(line => line.amountSatang)).toEqual([500, 700])
  expect(read(rows, mapping, '3333333333').problems).toMatchObject([{ code: 'NO_LINES' }])
  expect(read(rows.slice(0, 1), mapping)).toMatchObject({ problems: [], lastDigits: '1111111111' })
})

const checksOf = (rows: string[][], above: string[][] = [], mapping = TWO) =>
  readRows([...above, HEADER, ...rows], mapping, { now }).checks.map(({ ok }) => ok)

test('balances chain from the opening; what does not is shown with its row', () => {
  const opening = ['', '', 'ยอดยกมา', '', '', '95.00', '']
  const rows = [row('18', '', '5', '100.00'), row('19', '3', '', '97.00')]
  expect(checksOf([opening, ...rows])).toEqual([true])
  expect(checksOf([['', '', 'ยอดยกมา', '', '', '95.01', ''], ...rows])).toEqual([false])
  expect(checksOf(rows)).toEqual([true])
  const broken = readRows([HEADER, ...rows, row('20', '', '1', '98.01'), row('20', '', '1', '99.00')], TWO, { now })
  expect(broken.checks).toEqual([{ ok: false, text: expect.stringMatching(/แถว 4 .*98\.00.*98\.01.*อีก 1 แถว/) }])
  // Nothing to prove with.
  expect(checksOf(rows, [], SIGNED)).toEqual([])
})

test('sums above the table agree in amount, count, and closing', () => {
  const rows = [row('18', '', '5', '100.00'), row('19', '3', '', '97.00')]
  const sums = (closing: string, into: string, count: string, out = '3.00') => [
    ['', 'ยอดยกไป', '', '', closing],
    ['', 'รวมถอนเงิน', '1', 'รายการ', out],
    ['', 'รวมฝากเงิน', count, 'รายการ', into],
  ]
  expect(checksOf(rows, sums('97.00', '5.00', '1'))).toEqual([true, true, true, true])
  expect(checksOf(rows, sums('97.01', '5.00', '1'))).toEqual([true, false, true, true])
  expect(checksOf(rows, sums('97.00', '5.01', '1'))).toEqual([true, true, false, true])
  expect(checksOf(rows, sums('97.00', '5.00', '2'))).toEqual([true, true, false, true])
  expect(checksOf(rows, sums('97.00', '5.00', '1', '-3.00'))).toEqual([true, true, true, true])
  expect(checksOf(rows, sums('97.00', '5.00', '1', '3.01'))).toEqual([true, true, true, false])
})

test('without balances the closing is opening and movements together', () => {
  const above = (closing: string) => [
    ['Opening Balance', '10.00'],
    ['Closing Balance', closing],
  ]
  const rows = [row('18', '', '5', ''), row('18', '', '-3', '')]
  expect(checksOf(rows, above('12.00'), SIGNED)).toEqual([true])
  expect(checksOf(rows, above('12.01'), SIGNED)).toEqual([false])
})

test('a file that a spreadsheet saved again says how its dates were read', () => {
  const ofDays = (days: string[]) =>
    checksOf(
      days.map(day => row(day, '', '5', '')),
      [],
      SIGNED,
    )
  expect(ofDays(['6/10/2026', '7/10/2026'])).toEqual([false])
  expect(ofDays(['10/6/2026', '10/13/2026'])).toEqual([false])
  expect(ofDays(['6/10/2026', '13/10/2026'])).toEqual([])
})

test('a row without an amount moves nothing where its balance is the one beside it, and hides nothing elsewhere', () => {
  const opened = row('1', '', '', '0.00', 'Open Account')
  const [first, second] = [row('2', '', '100.00', '100.00'), row('3', '40.00', '', '60.00')]
  const note = row('2', '', '', '100.00', 'แจ้งเปลี่ยนที่อยู่')
  expect(read([opened, first, note, second])).toMatchObject({ lines: { length: 2 }, problems: [] })
  expect(read([second, note, first, opened])).toMatchObject({ lines: { length: 2 }, problems: [] })
  // A movement whose amount was lost.
  expect(problemsOf([first, row('2', '', '', '90.00'), second])).toEqual([[3, 'ฝาก', 'AMOUNT_MISSING']])
  expect(problemsOf([row('1', '', '', '50.00'), first])).toEqual([[2, 'ฝาก', 'AMOUNT_MISSING']])
  const lost = read([first, row('2', '', '', '60.00'), row('3', '', '', '60.00'), row('4', '', '10.00', '70.00')])
  expect(lost.problems.length + lost.checks.filter(({ ok }) => !ok).length).toBeGreaterThan(0)
})
