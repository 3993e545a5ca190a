import { createHash } from 'node:crypto'
import { sameText } from '@shop/shared/statement/cell-text.ts'
import { guessMapping } from '@shop/shared/statement/guess-mapping.ts'
import { type LayoutName, layoutMapping, recognise } from '@shop/shared/statement/layouts.ts'
import { type ColumnMapping, PREVIEW_ROWS, shownCells } from '@shop/shared/statement/mapping.ts'
import { findTop, type ReadRows, readRows } from '@shop/shared/statement/read-rows.ts'
import { type Grid, readGrid } from './grid.ts'

export interface StatementOptions {
  now: Date
  /** What a person pointed out: then nothing else is tried. */
  mapping?: ColumnMapping
  /** What was saved for the account: the first whose headings are in the file is taken before a known layout. */
  saved?: readonly ColumnMapping[]
  /** Of a file with several accounts, only this one's rows; without it such a file is a problem. */
  account?: string
}

export interface ReadStatement extends ReadRows {
  /** The known layout it was read by; null for a mapping, and for what is not recognised. */
  layout: LayoutName | null
  /** What it was read by; null when it is not recognised: then there are no lines and no problems. */
  mapping: ColumnMapping | null
  /** For a file that is not recognised, where a person may begin; else the same as `mapping`. */
  proposal: ColumnMapping
  /** Of the headings it was read by, or would be; null without headings. */
  headerHash: string | null
  encoding: string
  sheet: string | null
  rowCount: number
  /** The first rows as they stand in the file. */
  preview: string[][]
}

/** The same for the same headings, whatever their blanks and capitals; null without headings. */
export function headerHash({ header }: Pick<ColumnMapping, 'header'>): string | null {
  const texts = header.map(sameText)
  while (texts.at(-1) === '') texts.pop()
  return texts.length === 0 ? null : createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** See `readStatement`, which does this in a thread of its own. */
export function parseStatement(bytes: Buffer, { now, mapping, saved = [], account }: StatementOptions): ReadStatement {
  const grid = readGrid(bytes)
  const { layout, mapping: found } = mapping ? { layout: null, mapping } : findMapping(grid, saved)
  const proposal = found ?? guessMapping(grid.rows, null)
  const read = found ? readRows(grid.rows, found, { now, account }) : NOTHING
  return {
    ...read,
    layout,
    mapping: found,
    proposal,
    headerHash: headerHash(proposal),
    encoding: grid.encoding,
    sheet: grid.sheet,
    rowCount: grid.rows.length,
    preview: grid.rows.slice(0, PREVIEW_ROWS).map(shownCells),
  }
}

const NOTHING: ReadRows = { lines: [], problems: [], problemCount: 0, checks: [], lastDigits: null }

function findMapping({ rows }: Grid, saved: readonly ColumnMapping[]) {
  const fitting = saved.find(mapping => mapping.headerRow !== null && findTop(rows, mapping) !== null)
  if (fitting) return { layout: null, mapping: fitting }
  const layout = recognise(rows)
  return { layout, mapping: layout && layoutMapping(layout, rows) }
}
