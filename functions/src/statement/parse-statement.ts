import { createHash } from 'node:crypto'
import { sameText } from '@shop/shared/statement/cell-text.ts'
import { guessMapping } from '@shop/shared/statement/guess-mapping.ts'
import { type LayoutName, layoutMapping, recognise } from '@shop/shared/statement/layouts.ts'
import { type ColumnMapping, PREVIEW_ROWS, shownCells } from '@shop/shared/statement/mapping.ts'
import { findTop, type ReadRows, readRows } from '@shop/shared/statement/read-rows.ts'
import { type Grid, readGrid } from './grid.ts'

export interface StatementOptions {
  now: Date
  /** The columns that a person chose; if given, nothing else is tried. */
  mapping?: ColumnMapping
  /** Mappings saved for the account. The first whose headings are in the file is preferred to a known layout. */
  saved?: readonly ColumnMapping[]
  /** The account whose rows are read from a file with several accounts; without it such a file is a problem. */
  account?: string
}

export interface ReadStatement extends ReadRows {
  /** The known layout of the file; null for a mapping and for an unknown file. */
  layout: LayoutName | null
  /** The mapping it was read by; null for an unknown file, which then has no lines and no problems. */
  mapping: ColumnMapping | null
  /** For an unknown file, a first proposal for a person to correct; else the same as `mapping`. */
  proposal: ColumnMapping
  /** Hash of the headings that it was read by, or would be; null without headings. */
  headerHash: string | null
  encoding: string
  sheet: string | null
  rowCount: number
  /** The first rows of the file, unchanged. */
  preview: string[][]
}

/** Returns a hash of the headings that ignores blanks and capitals; null without headings. */
export function headerHash({ header }: Pick<ColumnMapping, 'header'>): string | null {
  const texts = header.map(sameText)
  while (texts.at(-1) === '') texts.pop()
  return texts.length === 0 ? null : createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** Parses a statement; `readStatement` does this in a thread of its own. */
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
