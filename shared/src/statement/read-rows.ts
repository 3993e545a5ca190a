import type { Satang } from '../money.ts'
import { type CellAmount, readAmount } from './cell-amount.ts'
import { type DateReading, dayOf, decideReading, timeOf, type WrittenDate, writtenDate } from './cell-date.ts'
import { columnLetter, plain, sameText } from './cell-text.ts'
import { bankCode, counterpartyIn, visibleAccount } from './counterparty.ts'
import { accountOf, isSameAccount } from './file-account.ts'
import { type AmountMapping, type ColumnMapping, PREVIEW_ROWS, type Rows, shownCells } from './mapping.ts'
import { type Check, findSums, isProofRow, proofOf } from './proof.ts'
import { type ProblemCode, type RowProblem, rowProblem } from './row-problem.ts'

/** A movement on the account. */
export interface ReadLine {
  /** Counted as in a spreadsheet: 1 is the first row of the file. */
  rowNumber: number
  /** Bangkok day, "YYYY-MM-DD". */
  date: string
  /** "HH:MM:SS", or "HH:MM" when the bank gives no seconds; null when it gives no time. */
  time: string | null
  /** Positive for money in; never zero. */
  amountSatang: Satang
  /** The balance after the movement. */
  balanceSatang: Satang | null
  detail: string
  /** For money in: the 3-digit code of the sender's bank, and the visible digits of their account ("x1234"). */
  fromBank: string | null
  fromAccount: string | null
  channel: string | null
}

export interface ReadRows {
  /** Oldest first, whatever the order in the file. They must not be used while there are problems. */
  lines: ReadLine[]
  /** The first hundred problems, in the order of the rows. */
  problems: RowProblem[]
  problemCount: number
  checks: Check[]
  /** The visible digits at the end of the account number that the file names. */
  lastDigits: string | null
}

const MOST_PROBLEMS = 100
const MOST_DETAIL = 500

export interface ReadOptions {
  now: Date
  /** The account whose rows are read from a file with several accounts; without it such a file is a problem. */
  account?: string
}

/** A row of the table that is becoming a line. */
interface Movement {
  index: number
  cells: readonly string[]
  written: WrittenDate
  amountSatang: Satang
  balanceSatang: Satang | null
}

/** Reads the rows of a file by a mapping. A preview and the import itself both use it. */
export function readRows(rows: Rows, mapping: ColumnMapping, { now, account }: ReadOptions): ReadRows {
  const problems: RowProblem[] = []
  const report: Report = (code, index, column, value) =>
    problems.push(rowProblem(code, index + 1, column === null ? null : columnName(mapping, column), value))
  const top = findTop(rows, mapping)
  if (top === null) {
    report('HEADER_NOT_FOUND', mapping.headerRow ?? 0, null)
    return { lines: [], problems, problemCount: 1, checks: [], lastDigits: null }
  }
  const { table, aside } = divide(rows, top, mapping)
  const own = ownRows(table, mapping, account, report)
  findCut(own, mapping.header, report)
  if (own.length === 0) report('NO_LINES', Math.max(top - 1, 0), null)
  const moving = own.filter((_, at) => !isStill(own, at, mapping))
  const movements = moving.flatMap(row => readMovement(row, mapping, report) ?? [])
  const reading = decideReading(
    movements.map(movement => movement.written),
    mapping.date,
  )
  const timed = movements.flatMap(movement => readMoment(movement, mapping, reading, now, report) ?? [])
  const isTurned = isNewestFirst(timed)
  const oldestFirst = isTurned ? timed.reverse() : timed
  // Of several statements in one file the oldest opens it, wherever that stands.
  const below = findSums(isTurned ? aside.toReversed() : aside, mapping.balanceColumn)
  const sums = { ...findSums(rows.slice(0, top), null), ...below }
  if (mapping.amount.style === 'balance')
    giveDirections(oldestFirst, sums.opening?.satang, mapping.amount.column, report)
  const lines = oldestFirst.map(({ movement, ...moment }) => lineOf(movement, moment, mapping))
  const { digits, checks } = accountOf(rows, mapping, top)
  problems.sort((a, b) => a.rowNumber - b.rowNumber)
  return {
    lines,
    problems: problems.slice(0, MOST_PROBLEMS),
    problemCount: problems.length,
    checks: problems.length > 0 ? checks : [...proofOf(lines, sums), ...dateChecks(reading), ...checks],
    lastDigits: digits,
  }
}

/** `index` and `column` count from 0. */
type Report = (code: ProblemCode, index: number, column: number | null, value?: string) => void

const cellOf = (cells: readonly string[], column: number | null) => (column === null ? '' : plain(cells[column] ?? ''))

function columnName({ header }: ColumnMapping, column: number): string {
  return plain(header[column] ?? '') || columnLetter(column)
}

/** Tells whether a row has these headings; empty cells at its end are ignored. */
function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  const [own, wanted] = [shownCells(cells), shownCells(header)]
  const length = Math.max(own.length, wanted.length)
  return Array.from({ length }, (_, i) => i).every(i => sameText(own[i] ?? '') === sameText(wanted[i] ?? ''))
}

/** Returns the index of the first row of the table; null when its headings are not in the file. */
export function findTop(rows: Rows, { headerRow, header }: ColumnMapping): number | null {
  if (headerRow === null) return 0
  if (isHeader(rows[headerRow] ?? [], header)) return headerRow + 1
  const found = rows.slice(0, PREVIEW_ROWS).findIndex(cells => isHeader(cells, header))
  return found < 0 ? null : found + 1
}

interface TableRow {
  index: number
  cells: readonly string[]
}

/** Separates the rows of movements from the other rows, which may contain sums that prove them. */
function divide(rows: Rows, top: number, mapping: ColumnMapping): { table: TableRow[]; aside: Rows } {
  const aside: (readonly string[])[] = []
  const table: TableRow[] = []
  const amounts = amountColumns(mapping.amount)
  for (const [offset, cells] of rows.slice(top).entries()) {
    // A text in place of the date makes the row a note; a part of a date makes it a damaged movement.
    const hasDate = /^\d/.test(cellOf(cells, mapping.date.column))
    const hasAmount = amounts.some(column => !isEmpty(readAmount(cells[column] ?? '')))
    const hasBalance = cellOf(cells, mapping.balanceColumn) !== ''
    const isMovement = hasDate && hasAmount
    const isAside =
      !(hasDate || hasAmount || hasBalance) ||
      (!isMovement && isProofRow(cells, mapping.skipRows)) ||
      isHeadingAgain(cells, mapping)
    if (isAside) aside.push(cells)
    else table.push({ index: top + offset, cells })
  }
  return { table, aside }
}

/** Tells whether a row repeats the headings, as pages of a printed file do. One cell is compared first, for speed. */
function isHeadingAgain(cells: readonly string[], { headerRow, header, date }: ColumnMapping): boolean {
  return headerRow !== null && cells[date.column] === header[date.column] && isHeader(cells, header)
}

const isEmpty = (amount: CellAmount) => 'satang' in amount && amount.satang === null

/** Returns the rows of the wanted account from a file with several accounts. */
function ownRows(table: TableRow[], mapping: ColumnMapping, account: string | undefined, report: Report): TableRow[] {
  const { accountColumn } = mapping
  if (accountColumn === null) return table
  const named = (row: TableRow) => cellOf(row.cells, accountColumn)
  if (account !== undefined) return table.filter(row => isSameAccount(named(row), account))
  const first = table[0] && named(table[0])
  const stranger = table.find(row => named(row) !== first)
  if (stranger) report('ACCOUNTS_MIXED', stranger.index, accountColumn, named(stranger))
  return table
}

/** Reports a last row with fewer cells than every row before it, or than the headings if it is the only row. */
function findCut(table: readonly TableRow[], header: readonly string[], report: Report): void {
  const last = table.at(-1)
  if (!last) return
  const before = table.length === 1 ? [header] : table.slice(0, -1).map(({ cells }) => cells)
  if (before.every(cells => cells.length > last.cells.length)) report('ROW_CUT_OFF', last.index, null)
}

/** A row without an amount whose balance is that of its neighbour moved nothing, as "Open Account" with 0.00 at either end. */
function isStill(table: readonly TableRow[], at: number, { amount, balanceColumn }: ColumnMapping): boolean {
  if (balanceColumn === null) return false
  const balanceOf = (row: TableRow | undefined) => {
    const balance = row ? readAmount(row.cells[balanceColumn] ?? '') : null
    return balance && 'satang' in balance ? balance.satang : null
  }
  const { cells } = table[at]!
  const balance = balanceOf(table[at])
  if (balance === null || amountColumns(amount).some(column => !isEmpty(readAmount(cells[column] ?? '')))) return false
  const [before, after] = [table[at - 1], table[at + 1]]
  return [before, after].some(row => (row ? balanceOf(row) === balance : balance === 0))
}

/** Returns null when something is wrong, or when no money moved. */
function readMovement({ index, cells }: TableRow, mapping: ColumnMapping, report: Report): Movement | null {
  const dateCell = cells[mapping.date.column] ?? ''
  const written = writtenDate(dateCell, mapping.date)
  if (!written) report('DATE_INVALID', index, mapping.date.column, plain(dateCell))
  const amount = amountIn(cells, mapping.amount)
  if ('problem' in amount) report(amount.problem, index, amount.column, cellOf(cells, amount.column))
  const balance: CellAmount =
    mapping.balanceColumn === null ? { satang: null } : readAmount(cells[mapping.balanceColumn] ?? '')
  if ('problem' in balance) report(balance.problem, index, mapping.balanceColumn, cellOf(cells, mapping.balanceColumn))
  else if (balance.satang === null && mapping.balanceColumn !== null)
    report('BALANCE_MISSING', index, mapping.balanceColumn)
  if (!written || 'problem' in amount || 'problem' in balance || amount.satang === 0) return null
  return { index, cells, written, amountSatang: amount.satang, balanceSatang: balance.satang }
}

function amountColumns(amount: AmountMapping): number[] {
  return amount.style === 'two-columns' ? [amount.deposit, amount.withdrawal] : [amount.column]
}

type FoundAmount = { satang: Satang } | { problem: ProblemCode; column: number }

/** Returns the signed amount of a row; with the style `balance` its sign may still be unknown. */
function amountIn(cells: readonly string[], mapping: AmountMapping): FoundAmount {
  if (mapping.style === 'two-columns') return amountOfTwo(cells, mapping)
  const { column } = mapping
  const amount = readAmount(cells[column] ?? '')
  if ('problem' in amount) return { ...amount, column }
  if (amount.satang === null) return { problem: 'AMOUNT_MISSING', column }
  if (mapping.style !== 'direction') return { satang: amount.satang }
  const word = sameText(cells[mapping.directionColumn] ?? '')
  if (mapping.outWords.some(each => sameText(each) === word)) return { satang: 0 - Math.abs(amount.satang) }
  if (!mapping.inWords.some(each => sameText(each) === word))
    return { problem: 'DIRECTION_UNKNOWN', column: mapping.directionColumn }
  return amount.satang < 0 ? { problem: 'DEPOSIT_NEGATIVE', column } : { satang: amount.satang }
}

function amountOfTwo(cells: readonly string[], mapping: Extract<AmountMapping, { style: 'two-columns' }>): FoundAmount {
  const [deposit, withdrawal] = [readAmount(cells[mapping.deposit] ?? ''), readAmount(cells[mapping.withdrawal] ?? '')]
  if ('problem' in deposit) return { ...deposit, column: mapping.deposit }
  if ('problem' in withdrawal) return { ...withdrawal, column: mapping.withdrawal }
  if (deposit.satang === null && withdrawal.satang === null)
    return { problem: 'AMOUNT_MISSING', column: mapping.deposit }
  const [into, out] = [deposit.satang ?? 0, withdrawal.satang ?? 0]
  if (into < 0) return { problem: 'DEPOSIT_NEGATIVE', column: mapping.deposit }
  if (into !== 0 && out !== 0) return { problem: 'AMOUNT_BOTH', column: mapping.withdrawal }
  return { satang: into - Math.abs(out) }
}

interface Moment {
  date: string
  time: string | null
}
type Timed = Moment & { movement: Movement }

function readMoment(
  movement: Movement,
  mapping: ColumnMapping,
  reading: DateReading,
  now: Date,
  report: Report,
): Timed | null {
  const { index, cells, written } = movement
  const { column } = mapping.date
  const day = dayOf(written, reading, now)
  if ('problem' in day) report(day.problem, index, column, cellOf(cells, column))
  // Some banks write the value date where others write the time; then there is no time.
  const timeCell = cellOf(cells, mapping.timeColumn)
  const time = timeOf(mapping.timeColumn === null ? written.rest : writtenDate(timeCell, mapping.date) ? '' : timeCell)
  if ('problem' in time) report(time.problem, index, mapping.timeColumn ?? column, timeCell || cellOf(cells, column))
  return 'problem' in day || 'problem' in time ? null : { movement, date: day.day, time: time.time }
}

/** Decides by date and time; when all rows have the same moment, by the direction in which balances follow. */
function isNewestFirst(timed: readonly Timed[]): boolean {
  const moments = timed.map(({ date, time }) => `${date} ${time ?? ''}`)
  const [first, last] = [moments[0] ?? '', moments.at(-1) ?? '']
  if (first !== last) return first > last
  const chained = (earlier: Movement, later: Movement) =>
    Math.abs((later.balanceSatang ?? 0) - (earlier.balanceSatang ?? 0)) === Math.abs(later.amountSatang)
  const pairs = timed.slice(1).map((later, i) => [timed[i]!.movement, later.movement] as const)
  const down = pairs.filter(([upper, lower]) => chained(upper, lower)).length
  return pairs.filter(([upper, lower]) => chained(lower, upper)).length > down
}

/** Gives amounts without a sign the one that the balances before and after them prove. */
function giveDirections(oldestFirst: readonly Timed[], opening: Satang | undefined, column: number, report: Report) {
  if (oldestFirst.some(({ movement }) => movement.amountSatang < 0)) return
  let before = opening
  for (const { movement } of oldestFirst) {
    const change = before === undefined ? null : movement.balanceSatang! - before
    if (change === null || Math.abs(change) !== movement.amountSatang)
      report('DIRECTION_NOT_PROVEN', movement.index, column)
    else movement.amountSatang = change
    before = movement.balanceSatang!
  }
}

function lineOf(movement: Movement, moment: Moment, mapping: ColumnMapping): ReadLine {
  const { index, cells, amountSatang, balanceSatang } = movement
  const detail = mapping.detailColumns.map(column => cellOf(cells, column)).filter(text => text !== '')
  const text = detail.join(' ').slice(0, MOST_DETAIL)
  const sender = amountSatang > 0 ? counterpartyIn(text, mapping.bank) : { bank: null, account: null }
  const isIn = amountSatang > 0
  return {
    rowNumber: index + 1,
    ...moment,
    amountSatang,
    balanceSatang,
    detail: text,
    fromBank: (isIn && bankCode(cellOf(cells, mapping.fromBankColumn))) || sender.bank,
    fromAccount: (isIn && visibleAccount(cellOf(cells, mapping.fromAccountColumn))) || sender.account,
    channel: cellOf(cells, mapping.channelColumn) || null,
  }
}

function dateChecks({ order, isOrderTurned, isOrderDoubtful }: DateReading): Check[] {
  const name = order === 'mdy' ? 'เดือน/วัน/ปี' : 'วัน/เดือน/ปี'
  if (isOrderTurned)
    return [{ ok: false, text: `วันที่ในไฟล์อ่านเป็น ${name} เพราะมีเลขเกิน 12 ไฟล์อาจถูกบันทึกใหม่จากโปรแกรมตาราง` }]
  if (isOrderDoubtful)
    return [{ ok: false, text: `วันที่ในไฟล์อ่านได้สองแบบ อ่านเป็น ${name} กรุณาตรวจก่อนนำเข้า หรือใช้ไฟล์จากธนาคารโดยตรง` }]
  return []
}
