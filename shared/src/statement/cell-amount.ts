import type { Satang } from '../money.ts'
import { parseBaht } from '../typed-baht.ts'
import { plain } from './cell-text.ts'
import type { ProblemCode } from './row-problem.ts'

/** An amount read from a cell; `satang` is null when the cell has none. */
export type CellAmount = { satang: Satang | null } | { problem: ProblemCode }

const BAHT = /THB|฿|บาท|baht/gi
const SHAPE = /^(\(|[-+−–]?) ?(\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.(\d*))? ?(\)|-?)$/

/**
 * Reads an amount from its text, never through a float. It knows separators of thousands, signs before or after the
 * number, parentheses for negative and baht signs. An amount that can be read in two ways is refused.
 */
export function readAmount(cell: string): CellAmount {
  const text = plain(cell)
  if (/^[-–—]?$/.test(text)) return { satang: null }
  if (/^[=#@]/.test(text)) return { problem: 'AMOUNT_FORMULA' }
  const bare = plain(text.replace(BAHT, ' '))
  if (/[a-z]{3}|[$€£¥₩₭₫]/i.test(bare)) return { problem: 'AMOUNT_FOREIGN' }
  const [, before, whole, decimals = '', behind] = SHAPE.exec(bare) ?? []
  if (whole === undefined || (before === '(') !== (behind === ')') || (before !== '' && behind === '-'))
    return { problem: 'AMOUNT_INVALID' }
  if (decimals.length > 2) return { problem: 'AMOUNT_DECIMALS' }
  const satang = parseBaht(`${whole.replace(/[, ]/g, '')}.${decimals}`)
  if (satang === null) return { problem: 'AMOUNT_INVALID' }
  const isNegative = before === '(' || before === '-' || before === '−' || before === '–' || behind === '-'
  return { satang: isNegative && satang !== 0 ? -satang : satang }
}
