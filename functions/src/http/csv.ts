import { AsyncResource } from 'node:async_hooks'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { FileReply } from './file-reply.ts'
import { factsOf, log } from './log.ts'

/**
 * Matches a text that a spreadsheet would run as a formula or read as a number, and such a text that already begins with
 * apostrophes: those get one more, so that reading the file back removes exactly the added one.
 */
const READ_OTHERWISE = /^'*([=+\-@\t\r]|\d[\d.]*(e[+-]?\d+)?$)/i
/** A number that stays what it is. Of others zeros in front go, or digits: from the twelfth on 123456789012 is shown, and saved, as 1.23457E+11. */
const KEPT_NUMBER = /^-?(0|[1-9]\d{0,10})(\.\d+)?$/

type Cells = (string | number)[]

/** Writes one cell: numbers unchanged, text that a spreadsheet would change behind an apostrophe, quoted where necessary. */
function cell(value: string | number): string {
  const text = String(value)
  const isChanged = typeof value === 'string' && READ_OTHERWISE.test(text) && !KEPT_NUMBER.test(text)
  const safe = isChanged ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Removes the apostrophe that `cell` added. */
export const textOfCell = (cell: string): string =>
  cell.startsWith("'") && READ_OTHERWISE.test(cell) ? cell.slice(1) : cell

const textOf = (rows: Cells[]) => rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')

/** The name of a download's columns and their content for a row. */
interface Sheet<Row> {
  header: string[]
  cellsOf: (row: Row) => Cells
}

/**
 * Answers with a CSV download named `Export` and the Bangkok time; a BOM tells spreadsheets that it is UTF-8. Batches
 * are read one by one as fast as the caller takes them, so a download needs the memory of one batch only.
 */
export async function csvReply<Row>(sheet: Sheet<Row>, batches: AsyncIterable<Row[]>, now: Date): Promise<FileReply> {
  const source = batches[Symbol.asyncIterator]()
  // The rest is read after the handler, and still for this request.
  const breakOff = AsyncResource.bind((error: unknown) => log('ERROR', 'export broke off', { cause: factsOf(error) }))
  // The first batch is read before the answer begins, so that a failure is answered as one and not as half a file.
  const first = await source.next()
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return {
    body: ReadableStream.from(encoded(sheet, first, source, breakOff)),
    contentType: 'text/csv; charset=utf-8',
    fileName: `Export${year}${month}${day}${time.join('')}.csv`,
  }
}

/** Returns rows that are already in memory as the only batch of a download. */
export async function* oneBatch<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}

async function* encoded<Row>(
  { header, cellsOf }: Sheet<Row>,
  first: IteratorResult<Row[]>,
  source: AsyncIterator<Row[]>,
  breakOff: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`\uFEFF${textOf([header])}`)
  try {
    for (let batch = first; !batch.done; batch = await source.next()) {
      yield encoder.encode(textOf(batch.value.map(cellsOf)))
    }
  } catch (error) {
    // The answer has already begun, so the caller sees it break off.
    breakOff(error)
    throw error
  } finally {
    await source.return?.()
  }
}
