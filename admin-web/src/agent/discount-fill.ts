import type { BenefitRow } from '@shop/shared/agent/endpoints.ts'
import { type Cell, type CellKey, cellOf, type DiscountEdits, type Grid, typedInto } from './discount-edits.ts'

export const rowsBelow = ({ rows }: Grid, packageId: number): BenefitRow[] =>
  rows.slice(rows.findIndex(row => row.packageId === packageId) + 1)

/** Gives packages the discount and switch of one cell, in its tier. Returns how many other cells were written. */
export function fill(edits: DiscountEdits, from: BenefitRow, tierId: number, rows: readonly BenefitRow[]): number {
  const { discountText, isActived } = cellOf(edits, from, tierId)
  const filled = rows
    .filter(row => row.packageId !== from.packageId)
    .map(row => ({ ...cellOf(edits, row, tierId), discountText, isActived }))
  edits.put(...filled)
  return filled.length
}

const NO_AMOUNT = /[฿\s]|บาท/g
/** The characters that spreadsheets write for minus. */
const MINUS = /^[−–]/

/** Reads cells copied from a spreadsheet, as rows of texts; null for a single text. */
export function readCells(pasted: string): string[][] | null {
  const rows = pasted
    .replace(/\r/g, '')
    .replace(/\n$/, '')
    .split('\n')
    .map(row => row.split('\t').map(cell => cell.replace(NO_AMOUNT, '').replace(MINUS, '-')))
  return rows.length > 1 || rows[0]!.length > 1 ? rows : null
}

/**
 * Writes copied cells down the rows and across the tiers. An empty one leaves its discount unchanged. Returns how many
 * were written.
 */
export function paste(edits: DiscountEdits, { rows, tiers }: Grid, place: CellKey, cells: string[][]): number {
  const top = rows.findIndex(row => row.packageId === place.packageId)
  const left = tiers.findIndex(tier => tier.id === place.tierId)
  const written = cells.flatMap((texts, down) =>
    texts.flatMap((text, across): Cell[] => {
      const [row, tier] = [rows[top + down], tiers[left + across]]
      return row && tier && text !== '' ? [typedInto(cellOf(edits, row, tier.id), text)] : []
    }),
  )
  edits.put(...written)
  return written.length
}
