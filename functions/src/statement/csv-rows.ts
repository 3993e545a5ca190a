import { AppError } from '@shop/shared/errors.ts'
import { CsvError, parse } from 'csv-parse/sync'
import { MAX_ROWS } from './limits.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
/** This many characters are enough to find the delimiter. */
const SAMPLE_LENGTH = 64 * 1024
const MAX_RECORD_LENGTH = 1024 * 1024

/** Returns the cells of a CSV text with any delimiter. @throws STATEMENT_CUT_OFF when quotes stay open */
export function csvRows(text: string): string[][] {
  try {
    const rows: string[][] = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: MAX_RECORD_LENGTH,
      // One row more than allowed shows that there are too many.
      to: MAX_ROWS + 1,
    })
    return rows.map(cells => cells.map(textCell))
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const row = Number(cause.records ?? 0) + 1
    throw new AppError('STATEMENT_CUT_OFF', { values: { n: row }, cause })
  }
}

/** Returns the delimiter that is most frequent outside quotes. */
function delimiterOf(text: string): string {
  const bare = text.slice(0, SAMPLE_LENGTH).replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Some files write ="0123" to keep spreadsheets from reading a text as a number. */
function textCell(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
}
