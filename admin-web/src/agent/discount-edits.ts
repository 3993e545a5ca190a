import { isFree, MAX_DISCOUNT_SATANG } from '@shop/shared/agent/agent.ts'
import type { BenefitRow, listBenefits } from '@shop/shared/agent/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { formatBahtShort, type Satang } from '@shop/shared/money.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { bahtText } from '../ui/baht-text.ts'

export type Grid = Reply<typeof listBenefits>
export type Tier = Grid['tiers'][number]

/** Identifies a discount by package and tier. */
export interface CellKey {
  packageId: number
  tierId: number
}

/** One discount of the grid: the server's value and the changed one. */
export interface Cell extends CellKey {
  game: string
  packageName: string
  priceSatang: Satang
  /** The cost of one piece; null when unknown. */
  costSatang: Satang | null
  saved: { discountSatang: Satang; isActived: boolean }
  /** The typed text, in baht. */
  discountText: string
  isActived: boolean
}

export const keyOf = (cell: CellKey): string => `${cell.packageId}/${cell.tierId}`

/** Returns the cell of a row and tier with the server's value. */
function savedCell(row: BenefitRow, tierId: number): Cell {
  const { discountSatang = 0, isActived = false } = row.details.find(each => each.tierId === tierId) ?? {}
  return {
    packageId: row.packageId,
    tierId,
    game: row.game,
    packageName: row.package,
    priceSatang: row.priceSatang,
    costSatang: row.costSatang,
    saved: { discountSatang, isActived },
    discountText: bahtText(discountSatang),
    isActived,
  }
}

/**
 * Converts typed text to satang; empty text is no discount, null is not an amount. "7%" is that part of the price in
 * whole baht, so that one discount fits packages of different prices.
 */
export function discountOf({ discountText, priceSatang }: Pick<Cell, 'discountText' | 'priceSatang'>): Satang | null {
  const typed = discountText.trim()
  if (typed === '') return 0
  if (!typed.endsWith('%')) return parseBaht(typed)
  const hundredths = parseBaht(typed.slice(0, -1))
  return hundredths === null ? null : Math.round((priceSatang * hundredths) / 10_000 / 100) * 100
}

/** Returns what is wrong with a discount, in words; null when it can be saved. */
export function problemOf(cell: Pick<Cell, 'discountText' | 'priceSatang'>): string | null {
  const discountSatang = discountOf(cell)
  const typed = cell.discountText.trim()
  const isShare = typed.endsWith('%')
  const most = formatBahtShort(MAX_DISCOUNT_SATANG)
  const range = isShare ? 'ส่วนลดต้องเป็น 0–100%' : `ส่วนลดต้องเป็น 0–${most} บาท`
  if (discountSatang === null) return commaQuestion(typed.replace(/%$/, '')) ?? range
  if (isShare && discountSatang > cell.priceSatang) return range
  // Who typed a share has no amount before them.
  if (isShare && discountSatang > MAX_DISCOUNT_SATANG)
    return `${typed} คือ ${formatBahtShort(discountSatang)} บาท สูงสุด ${most} บาท`
  if (discountSatang > MAX_DISCOUNT_SATANG) return range
  return discountSatang > cell.priceSatang ? errorMessage('DISCOUNT_ABOVE_PRICE') : null
}

/** Tells whether the tier would pay nothing. */
export const isFreeCell = (cell: Cell): boolean => isFree(discountOf(cell) ?? 0, cell.isActived, cell.priceSatang)

/** Tells whether the shop would pay for what the tier buys. */
export const isLossCell = (cell: Cell): boolean =>
  cell.isActived && cell.costSatang !== null && cell.priceSatang - (discountOf(cell) ?? 0) < cell.costSatang

const isChanged = (cell: Cell) =>
  discountOf(cell) !== cell.saved.discountSatang || cell.isActived !== cell.saved.isActived

const isAmount = (cell: Pick<Cell, 'discountText' | 'priceSatang'>) => (discountOf(cell) ?? 0) > 0

/**
 * Returns a cell after typing. The first amount where there was no discount switches it on; removing that amount
 * restores the switch.
 */
export function typedInto(cell: Cell, discountText: string): Cell {
  const next = { ...cell, discountText }
  const isFirst = cell.saved.discountSatang === 0 && isAmount(cell) !== isAmount(next)
  return { ...next, isActived: isFirst ? isAmount(next) || cell.saved.isActived : cell.isActived }
}

export type DiscountEdits = ReturnType<typeof createDiscountEdits>

/**
 * Holds the unsaved changes of the grid. Each cell subscribes to itself only, so that typing redraws one cell and not
 * hundreds.
 */
export function createDiscountEdits() {
  let edits: ReadonlyMap<string, Cell> = new Map()
  let current: CellKey | null = null
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const replace = (next: ReadonlyMap<string, Cell>) => {
    edits = next
    tell()
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Returns every changed cell; the same map until something changes. */
    getAll: () => edits,
    get: (key: string) => edits.get(key),
    /** Returns the cell that was focused last, where filling begins. */
    getCurrent: () => current,
    setCurrent: (place: CellKey) => {
      current = place
      tell()
    },
    /** Stores cells that differ from what is saved, and removes those that no longer do. */
    put: (...cells: Cell[]) => {
      const next = new Map(edits)
      for (const cell of cells) {
        if (isChanged(cell)) next.set(keyOf(cell), cell)
        else next.delete(keyOf(cell))
      }
      replace(next)
    },
    clear: () => replace(new Map()),
    /** Removes what was saved, except cells that were changed again in the meantime. */
    settle: (sent: ReadonlyMap<string, Cell>) =>
      replace(new Map([...edits].filter(([key, cell]) => sent.get(key) !== cell))),
  }
}

/** Returns the current cell. The row's price is newer than the edit's. */
export function cellOf(edits: DiscountEdits, row: BenefitRow, tierId: number): Cell {
  const saved = savedCell(row, tierId)
  const edit = edits.get(keyOf(saved))
  return edit ? { ...edit, priceSatang: saved.priceSatang, saved: saved.saved } : saved
}

/** Returns the changed cells in the API's form, by package. */
export function rowsToSave(cells: Iterable<Cell>) {
  const rows = new Map<number, { tierId: number; discountSatang: Satang; isActived: boolean }[]>()
  for (const cell of cells) {
    const details = rows.get(cell.packageId) ?? []
    details.push({ tierId: cell.tierId, discountSatang: discountOf(cell) ?? 0, isActived: cell.isActived })
    rows.set(cell.packageId, details)
  }
  return [...rows].map(([packageId, details]) => ({ packageId, details }))
}
