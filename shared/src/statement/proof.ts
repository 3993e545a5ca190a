import { formatBaht, type Satang } from '../money.ts'
import { keysOf } from '../table.ts'
import { readAmount } from './cell-amount.ts'
import { plain, sameText } from './cell-text.ts'
import type { Rows } from './mapping.ts'

/** A fact that the file states about itself, and whether the read lines agree with it. `text` is Thai. */
export interface Check {
  ok: boolean
  text: string
}

/** Rows in which banks write proofs and not movements. */
const LABEL = {
  opening:
    /^(ยอดยกมา|ยอด(เงิน)?คงเหลือยกมา|beginning balance|opening balance|balance (brought|b\/) ?f(orward)?|brought forward|b\/f|60[fm])$/,
  closing: /^(ยอดยกไป|ยอด(เงิน)?คงเหลือยกไป|ending balance|closing balance|carried forward|c\/f|62[fm])$/,
  withdrawals: /^(รวมถอนเงิน|รวมเงินถอน|total withdrawals?)/,
  deposits: /^(รวมฝากเงิน|รวมเงินฝาก|total deposits?)/,
} as const
type Label = keyof typeof LABEL
const LABELS = keysOf(LABEL)
/** Matches the beginning of a row with any other sum. */
const OTHER_SUM = /^(รวม|ยอดรวม|(grand |sub)?total)/

/** Tells whether a row is one of the bank's own sums, or contains one of these words. */
export function isProofRow(cells: readonly string[], skipWords: readonly string[]): boolean {
  const texts = cells.map(sameText).filter(text => text !== '')
  const words = skipWords.map(sameText)
  return (
    texts.some(text => LABELS.some(label => LABEL[label].test(text)) || words.includes(text)) ||
    (texts[0] !== undefined && (OTHER_SUM.test(texts[0]) || words.some(word => texts[0]!.startsWith(word))))
  )
}

interface Sum {
  satang: Satang
  count: number | null
}
/** The sums in a file: the first of several openings, the last of several closings. */
export type Sums = Partial<Record<Label, Sum>>

/**
 * Finds the sums in rows that are not movements: to the right of their label; a balance first in the column of
 * balances.
 */
export function findSums(rows: Rows, balanceColumn: number | null): Sums {
  const sums: Sums = {}
  for (const cells of rows) {
    for (const [index, cell] of cells.entries()) {
      const label = LABELS.find(each => LABEL[each].test(sameText(cell)))
      if (label === undefined || (sums[label] && label !== 'closing')) continue
      const isBalance = label === 'opening' || label === 'closing'
      const sum = sumIn(cells, index, isBalance ? balanceColumn : null)
      if (sum) sums[label] = sum
    }
  }
  return sums
}

function sumIn(cells: readonly string[], labelAt: number, balanceColumn: number | null): Sum | null {
  const balance = balanceColumn === null ? null : amountIn(cells[balanceColumn])
  if (balance !== null) return { satang: balance, count: null }
  const behind = cells.slice(labelAt + 1)
  const amounts = behind.map(amountIn)
  const last = amounts.findLastIndex(amount => amount !== null)
  const countAt = behind.findIndex(cell => /^\d{1,6}$/.test(plain(cell)))
  return last < 0
    ? null
    : { satang: amounts[last]!, count: countAt >= 0 && countAt < last ? Number(plain(behind[countAt]!)) : null }
}

function amountIn(cell = ''): Satang | null {
  const amount = readAmount(cell)
  return 'satang' in amount ? amount.satang : null
}

/** The fields of a line that a proof needs. */
interface Movement {
  rowNumber: number
  amountSatang: Satang
  balanceSatang: Satang | null
}

/**
 * Checks that balances follow each other and the file's sums agree; facts that the file does not state are not checked.
 * `lines` are oldest first.
 */
export function proofOf(lines: readonly Movement[], sums: Sums): Check[] {
  return [...chain(lines, sums.opening?.satang), ...closing(lines, sums), ...totals(lines, sums)]
}

function chain(lines: readonly Movement[], opening: Satang | undefined): Check[] {
  const withBalance = lines.filter(line => line.balanceSatang !== null)
  if (withBalance.length === 0) return []
  const before = (index: number) => (index === 0 ? opening : withBalance[index - 1]!.balanceSatang!)
  const broken = withBalance.filter(({ amountSatang, balanceSatang }, index) => {
    const previous = before(index)
    return previous !== undefined && previous + amountSatang !== balanceSatang
  })
  const [first] = broken
  if (!first) return [{ ok: true, text: `ยอดคงเหลือต่อกันครบ ${withBalance.length} แถว` }]
  const expected = before(withBalance.indexOf(first))! + first.amountSatang
  const others = broken.length > 1 ? ` และอีก ${broken.length - 1} แถว` : ''
  const said = `ยอดคงเหลือแถว ${first.rowNumber} ควรเป็น ${formatBaht(expected)} แต่ไฟล์เขียน ${formatBaht(first.balanceSatang!)}`
  return [{ ok: false, text: `${said}${others}: รายการอาจขาด ซ้ำ หรือถูกแก้` }]
}

function closing(lines: readonly Movement[], sums: Sums): Check[] {
  if (!sums.closing) return []
  const sum = lines.reduce((total, { amountSatang }) => total + amountSatang, 0)
  const last = lines.at(-1)?.balanceSatang ?? (sums.opening ? sums.opening.satang + sum : null)
  if (last === null) return []
  const written = formatBaht(sums.closing.satang)
  return last === sums.closing.satang
    ? [{ ok: true, text: `ยอดยกไปตรงกัน ${written}` }]
    : [{ ok: false, text: `ยอดยกไปในไฟล์คือ ${written} แต่รายการจบที่ ${formatBaht(last)}: ไฟล์อาจไม่ครบ` }]
}

function totals(lines: readonly Movement[], sums: Sums): Check[] {
  const sides = [
    { name: 'รวมฝากเงิน', written: sums.deposits, amounts: lines.map(line => line.amountSatang) },
    { name: 'รวมถอนเงิน', written: sums.withdrawals, amounts: lines.map(line => -line.amountSatang) },
  ]
  return sides.flatMap(({ name, written, amounts }): Check[] => {
    if (!written) return []
    const own = amounts.filter(amount => amount > 0)
    const sum = own.reduce((total, amount) => total + amount, 0)
    const ok = sum === Math.abs(written.satang) && (written.count ?? own.length) === own.length
    const said = `${written.count === null ? '' : `${written.count} รายการ `}${formatBaht(Math.abs(written.satang))}`
    return ok
      ? [{ ok, text: `${name}ตรงกัน ${said}` }]
      : [{ ok, text: `${name}ในไฟล์คือ ${said} แต่อ่านได้ ${own.length} รายการ ${formatBaht(sum)}: ไฟล์อาจไม่ครบ` }]
  })
}
