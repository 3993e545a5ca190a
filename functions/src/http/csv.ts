import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { FileReply } from './route.ts'

/**
 * A cell a spreadsheet would run as a formula: text that begins with one of these, or is only kept from it by apostrophes
 * of its own, so that reading back takes away no more than was put there.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/

/** One cell: numbers as they are, text that looks like a formula behind an apostrophe, quoted where needed. */
function cell(value: string | number): string {
  const text = String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text that `cell` kept from being a formula. */
export const textOfCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

/** A CSV download named `Export` and the Bangkok time; the BOM tells spreadsheets that it is UTF-8. */
export function csvReply(header: string[], rows: (string | number)[][], now: Date): FileReply {
  const lines = [header, ...rows].map(row => row.map(cell).join(','))
  const [day, month, year, ...time] = formatDateTimeSeconds(now).split(/\D/)
  return {
    body: `\uFEFF${lines.join('\r\n')}\r\n`,
    contentType: 'text/csv; charset=utf-8',
    fileName: `Export${year}${month}${day}${time.join('')}.csv`,
  }
}
