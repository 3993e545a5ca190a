import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { factsOf, log } from './log.ts'
import type { FileReply } from './route.ts'

/**
 * A cell a spreadsheet would run as a formula: text that begins with one of these, or is only kept from it by apostrophes
 * of its own, so that reading back takes away no more than was put there.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/

type Cells = (string | number)[]

/** One cell: numbers as they are, text that looks like a formula behind an apostrophe, quoted where needed. */
function cell(value: string | number): string {
  const text = String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text that `cell` kept from being a formula. */
export const textOfCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

const textOf = (rows: Cells[]) => rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')

/** The columns of a download and what a row has in them. */
interface Sheet<Row> {
  header: string[]
  cellsOf: (row: Row) => Cells
}

/**
 * A CSV download named `Export` and the Bangkok time; the BOM tells spreadsheets that it is UTF-8. Batches of rows are
 * asked for one by one, as fast as the caller reads, so a download needs the memory of one batch.
 */
export async function csvReply<Row>(sheet: Sheet<Row>, batches: AsyncIterable<Row[]>, now: Date): Promise<FileReply> {
  const source = batches[Symbol.asyncIterator]()
  // What can't be exported at all is answered as a failure, not as half a file.
  const first = await source.next()
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return {
    body: ReadableStream.from(encoded(sheet, first, source)),
    contentType: 'text/csv; charset=utf-8',
    fileName: `Export${year}${month}${day}${time.join('')}.csv`,
  }
}

async function* encoded<Row>(
  { header, cellsOf }: Sheet<Row>,
  first: IteratorResult<Row[]>,
  source: AsyncIterator<Row[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`\uFEFF${textOf([header])}`)
  try {
    for (let batch = first; !batch.done; batch = await source.next()) {
      yield encoder.encode(textOf(batch.value.map(cellsOf)))
    }
  } catch (error) {
    // The answer has begun: the caller sees it break off.
    log('ERROR', 'export broke off', { cause: factsOf(error) })
    throw error
  } finally {
    await source.return?.()
  }
}
