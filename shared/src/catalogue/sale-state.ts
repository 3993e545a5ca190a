/** What still keeps a game or a package out of the shop. The server and the back office judge by the same function. */

import { bangkokDay, formatDay } from '../time.ts'
import { isOnSale, listPriceAt, type PriceRow } from './pricing.ts'

/** The first thing that is missing, the one nearest to a sale last. */
export const SALE_GAPS = [
  'noPackages',
  'packageOff',
  'noPrices',
  'pricesOff',
  'over',
  'notBegun',
  'belowCost',
  'gameOff',
] as const
export type SaleGap = (typeof SALE_GAPS)[number]

export interface SaleState {
  /** null while something is on sale. */
  gap: SaleGap | null
  /** The day on which a sale begins that has not begun. */
  fromDay: string | null
}

/** A package as far as its sale is concerned. */
export interface SoldAs {
  isActive: boolean
  prices: readonly PriceRow[]
  /** Whether its cost has passed its price, see `isBelowCost`. */
  isBelowCost: boolean
}

const isPriced = ({ priceSatang, nextPriceSatang }: PriceRow) => priceSatang > 0 || nextPriceSatang !== null

/** Tells whether a price that is switched on begins to be sold on a later day. */
const isToCome = (row: PriceRow, today: string) =>
  row.startDay > today || (row.priceSatang === 0 && row.nextDay !== null)

/** Returns whether a package is on sale in some way of paying, or what it still needs. */
export function packageSaleOf({ isActive, prices, isBelowCost }: SoldAs, now: Date): SaleState {
  const today = bangkokDay(now)
  const gap = (what: SaleGap, fromDay: string | null = null): SaleState => ({ gap: what, fromDay })
  const opened = prices.filter(row => row.isActive)
  if (!isActive) return gap('packageOff')
  if (opened.some(row => isOnSale(row, now))) return isBelowCost ? gap('belowCost') : { gap: null, fromDay: null }
  if (!prices.some(isPriced)) return gap('noPrices')
  if (opened.length === 0) return gap('pricesOff')
  const toCome = opened
    .filter(row => isToCome(row, today))
    .map(row => (row.startDay > today ? row.startDay : row.nextDay!))
  return toCome.length > 0 ? gap('notBegun', toCome.toSorted()[0]) : gap('over')
}

/** Returns the same of a game: what the package that is nearest to a sale needs. */
export function gameSaleOf(game: { isActive: boolean }, packages: readonly SoldAs[], now: Date): SaleState {
  const states = packages.map(each => packageSaleOf(each, now))
  if (states.some(({ gap }) => gap === null)) return { gap: game.isActive ? null : 'gameOff', fromDay: null }
  const rank = ({ gap, fromDay }: SaleState) => [SALE_GAPS.length - SALE_GAPS.indexOf(gap!), fromDay ?? ''].join()
  return states.toSorted((a, b) => rank(a).localeCompare(rank(b)))[0] ?? { gap: 'noPackages', fromDay: null }
}

/** What is said of each, and what is to be done about it. */
const WORDS: Record<SaleGap, { text: string; todo: string }> = {
  noPackages: { text: 'ยังไม่มีแพ็กเกจ', todo: 'เพิ่มแพ็กเกจพร้อมราคา เกมจึงขึ้นหน้าร้าน' },
  packageOff: { text: 'แพ็กเกจปิดอยู่', todo: 'เปิดใช้งานแพ็กเกจ' },
  noPrices: { text: 'ยังไม่มีราคา', todo: 'ตั้งราคาให้แพ็กเกจ' },
  pricesOff: { text: 'ยังไม่เปิดขาย', todo: 'มีราคาแล้วแต่ยังไม่เปิดสวิตช์เปิดขาย' },
  over: { text: 'หมดช่วงขาย', todo: 'เลื่อนวันหมดอายุของราคา' },
  notBegun: { text: 'ยังไม่เริ่มขาย', todo: 'จะขึ้นหน้าร้านเองเมื่อถึงวันเริ่มจำหน่าย' },
  belowCost: { text: 'หยุดขาย ต้นทุนเกินราคา', todo: 'ขึ้นราคา หรือให้ผู้จัดการอีกคนยืนยันราคาที่ขาดทุน' },
  gameOff: { text: 'เกมปิดอยู่', todo: 'แพ็กเกจพร้อมขายแล้ว เปิดใช้งานเกมเพื่อขึ้นหน้าร้าน' },
}

/** "ยังไม่มีราคา", "เริ่มขาย 25/11/2026" */
export const saleGapText = (gap: SaleGap, fromDay: string | null): string =>
  fromDay ? `เริ่มขาย ${formatDay(fromDay)}` : WORDS[gap].text

export const saleGapTodo = (gap: SaleGap): string => WORDS[gap].todo

/** Days before the end of a sale on which its last day is shown. */
const ENDS_SOON_DAYS = 45

/** Returns what a price will be or why nobody pays it, in short words; empty for one that just is on sale. */
export function priceNotesOf(row: PriceRow, now: Date): string[] {
  const today = bangkokDay(now)
  const soon = bangkokDay(new Date(now.getTime() + ENDS_SOON_DAYS * 86_400_000))
  const { startDay, endDay, nextPriceSatang, nextDay } = row
  if (!row.isActive) return ['ปิดขาย']
  if (endDay !== null && endDay < today) return [`หมดช่วงขาย ${formatDay(endDay)}`]
  const notes = startDay > today ? [`เริ่ม ${formatDay(startDay)}`] : []
  if (nextPriceSatang !== null && nextDay !== null && listPriceAt(row, now) !== nextPriceSatang)
    notes.push(`${nextPriceSatang / 100} ตั้งแต่ ${formatDay(nextDay)}`)
  return endDay !== null && endDay <= soon ? [...notes, `ถึง ${formatDay(endDay)}`] : notes
}
