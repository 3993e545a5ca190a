import { AppError } from '@shop/shared/errors.ts'
import { Parser } from 'htmlparser2'
import { MAX_CELLS, MAX_COLUMNS, MAX_PAGE_DEPTH, MAX_ROWS } from './limits.ts'

/** Tells whether a file is an HTML page with a table, which some banks name like a workbook. */
export function isHtml(text: string): boolean {
  return /^\s*</.test(text) && /<(table|tr)[\s>]/i.test(text)
}

/** Returns the cells of all tables of a page, row by row. @throws STATEMENT_CUT_OFF when the last table has no end */
export function htmlRows(text: string): string[][] {
  const rows: string[][] = []
  /** Text of the cell that is being read. */
  let cell: string | null = null
  let openTables = 0
  let depth = 0
  let cells = 0
  let column = 0
  const parser = new Parser({
    onopentag(name, { colspan }) {
      if (++depth > MAX_PAGE_DEPTH) throw new AppError('STATEMENT_TOO_COMPLEX')
      if (name === 'table') openTables++
      else if (name === 'tr') rows.push([])
      else if (name === 'br' && cell !== null) cell += ' '
      else if (name === 'td' || name === 'th') {
        cell = ''
        // A wide cell covers several columns. The covered cells are added first, so that later cells stay in their
        // columns.
        const covered = Math.min(Number(colspan) || 1, MAX_COLUMNS) - 1
        cells += covered + 1
        if (cells > MAX_CELLS) throw new AppError('STATEMENT_TOO_COMPLEX')
        rows.at(-1)?.push(...Array<string>(covered + 1).fill(''))
        column = (rows.at(-1)?.length ?? 0) - covered - 1
      }
    },
    ontext(part) {
      if (cell !== null) cell += part
    },
    onclosetag(name, isImplied) {
      depth--
      if (name === 'table' && !isImplied) openTables--
      if ((name === 'td' || name === 'th') && cell !== null) {
        const row = rows.at(-1)
        if (row) row[column] = cell.trim()
        cell = null
      }
      if (rows.length > MAX_ROWS) parser.pause()
    },
  })
  parser.end(text)
  if (openTables > 0 && rows.length <= MAX_ROWS) throw new AppError('STATEMENT_CUT_OFF', { values: { n: rows.length } })
  return padded(rows)
}

/** Gives all rows the same width: cells missing at the end of a row become empty. */
export function padded(rows: string[][]): string[][] {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0)
  return rows.map(cells => [...cells, ...Array<string>(width - cells.length).fill('')])
}
