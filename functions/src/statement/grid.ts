import { AppError } from '@shop/shared/errors.ts'
import { camtRows, isCamt053 } from './camt-rows.ts'
import { csvRows } from './csv-rows.ts'
import { htmlRows, isHtml } from './html-rows.ts'
import { MAX_BYTES, MAX_COLUMNS, MAX_ROWS } from './limits.ts'
import { isMt940, mt940Rows } from './mt940-rows.ts'
import { decodeText } from './text.ts'
import { xlsxRows } from './xlsx-rows.ts'

/** A bank's file as a table of texts. A row's index is its number in the file minus one; empty rows are kept. */
export interface Grid {
  rows: string[][]
  /** For a text file "utf-8", "utf-16le", "utf-16be" or "windows-874"; else "xlsx". */
  encoding: string
  /** The name of the sheet that was read; null for a text file. */
  sheet: string | null
}

/** Other kinds of files that people try to upload, recognised by their first bytes. */
const KINDS: readonly { bytes: string; kind: string; advice: string }[] = [
  { bytes: '%PDF', kind: 'PDF', advice: 'กรุณาดาวน์โหลดเป็น CSV หรือ Excel (.xlsx)' },
  { bytes: 'Rar!', kind: 'ไฟล์บีบอัด RAR', advice: 'กรุณาแตกไฟล์ก่อน' },
  { bytes: '7z\xbc\xaf', kind: 'ไฟล์บีบอัด 7z', advice: 'กรุณาแตกไฟล์ก่อน' },
  { bytes: '\x1f\x8b', kind: 'ไฟล์บีบอัด GZIP', advice: 'กรุณาแตกไฟล์ก่อน' },
  { bytes: '\xff\xd8\xff', kind: 'รูปภาพ', advice: 'กรุณาดาวน์โหลดเป็น CSV หรือ Excel (.xlsx)' },
  { bytes: '\x89PNG', kind: 'รูปภาพ', advice: 'กรุณาดาวน์โหลดเป็น CSV หรือ Excel (.xlsx)' },
]
/** Kinds of text that have no table to be read, recognised in their beginning. */
const TEXT_KINDS: readonly { of: RegExp; kind: string; advice: string }[] = [
  {
    of: /urn:iso:std:iso:20022:tech:xsd:camt\.(?!053)/,
    kind: 'CAMT (ISO 20022) ที่ไม่ใช่รายการเดินบัญชี',
    advice: 'กรุณาดาวน์โหลดเป็น CAMT.053, MT940, CSV หรือ Excel (.xlsx)',
  },
  { of: /^\s*OFXHEADER|<OFX>/i, kind: 'OFX', advice: 'กรุณาดาวน์โหลดเป็น CSV หรือ Excel (.xlsx)' },
  {
    of: /urn:schemas-microsoft-com:office:spreadsheet"|progid="Excel\.Sheet"/,
    kind: 'Excel 2003 (XML)',
    advice: 'กรุณาเปิดด้วย Excel แล้วบันทึกเป็น .xlsx',
  },
  {
    of: /^\s*(MIME-Version|Content-Type):/i,
    kind: 'หน้าเว็บที่บันทึกไว้ (MHTML)',
    advice: 'กรุณาเปิดด้วย Excel แล้วบันทึกเป็น .xlsx',
  },
  {
    of: /<input[^>]+type=["']?password/i,
    kind: 'หน้าเข้าสู่ระบบของธนาคาร',
    advice: 'กรุณาเข้าสู่ระบบของธนาคารใหม่แล้วดาวน์โหลดอีกครั้ง',
  },
]
const BEGINNING = 100_000
const OLE = '\xd0\xcf\x11\xe0'
/** The name inside a workbook with a password, as OLE files encode it. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')

/**
 * Reads a file by its content and ignores its name. A large file takes seconds, so this must not run on the thread that
 * answers requests. @throws STATEMENT_UNREADABLE, STATEMENT_TOO_LARGE, STATEMENT_KIND, STATEMENT_ENCRYPTED,
 * STATEMENT_CUT_OFF, STATEMENT_GARBLED
 */
export function readGrid(bytes: Buffer): Grid {
  if (bytes.length > MAX_BYTES) throw new AppError('STATEMENT_TOO_LARGE')
  const grid = gridOf(bytes)
  if (grid.rows.length > MAX_ROWS || grid.rows.some(cells => cells.length > MAX_COLUMNS))
    throw new AppError('STATEMENT_TOO_LARGE')
  return grid
}

function gridOf(bytes: Buffer): Grid {
  const start = bytes.toString('latin1', 0, 8)
  const known = KINDS.find(each => start.startsWith(each.bytes))
  if (known) throw new AppError('STATEMENT_KIND', { values: { kind: known.kind, advice: known.advice } })
  if (start.startsWith(OLE)) throw oldWorkbook(bytes)
  if (start.startsWith('PK')) return { encoding: 'xlsx', ...xlsxRows(bytes) }
  const { text, encoding, isCut } = decodeText(bytes)
  const beginning = text.slice(0, BEGINNING)
  const told = TEXT_KINDS.find(({ of }) => of.test(beginning))
  if (told) throw new AppError('STATEMENT_KIND', { values: { kind: told.kind, advice: told.advice } })
  const rows = readerOf(text, beginning)(text)
  refuseGarbled(rows)
  if (isCut) throw new AppError('STATEMENT_CUT_OFF', { values: { n: rows.length } })
  return { rows, encoding, sheet: null }
}

const readerOf = (text: string, beginning: string): ((text: string) => string[][]) =>
  isCamt053(beginning) ? camtRows : isHtml(text) ? htmlRows : isMt940(text) ? mt940Rows : csvRows

function oldWorkbook(bytes: Buffer): AppError {
  if (bytes.includes(ENCRYPTED_PACKAGE)) return new AppError('STATEMENT_ENCRYPTED')
  const advice = 'กรุณาเปิดด้วย Excel แล้วบันทึกเป็น .xlsx หรือดาวน์โหลดเป็น CSV'
  return new AppError('STATEMENT_KIND', { values: { kind: 'Excel แบบเก่า (.xls)', advice } })
}

/**
 * Matches Thai in UTF-8 that was read as windows-874 or Latin and saved again, so that each letter became two or three.
 */
const GARBLED = /(?:เ[ธน][^\s,]{1,2}){3}|(?:à[¸¹].){3}|\ufffd/u

function refuseGarbled(rows: readonly string[][]): void {
  const index = rows.findIndex(cells => cells.some(cell => GARBLED.test(cell)))
  if (index >= 0) throw new AppError('STATEMENT_GARBLED', { values: { n: index + 1 } })
}
