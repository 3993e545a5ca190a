import { AppError } from '@shop/shared/errors.ts'
import { keysOf } from '@shop/shared/table.ts'
import { asSeen } from '@shop/shared/typed-text.ts'
import { MOST_CODES } from '@shop/shared/voucher/voucher.ts'
import { CsvError, parse } from 'csv-parse/sync'
import type { PlainCode } from '../supplier/provider.ts'

/** A line of a file that holds a code. */
export interface ReadCode extends PlainCode {
  /** From 1 on, as an editor counts. */
  line: number
}

export interface ReadFile {
  codes: ReadCode[]
  /** Lines that hold no code that can be sold, and why, in words for staff. */
  bad: { line: number; reason: string }[]
}

type Column = keyof PlainCode

/** How the columns are called, without spaces, dots and dashes. Without a heading they stand in this order. */
const COLUMNS: Record<Column, readonly string[]> = {
  code: [
    'code',
    'รหัส',
    'โค้ด',
    'โค๊ด',
    'รหัสสินค้า',
    'รหัสเติม',
    'cardnumber',
    'cardno',
    'vouchercode',
    'voucher',
    'giftcode',
    'giftcardcode',
    'giftcard',
    'giftcardnumber',
    'vouchernumber',
    'voucherno',
    'redeemcode',
    'redemptioncode',
    'activationcode',
    'couponcode',
    'promocode',
    'productkey',
    'productcode',
    'licensekey',
    'licencekey',
    'license',
    'serialkey',
    'cdkey',
    'steamkey',
    'gamekey',
    'key',
    'codes',
    'keys',
    'รหัสบัตร',
    'หมายเลขบัตร',
    'เลขบัตร',
    'รหัสเกม',
    'คีย์',
  ],
  pin: ['pin', 'พิน', 'รหัสพิน', 'รหัสpin', 'pincode', 'cardpin'],
  serial: ['serial', 'ซีเรียล', 'ซีเรียลนัมเบอร์', 'หมายเลขซีเรียล', 'เลขซีเรียล', 'serialnumber', 'serialno', 'sn'],
  expiresOn: [
    'expiry',
    'expires',
    'expired',
    'exp',
    'expirydate',
    'expirationdate',
    'validdate',
    'หมดอายุ',
    'วันหมดอายุ',
    'วันที่หมดอายุ',
  ],
}
const COLUMN_NAMES = keysOf(COLUMNS)

const DELIMITERS = [',', ';', '\t'] as const
const LEAST_CHARACTERS = 6
const MOST_CHARACTERS = 200
/** Printable ASCII: what a shop window's keyboard can type. */
const TYPED = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/
/** What a spreadsheet makes of a long number. */
const SCIENTIFIC = /^\d([.,]\d+)?E\+\d+$/i
/** A title and what an export says of itself stand above the heading. */
const MOST_ABOVE = 20
/** A spreadsheet's own first line, which names the delimiter. */
const SEPARATOR = /^\s*"?sep=(.)"?\s*$/i
/** What a spreadsheet shows in place of a value, or computes one from. */
const FORMULA = /^=|^[@+-][A-Z.]+\(.*\)$|^#(REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#*$)/i
/** A page of a shop that has signed one out, a program's answer, a document, a certificate, a card of a contact, a mail. */
const NO_TABLE =
  /^\s*(<[!?a-z]|[[{]\s*["[{\]}]|\{\\rtf|%PDF-|-----BEGIN |BEGIN:V|(MIME-Version|Content-Type|From|Subject|Date): )/i

/**
 * Reads the codes of a file: one on each line, or columns with or without a heading.
 * @param today Bangkok day "YYYY-MM-DD"; a code that ends on it or before is bad
 * @throws CODE_FILE_UNREADABLE, CODE_FILE_EMPTY, CODE_FILE_COLUMNS, CODE_FILE_TOO_LONG
 */
export function readCodes(bytes: Uint8Array, today: string): ReadFile {
  const text = decode(bytes)
  if (NO_TABLE.test(text)) throw new AppError('CODE_FILE_UNREADABLE')
  const rows = rowsOf(text)
  if (rows.length === 0) throw new AppError('CODE_FILE_EMPTY')
  const above = rows.slice(0, MOST_ABOVE).findIndex(({ cells }) => headingOf(cells) !== null)
  const columns = above < 0 ? COLUMN_NAMES : headingOf(rows[above]!.cells)!
  if (!columns.includes('code')) throw new AppError('CODE_FILE_COLUMNS')
  const body = rows.slice(above + 1)
  if (body.length === 0) throw new AppError('CODE_FILE_EMPTY')
  if (body.length > MOST_CODES) throw new AppError('CODE_FILE_TOO_LONG', { values: { n: MOST_CODES } })
  const read: ReadFile = {
    codes: [],
    bad: rows.slice(0, Math.max(above, 0)).map(({ line }) => ({ line, reason: ABOVE })),
  }
  const isMonthFirst = namesMonthFirst(body.flatMap(({ cells }) => cells[columns.indexOf('expiresOn')] ?? []))
  for (const { line, cells } of body) {
    const found = codeOf(columns, cells, { today, isMonthFirst })
    if (typeof found === 'string') read.bad.push({ line, reason: found })
    else read.codes.push({ line, ...found })
  }
  return withoutStrangers(read)
}

const ABOVE = 'อยู่เหนือหัวตาราง'
const STRANGER = 'ไม่เหมือนรหัสอื่นในไฟล์ ถ้าเป็นรหัสจริงให้นำเข้าเป็นไฟล์แยก'
/** So many are alike before one that is not is taken for something else. */
const ALIKE = 0.9
/** Of fewer codes the usual length says nothing. */
const LEAST_FOR_LENGTH = 10
/** Words between spaces. */
const PROSE = /(^| )[A-Z]?[a-z]+( .|$)/

/** A footer, or a heading of another name, is nothing that can be sold: it is told from the codes by what these have in common. */
function withoutStrangers({ codes, bad }: ReadFile): ReadFile {
  const isProse = ({ code }: ReadCode) => code.includes(' ') && PROSE.test(code)
  const isOfProse = codes.filter(isProse).length > codes.length / 2
  const lengths = [...Map.groupBy(codes, ({ code }) => code.length)]
  const usual = lengths.find(
    ([, alike]) => codes.length >= LEAST_FOR_LENGTH && alike.length >= ALIKE * codes.length,
  )?.[0]
  const isStranger = (each: ReadCode) =>
    (isProse(each) && !isOfProse) || (usual !== undefined && each.code.length !== usual)
  const told = codes.filter(isStranger).map(({ line }) => ({ line, reason: STRANGER }))
  return {
    codes: codes.filter(each => !isStranger(each)),
    bad: [...bad, ...told].sort((one, two) => one.line - two.line),
  }
}

function decode(bytes: Uint8Array): string {
  const [a, b] = bytes
  const isWide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const encodings = isWide ? [a === 0xff ? 'utf-16le' : 'utf-16be'] : ['utf-8', 'windows-874']
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them, other kinds of files do
      if (!/[\x00-\x08\x0e-\x1f]/.test(text)) return text
    } catch {
      // The next encoding may read it.
    }
  }
  throw new AppError('CODE_FILE_UNREADABLE')
}

interface Row {
  line: number
  cells: string[]
}

function rowsOf(text: string): Row[] {
  try {
    const records = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
      // What stands above, the heading and one row more than allowed show that there are too many.
      to: MOST_ABOVE + MOST_CODES + 2,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    const rows = records.map(({ record, info }) => ({ line: info.lines, cells: record.map(textCell) }))
    return rows.filter(
      ({ cells, line }) =>
        cells.some(cell => cell !== '') && !(line === 1 && SEPARATOR.test(text.split(/[\r\n]/, 1)[0]!)),
    )
  } catch (error) {
    // The parser's words quote the file.
    if (error instanceof CsvError) throw new AppError('CODE_FILE_UNREADABLE')
    throw error
  }
}

/** The delimiter of which the first lines have most. */
function delimiterOf(text: string): string {
  const [first = '', ...more] = text.split(/[\r\n]+/).filter(line => line.trim() !== '')
  const named = SEPARATOR.exec(first)?.[1]
  if (named) return named
  const beginning = [first, ...more.slice(0, MOST_ABOVE)].join('\n')
  const count = (delimiter: string) => beginning.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Returns a cell as it looks. Some files write ="0123", or '0123, to keep spreadsheets from reading a text as a number. */
function textCell(cell: string): string {
  const seen = asSeen(cell).trim()
  return /^="([^"]*)"$/.exec(seen)?.[1] ?? seen.replace(/^'/, '')
}

/** Returns what each column holds, null for what is of no use here; null when the row is no heading. */
function headingOf(cells: readonly string[]): (Column | null)[] | null {
  const named = cells.map(cell => {
    const name = cell.toLowerCase().replace(/[\s._/-]/g, '')
    return COLUMN_NAMES.find(column => COLUMNS[column].includes(name)) ?? null
  })
  return named.some(column => column !== null) ? named : null
}

/** Returns the code of a row, or why it has none. */
function codeOf(
  columns: readonly (Column | null)[],
  cells: readonly string[],
  { today, isMonthFirst }: { today: string; isMonthFirst: boolean },
): PlainCode | string {
  if (cells.slice(columns.length).some(cell => cell !== '')) return 'มีคอลัมน์เกิน'
  const cellOf = (column: Column) => {
    const at = columns.indexOf(column)
    return (at < 0 ? '' : cells[at]) || null
  }
  const [code, pin, serial, expiry] = COLUMN_NAMES.map(cellOf) as [string | null, ...(string | null)[]]
  if (code === null) return 'ไม่มีรหัส'
  for (const [name, text] of [
    ['รหัส', code],
    ['PIN', pin],
    ['ซีเรียล', serial],
  ] as const) {
    const problem = text ? problemOf(text) : null
    if (problem) return `${name} ${problem}`
  }
  if (code.length < LEAST_CHARACTERS) return `รหัสสั้นกว่า ${LEAST_CHARACTERS} ตัวอักษร`
  const expiresOn = expiry ? dayOf(expiry, isMonthFirst) : null
  if (expiry && !expiresOn) return 'วันหมดอายุอ่านไม่ได้ ใช้ 31/12/2570 หรือ 2027-12-31'
  if (expiresOn && expiresOn <= today) return 'หมดอายุแล้ว'
  return { code, pin: pin ?? null, serial: serial ?? null, expiresOn }
}

function problemOf(text: string): string | null {
  if (SCIENTIFIC.test(text)) return 'ถูก Excel เปลี่ยนเป็นเลขยกกำลัง กรุณาใช้ไฟล์ต้นฉบับ'
  if (FORMULA.test(text)) return 'เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ'
  if (text.length > MOST_CHARACTERS) return `ยาวเกิน ${MOST_CHARACTERS} ตัวอักษร`
  return TYPED.test(text) ? null : 'มีตัวอักษรที่ใช้ไม่ได้'
}

/** The first year of a date that is counted from the Buddha's death. */
const FIRST_BUDDHIST_YEAR = 2400
const BUDDHIST_YEARS = 543

/** "31/12/2027", "31-12-2570" */
const WITH_YEAR_LAST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/

/** A file writes all of its days in one way; one day that can't be read with the day first tells which. */
const namesMonthFirst = (texts: readonly string[]): boolean =>
  texts.some(text => Number(WITH_YEAR_LAST.exec(text)?.[2] ?? 0) > 12) &&
  !texts.some(text => Number(WITH_YEAR_LAST.exec(text)?.[1] ?? 0) > 12)

/** Reads "31/12/2027", "31-12-2570" or "2027-12-31", with or without a time. Returns null for what is no day. */
export function dayOf(text: string, isMonthFirst = false): string | null {
  const [date = '', ...time] = text.split(/[ T]/)
  if (time.length > 1 || (time[0] && !/^\d{1,2}:\d\d/.test(time[0]))) return null
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? []
  const [whole, one, two, year] = WITH_YEAR_LAST.exec(date) ?? []
  if (whole !== undefined && whole !== date) return null
  const [month, day] = isMonthFirst ? [one, two] : [two, one]
  const [y, m, d] = [isoYear ?? year, isoMonth ?? month, isoDay ?? day].map(Number) as [number, number, number]
  const common = y >= FIRST_BUDDHIST_YEAR ? y - BUDDHIST_YEARS : y
  if (!(common >= 2000 && common < 2200)) return null
  const found = new Date(Date.UTC(common, m - 1, d))
  return found.getUTCMonth() === m - 1 && found.getUTCDate() === d ? found.toISOString().slice(0, 10) : null
}
