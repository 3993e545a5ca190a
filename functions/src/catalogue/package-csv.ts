import { PAYMENT_METHOD, PRICE_CODES, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { type PriceEdit, priceProblem } from '@shop/shared/catalogue/price-editing.ts'
import { AppError } from '@shop/shared/errors.ts'
import { line } from '@shop/shared/line.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { parse } from 'csv-parse/sync'
import type * as z from 'zod'
import { textOfCell } from '../http/csv.ts'
import { completePrice } from './package-changes.ts'
import type { StoredPrice } from './package-store.ts'

/**
 * The columns of the package file; docs/decisions lists the allowed content of each. A payment method whose cells are
 * all empty stays as it is.
 */
const PRICE_COLUMNS = ['price', 'start', 'end', 'active', 'next_price', 'next_day'] as const
const PRICE_CELLS = PRICE_CODES.flatMap(payment => PRICE_COLUMNS.map(column => `${payment}_${column}` as const))
export const PACKAGE_COLUMNS = ['game', 'id', 'version', 'name', 'desc', 'active', ...PRICE_CELLS] as const
/** Columns that a file of only new packages may omit. */
const OPTIONAL_COLUMNS: readonly string[] = ['version'] satisfies (typeof PACKAGE_COLUMNS)[number][]
type PackageColumn = (typeof PACKAGE_COLUMNS)[number]
export type PackageCells = Record<PackageColumn, string>

/** A package as read from a line of the file; a new one has no id. */
export interface PackageRow {
  game: string
  id: number | null
  /** Version of the package that the line was made from; null when the file does not contain it. */
  version: number | null
  name: string
  desc: string
  isActive: boolean
  prices: StoredPrice[]
}

export interface CellProblem {
  column: PackageColumn
  problem: string
}

const NAME = line(100).min(1)
const DESC = line(500)

const number = (value: number | null) => (value === null ? '' : String(value))
const flag = (isOn: boolean) => (isOn ? 'TRUE' : 'FALSE')
/** Prices are whole baht. */
const baht = (satang: number | null) => (satang === null ? '' : String(satang / 100))

/** The cells of a package, by column. */
export function cellsOf({ game, id, version, name, desc, isActive, prices }: PackageRow): PackageCells {
  const cells = Object.fromEntries(PACKAGE_COLUMNS.map(column => [column, ''])) as PackageCells
  Object.assign(cells, { game, id: number(id), version: number(version), name, desc, active: flag(isActive) })
  for (const { payment, ...price } of prices) {
    cells[`${payment}_price`] = baht(price.priceSatang)
    cells[`${payment}_start`] = price.startDay
    cells[`${payment}_end`] = price.endDay ?? ''
    cells[`${payment}_active`] = flag(price.isActive)
    cells[`${payment}_next_price`] = baht(price.nextPriceSatang)
    cells[`${payment}_next_day`] = price.nextDay ?? ''
  }
  return cells
}

const read = <T>(value: T | null, column: PackageColumn, problem: string, problems: CellProblem[]): T | null => {
  if (value === null) problems.push({ column, problem })
  return value
}

const readNumber = (cell: string): number | null => (/^[1-9]\d{0,8}$/.test(cell) ? Number(cell) : null)

const readFlag = (cell: string): boolean | null =>
  /^(true|1)$/i.test(cell) ? true : /^(false|0)$/i.test(cell) ? false : null

/** As spreadsheets write a day anew: "20/11/2026", or "11/20/2026". */
const WRITTEN_ANEW = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const DAY_CELLS = PRICE_CODES.flatMap(code =>
  (['start', 'end', 'next_day'] as const).map(each => `${code}_${each}` as const),
)

/** What stands first in the days of a file; null while nothing in it tells. */
export type DayOrder = 'day' | 'month' | null

/** A spreadsheet writes all days of a file in one way, and a number above twelve tells which. */
export function dayOrderOf(lines: readonly PackageLine[]): DayOrder {
  const days = lines.flatMap(({ cells }) => DAY_CELLS.map(column => WRITTEN_ANEW.exec(cells[column]) ?? []))
  const isAbove = (at: 1 | 2) => days.some(numbers => Number(numbers[at]) > 12)
  if (isAbove(1) === isAbove(2)) return null
  return isAbove(1) ? 'day' : 'month'
}

/** Whether a day can be meant as two. */
function isOpen(cell: string, order: DayOrder): boolean {
  const [, one, two] = (WRITTEN_ANEW.exec(cell) ?? []).map(Number)
  return order === null && one !== undefined && one !== two && one <= 12 && two! <= 12
}

/** Reads "2026-11-20" or, as spreadsheets write it, "20/11/2026"; null when it is no day of the calendar. */
function readDay(cell: string, order: DayOrder): string | null {
  const [, one, two, year] = WRITTEN_ANEW.exec(cell) ?? []
  const isMonthFirst = order === 'month' || (order === null && Number(two) > 12)
  const [day, month] = isMonthFirst ? [two, one] : [one, two]
  const text = year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : cell
  const time = Date.parse(`${text}T00:00:00Z`)
  const isDay = /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(time)
  return isDay && new Date(time).toISOString().startsWith(text) ? text : null
}

function readText(cell: string, schema: z.ZodType<string>, column: PackageColumn, problems: CellProblem[]): string {
  const parsed = schema.safeParse(cell)
  return read(parsed.success ? parsed.data : null, column, 'ว่าง ยาวเกินไป หรือมีอักขระที่ใช้ไม่ได้', problems) ?? ''
}

/** A price of a line; null when its cells are empty or wrong. */
function readPrice(
  cells: PackageCells,
  payment: PriceCode,
  order: DayOrder,
  problems: CellProblem[],
): StoredPrice | null {
  const cellOf = (column: (typeof PRICE_COLUMNS)[number]) => cells[`${payment}_${column}`]
  if (PRICE_COLUMNS.every(column => !cellOf(column))) return null
  const before = problems.length
  const optional = <T>(
    column: (typeof PRICE_COLUMNS)[number],
    reader: (cell: string) => T | null,
    problem: string,
  ): T | null => {
    const cell = cellOf(column)
    return cell === '' ? null : read(reader(cell), `${payment}_${column}`, problem, problems)
  }
  const wrongPrice = `กรุณาใส่ข้อมูลราคา ${PAYMENT_METHOD[payment].name} ให้ถูกต้อง`
  const day = (column: 'start' | 'end' | 'next_day') =>
    isOpen(cellOf(column), order)
      ? optional<string>(column, () => null, 'อ่านได้ทั้ง วัน/เดือน และ เดือน/วัน กรุณาเขียน ปี-เดือน-วัน เช่น 2026-11-20')
      : optional(column, cell => readDay(cell, order), 'ต้องเป็นวันที่ ปี-เดือน-วัน (ค.ศ.)')
  const edit: PriceEdit = {
    payment,
    priceSatang: optional('price', parseBaht, wrongPrice),
    startDay: day('start'),
    endDay: day('end'),
    isActive: optional('active', readFlag, 'ต้องเป็น TRUE หรือ FALSE') ?? false,
    nextPriceSatang: optional('next_price', parseBaht, wrongPrice),
    nextDay: day('next_day'),
  }
  const problem = problems.length === before ? priceProblem(edit) : null
  if (problem) problems.push({ column: `${payment}_price`, problem })
  return problems.length === before ? completePrice(edit) : null
}

/** Reads a line. When something is wrong, `row` holds only what could be read. */
export function readRow(
  { cells, isTooLong }: PackageLine,
  order: DayOrder,
): { row: PackageRow; problems: CellProblem[] } {
  const problems: CellProblem[] = isTooLong ? [{ column: 'game', problem: 'มีช่องมากกว่าหัวตาราง' }] : []
  const numberIn = (column: 'id' | 'version', problem: string) =>
    cells[column] === '' ? null : read(readNumber(cells[column]), column, problem, problems)
  const row = {
    game: cells.game,
    id: numberIn('id', 'ต้องเป็นรหัสแพ็กเกจ'),
    version: numberIn('version', 'ต้องเป็น version จากไฟล์ที่ดาวน์โหลด'),
    name: readText(cells.name, NAME, 'name', problems),
    desc: readText(cells.desc, DESC, 'desc', problems),
    isActive: read(readFlag(cells.active), 'active', 'ต้องเป็น TRUE หรือ FALSE', problems) ?? false,
    prices: PRICE_CODES.flatMap(payment => readPrice(cells, payment, order, problems) ?? []),
  }
  return { row, problems }
}

/** A line of a file. A line with more cells than columns can't be trusted and is refused. */
export interface PackageLine {
  line: number
  cells: PackageCells
  isTooLong: boolean
}

/**
 * Returns the lines of a file below its heading. @throws IMPORT_INVALID unless it has exactly these columns, in any
 * order
 */
export function readLines(csv: string): PackageLine[] {
  const [heading, ...rows] = parseCsv(csv)
  const columns = heading?.record ?? []
  const known = PACKAGE_COLUMNS.filter(column => columns.includes(column))
  const missing = PACKAGE_COLUMNS.filter(column => !columns.includes(column) && !OPTIONAL_COLUMNS.includes(column))
  if (known.length !== columns.length || missing.length > 0) throw new AppError('IMPORT_INVALID')
  const cellOf = (record: string[], column: PackageColumn) => textOfCell(record[columns.indexOf(column)] ?? '')
  return rows.map(({ info, record }) => ({
    line: info.lines,
    cells: Object.fromEntries(PACKAGE_COLUMNS.map(column => [column, cellOf(record, column)])) as PackageCells,
    isTooLong: record.length > columns.length,
  }))
}

function parseCsv(csv: string): { info: { lines: number }; record: string[] }[] {
  try {
    return parse(csv, { bom: true, trim: true, info: true, skip_empty_lines: true, relax_column_count: true }) as never
  } catch (cause) {
    throw Object.assign(new AppError('IMPORT_INVALID'), { cause })
  }
}
