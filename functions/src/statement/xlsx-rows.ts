import { AppError } from '@shop/shared/errors.ts'
import { type Unzipped, unzipSync } from 'fflate'
import { padded } from './html-rows.ts'
import {
  MAX_CELLS,
  MAX_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_SHEET_ROWS,
  MAX_SHEETS,
  MAX_STRINGS,
  MAX_STYLES,
  MAX_UNPACKED_BYTES,
} from './limits.ts'
import { type ShownAs, shownAs, shownNumber } from './xlsx-numbers.ts'
import { readXml } from './xml.ts'

/**
 * Returns the first visible sheet that is not empty. Rows keep their numbers, and the range that the sheet claims is
 * ignored. Numbers become the text that a person sees, and formulas the value that they were saved with.
 * @throws STATEMENT_UNREADABLE, STATEMENT_TOO_LARGE, STATEMENT_TOO_COMPLEX, STATEMENT_KIND, STATEMENT_ENCRYPTED
 */
export function xlsxRows(bytes: Buffer): { rows: string[][]; sheet: string } {
  const parts = unpack(bytes)
  const { sheets, is1904 } = readWorkbook(parts)
  const strings = readStrings(parts['xl/sharedStrings.xml'])
  const styles = readStyles(parts['xl/styles.xml'])
  for (const { name, path } of sheets) {
    const sheet = parts[path]
    const rows = sheet ? readSheet(sheet, { strings, styles, is1904 }) : []
    if (sheet && !isWhole(sheet)) throw new AppError('STATEMENT_CUT_OFF', { values: { n: rows.length } })
    if (rows.length > 0) return { rows: padded(rows), sheet: name }
  }
  throw new AppError('STATEMENT_UNREADABLE')
}

/** Throws when there are more than `most`, because such a file was made to be slow. */
function mustBeFew(count: number, most: number): void {
  if (count > most) throw new AppError('STATEMENT_TOO_COMPLEX')
}

/**
 * Unpacks the parts of a workbook. A packed part gets only as much memory as its declared size. One that is stored plainly
 * is copied as it lies, whatever it declares, and many may lie in the same place: so the larger of both sizes counts.
 */
function unpack(bytes: Buffer): Unzipped {
  // Bit 0 of the first entry's flags means that it is encrypted.
  if (((bytes[6] ?? 0) & 1) === 1) throw new AppError('STATEMENT_ENCRYPTED')
  let unpackedBytes = 0
  let parts: Unzipped
  try {
    parts = unzipSync(bytes, {
      filter({ name, size, originalSize }) {
        const isWanted = /^xl\/(workbook|sharedStrings|styles|worksheets\/[^/]+|_rels\/workbook)\.xml(\.rels)?$/.test(
          name,
        )
        if (isWanted) unpackedBytes += Math.max(size, originalSize)
        if (unpackedBytes > MAX_UNPACKED_BYTES) throw new AppError('STATEMENT_TOO_LARGE')
        return isWanted
      },
    })
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('STATEMENT_UNREADABLE', { cause })
  }
  if (parts['xl/workbook.xml']) return parts
  throw new AppError('STATEMENT_KIND', { values: { kind: 'ไฟล์บีบอัด ZIP', advice: 'กรุณาแตกไฟล์ก่อน' } })
}

interface SheetPlace {
  name: string
  path: string
}

function readWorkbook(parts: Unzipped): { sheets: SheetPlace[]; is1904: boolean } {
  const targets = new Map<string, string>()
  readXml(parts['xl/_rels/workbook.xml.rels'], {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const sheets: SheetPlace[] = []
  let is1904 = false
  readXml(parts['xl/workbook.xml'], {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      mustBeFew(sheets.length + 1, MAX_SHEETS)
      sheets.push({ name: attributes.name ?? '', path: targets.get(attributes['r:id'] ?? '') ?? '' })
    },
  })
  return { sheets, is1904 }
}

/** Returns the texts that cells point to, without the hints for reading a word aloud. */
function readStrings(xml: Uint8Array | undefined): string[] {
  const strings: string[] = []
  let isText = false
  let isAloud = false
  readXml(xml, {
    open(name) {
      if (name === 'si') {
        mustBeFew(strings.length + 1, MAX_STRINGS)
        strings.push('')
      }
      if (name === 'rPh') isAloud = true
      isText = name === 't' && !isAloud
    },
    text(part) {
      if (isText) strings[strings.length - 1] += part
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isAloud = false
    },
  })
  return strings.map(unescapeText)
}

/** Returns how each style shows numbers. */
function readStyles(xml: Uint8Array | undefined): ShownAs[] {
  const codes = new Map<number, string>()
  const known = new Map<number, ShownAs>()
  const styles: ShownAs[] = []
  let isOfCells = false
  const add = (format: number) => {
    mustBeFew(styles.length + 1, MAX_STYLES)
    const as = known.get(format) ?? shownAs(format, codes)
    known.set(format, as)
    styles.push(as)
  }
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) add(Number(attributes.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}

/** A part that is larger than declared is cut off. */
const isWhole = (sheet: Uint8Array) =>
  /<\/[^<]*worksheet>\s*$/.test(Buffer.from(sheet.subarray(-50)).toString('latin1'))

interface Workbook {
  strings: readonly string[]
  styles: readonly ShownAs[]
  is1904: boolean
}

interface OpenCell {
  column: number
  type: string
  style: number
  value: string
  formula: string
  inline: string
}

function readSheet(xml: Uint8Array, workbook: Workbook): string[][] {
  const rows: string[][] = []
  let rowAt = -1
  let columnAt = -1
  let cell: OpenCell | null = null
  let part: 'value' | 'formula' | 'inline' | null = null
  let sheetRows = 0
  let cells = 0
  let characters = 0
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        mustBeFew(++sheetRows, MAX_SHEET_ROWS)
        rowAt = attributes.r === undefined ? rowAt + 1 : rowOf(attributes.r)
        columnAt = -1
      } else if (name === 'c') {
        mustBeFew(++cells, MAX_CELLS)
        columnAt = attributes.r === undefined ? columnAt + 1 : columnOf(attributes.r)
        const style = Number(attributes.s ?? 0)
        cell = { column: columnAt, type: attributes.t ?? 'n', style, value: '', formula: '', inline: '' }
      } else part = name === 'v' ? 'value' : name === 'f' ? 'formula' : name === 't' ? 'inline' : null
    },
    text(text) {
      if (cell && part) cell[part] += text
    },
    close(name) {
      part = null
      if (name !== 'c' || !cell) return
      const text = textOf(cell, workbook)
      characters += text.length
      mustBeFew(characters, MAX_CHARACTERS)
      if (text !== '') place(rows, rowAt, cell.column, text)
      cell = null
    },
  })
  return rows
}

function place(rows: string[][], rowAt: number, column: number, text: string): void {
  if (rowAt >= MAX_ROWS || column >= MAX_COLUMNS) throw new AppError('STATEMENT_TOO_LARGE')
  // A cell that stands in no row.
  if (rowAt < 0) throw new AppError('STATEMENT_UNREADABLE')
  while (rows.length <= rowAt) rows.push([])
  const row = rows[rowAt]!
  while (row.length < column) row.push('')
  row[column] = text
}

/** "12" -> 11. A row of another number, such as 0 or 1.5, is in no workbook that a program wrote. */
function rowOf(number: string): number {
  if (!/^[1-9]\d{0,6}$/.test(number)) throw new AppError('STATEMENT_UNREADABLE')
  return Number(number) - 1
}

/** "AB12" -> 27 */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A'
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function textOf({ type, style, value, formula, inline }: OpenCell, { strings, styles, is1904 }: Workbook): string {
  if (type === 'inlineStr') return unescapeText(inline)
  if (type === 's') return strings[Number(value)] ?? ''
  // A formula that was saved without a value is shown as it is, so that it is refused where an amount is needed.
  if (value === '') return formula === '' ? '' : `=${formula}`
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return value.replace('T', ' ').replace(/Z$/, '')
  return type === 'n' ? shownNumber(value, styles[style] ?? 'number', is1904) : unescapeText(value)
}

/** Decodes _x000D_, the way in which workbooks write characters that XML lacks. */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
