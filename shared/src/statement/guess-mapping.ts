import { sameText } from './cell-text.ts'
import { type ColumnMapping, emptyMapping, PREVIEW_ROWS, type Rows, shownCells } from './mapping.ts'

/** Words in the headings of unknown banks, for a first guess that a person corrects. */
const GUESS = {
  date: /วันที่|^date|date$|transaction date/,
  time: /^เวลา|^time/,
  deposit: /ฝาก|เงินเข้า|เข้าบัญชี|deposit|credit/,
  withdrawal: /ถอน|เงินออก|หักบัญชี|withdraw|debit/,
  amount: /จำนวนเงิน|amount/,
  balance: /คงเหลือ|balance/,
  channel: /ช่องทาง|channel/,
  detail: /รายละเอียด|รายการ|คำอธิบาย|descri|detail|note|หมายเหตุ/,
} as const

/**
 * Guesses a mapping from the headings for a person to correct. The row with the most known words is the heading; a file
 * without headings begins at its first row with a date.
 */
export function guessMapping(rows: Rows, bank: string | null): ColumnMapping {
  const first = rows.slice(0, PREVIEW_ROWS)
  const patterns = Object.values(GUESS)
  const scores = first.map(cells => patterns.filter(pattern => cells.some(cell => pattern.test(sameText(cell)))).length)
  const best = scores.indexOf(Math.max(0, ...scores))
  const empty = emptyMapping(bank, { order: 'dmy', era: 'CE' })
  const [headerRow, header] = (scores[best] ?? 0) >= 3 ? [best, shownCells(first[best]!)] : [null, []]
  const texts = header.map(sameText)
  const taken = new Set<number>()
  const find = (what: keyof typeof GUESS): number | null => {
    const index = texts.findIndex((text, i) => !taken.has(i) && GUESS[what].test(text))
    if (index < 0) return null
    taken.add(index)
    return index
  }
  const dateColumn = find('date') ?? 0
  const [balanceColumn, timeColumn] = [find('balance'), find('time')]
  const [deposit, withdrawal, channelColumn] = [find('deposit'), find('withdrawal'), find('channel')]
  const column = find('amount') ?? deposit ?? 0
  const detailColumns = texts.flatMap((text, i) => (!taken.has(i) && GUESS.detail.test(text) ? [i] : []))
  return {
    ...empty,
    headerRow,
    header,
    date: { ...empty.date, column: dateColumn },
    timeColumn,
    amount:
      deposit !== null && withdrawal !== null
        ? { style: 'two-columns', deposit, withdrawal }
        : { style: 'signed', column },
    balanceColumn,
    detailColumns: detailColumns.slice(0, 10),
    channelColumn,
  }
}
