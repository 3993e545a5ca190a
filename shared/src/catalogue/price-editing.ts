/** Prices as staff edit them, and explanations of prices for staff. The prices that buyers pay are in pricing.ts. */

import { formatBahtShort, type Satang } from '../money.ts'
import { bangkokDay, DAY_MS, formatDay, startOfBangkokDay } from '../time.ts'
import { PAYMENT_METHOD, type PriceCode } from './payment-method.ts'
import { isOnSale, listPriceAt, type PriceRow, sellingPriceOf } from './pricing.ts'

/** A price while staff edit it, so any field may still be empty. Amounts are satang. */
export interface PriceEdit {
  payment: PriceCode
  priceSatang: Satang | null
  startDay: string | null
  /** null = no end. */
  endDay: string | null
  isActive: boolean
  /** A price that replaces this one from a Bangkok day on; both are set or neither. */
  nextPriceSatang: Satang | null
  nextDay: string | null
}

/** Returns the first price of a payment method: from today on without an end, switched off. */
export function defaultPrice(payment: PriceCode, now: Date): PriceEdit {
  const today = bangkokDay(now)
  const rest = { isActive: false, nextPriceSatang: null, nextDay: null }
  return { payment, priceSatang: 0, startDay: today, endDay: null, ...rest }
}

/** Returns the price with its next one in its place if that one's day has come; staff see and save this. */
export function settled<P extends Pick<PriceEdit, 'priceSatang' | 'nextPriceSatang' | 'nextDay'>>(
  price: P,
  now: Date,
): P {
  const { nextPriceSatang, nextDay } = price
  if (nextPriceSatang === null || nextDay === null || nextDay > bangkokDay(now)) return price
  return { ...price, priceSatang: nextPriceSatang, nextPriceSatang: null, nextDay: null }
}

const isWhole = (priceSatang: Satang) => priceSatang % 100 === 0

/** The most that one piece may cost. */
export const MOST_PRICE_SATANG: Satang = 1_000_000_00

/** What is wrong with an edited price and in which field, in the words of the price dialog. */
export interface PriceFault {
  at: keyof PriceEdit
  text: string
}

/** Returns what is wrong with an edited price whenever it is saved; null when nothing is. */
export function priceFault(edit: PriceEdit): PriceFault | null {
  return amountFault(edit) ?? nextFault(edit)
}

function amountFault(edit: PriceEdit): PriceFault | null {
  const method = PAYMENT_METHOD[edit.payment].name
  const { priceSatang, startDay, endDay, isActive } = edit
  const unreadable = `กรุณาใส่ข้อมูลราคา ${method} ให้ถูกต้อง`
  const notWhole = `กรุณาใส่ข้อมูลราคา ${method} เป็นจำนวนเต็ม`
  const incomplete = `กรุณาใส่ข้อมูล ${method} ให้ครบ`
  if (priceSatang === null || priceSatang < 0) return { at: 'priceSatang', text: unreadable }
  if (!isWhole(priceSatang)) return { at: 'priceSatang', text: notWhole }
  if (priceSatang > MOST_PRICE_SATANG) return { at: 'priceSatang', text: tooHigh(method) }
  if (isActive && priceSatang === 0) return { at: 'priceSatang', text: incomplete }
  if (!startDay) return { at: 'startDay', text: isActive ? incomplete : `วันเริ่มจำหน่าย, หมดอายุ ${method} ต้องไม่ว่าง` }
  if (endDay !== null && startDay > endDay) return { at: 'startDay', text: `วันเริ่มจำหน่าย ${method} มากกว่า วันหมดอายุ` }
  return null
}

const tooHigh = (method: string) => `ราคา ${method} ต้องไม่เกิน ${formatBahtShort(MOST_PRICE_SATANG)} บาท`

/** A planned price must hold for at least a day, so it begins before the sale is over. */
function nextFault({ payment, endDay, nextPriceSatang, nextDay }: PriceEdit): PriceFault | null {
  const method = PAYMENT_METHOD[payment].name
  if (nextPriceSatang === null && nextDay === null) return null
  if (nextPriceSatang === null || nextDay === null)
    return {
      at: nextDay === null ? 'nextDay' : 'nextPriceSatang',
      text: `กรุณาใส่ราคาล่วงหน้าและวันเริ่มของ ${method} ให้ครบ`,
    }
  if (nextPriceSatang <= 0) return { at: 'nextPriceSatang', text: `กรุณาใส่ข้อมูลราคา ${method} ให้ถูกต้อง` }
  if (!isWhole(nextPriceSatang)) return { at: 'nextPriceSatang', text: `กรุณาใส่ข้อมูลราคา ${method} เป็นจำนวนเต็ม` }
  if (nextPriceSatang > MOST_PRICE_SATANG) return { at: 'nextPriceSatang', text: tooHigh(method) }
  if (endDay !== null && nextDay > endDay)
    return {
      at: 'nextDay',
      text: `ราคาล่วงหน้าของ ${method} เริ่ม ${formatDay(nextDay)} แต่หมดช่วงขาย ${formatDay(endDay)} จะไม่มีวันได้ใช้ กรุณาเลื่อนวันหมดอายุหรือเลือกไม่มีกำหนด`,
    }
  return null
}

/**
 * Returns what is wrong with an edited price if it is saved today over the one that was there: days that are chosen now
 * may not have passed. A price on sale keeps the day it began.
 */
export function priceFaultNow(edit: PriceEdit, was: PriceEdit | undefined, now: Date): PriceFault | null {
  const method = PAYMENT_METHOD[edit.payment].name
  const { startDay, endDay, isActive, nextDay } = edit
  const today = bangkokDay(now)
  const fault = priceFault(edit)
  if (fault) return fault
  const isOpened = isActive && !was?.isActive
  if (isActive && startDay !== null && startDay < today && startDay !== was?.startDay)
    return { at: 'startDay', text: `วันเริ่มจำหน่าย ${method} ผ่านไปแล้ว กรุณาเลือกวันนี้หรือหลังจากนี้` }
  if (isActive && endDay !== null && endDay < today && (isOpened || endDay !== was?.endDay))
    return { at: 'endDay', text: `วันหมดอายุ ${method} ผ่านไปแล้ว จะไม่มีวันได้ขาย` }
  if (nextDay !== null && nextDay <= today)
    return { at: 'nextDay', text: `ราคาล่วงหน้าของ ${method} ต้องเริ่มพรุ่งนี้หรือหลังจากนี้ หากใช้วันนี้ให้แก้ราคาปัจจุบัน` }
  return null
}

/** Returns only the text. */
export const priceProblem = (edit: PriceEdit): string | null => priceFault(edit)?.text ?? null

/** A change of many prices at once. New prices are rounded to the nearest whole baht. */
export type PriceChange =
  | { by: 'amount'; satang: Satang }
  | { by: 'percent'; percent: number }
  | { by: 'set'; satang: Satang }

/** Returns the price after a change, in satang: whole baht and never below zero. */
export function changedPrice(priceSatang: Satang, change: PriceChange): Satang {
  const wanted =
    change.by === 'set'
      ? change.satang
      : change.by === 'amount'
        ? priceSatang + change.satang
        : (priceSatang * (100 + change.percent)) / 100
  return Math.max(0, Math.round(wanted / 100) * 100)
}

/** Explains what somebody would pay for one piece at a moment. */
export interface PriceExplanation {
  /** The amount they would pay; null when it is not sold then. */
  paysSatang: Satang | null
  listSatang: Satang | null
  discountSatang: Satang
  /** The steps of the calculation in words, in their order. */
  reasons: string[]
}

/** Returns why a price row is not on sale at a moment, in words; null when it is. */
function notSoldBecause(row: PriceRow | null, now: Date): string | null {
  if (!row) return 'ไม่มีราคาสำหรับช่องทางนี้'
  if (!row.isActive) return 'ราคาถูกปิดไว้'
  if (isOnSale(row, now)) return null
  if (now < startOfBangkokDay(row.startDay)) return `ยังไม่เริ่มจำหน่าย (เริ่ม ${formatDay(row.startDay)} 00:00 น.)`
  if (row.endDay !== null && now.getTime() >= startOfBangkokDay(row.endDay).getTime() + DAY_MS)
    return `หมดช่วงจำหน่ายแล้ว (สิ้นวัน ${formatDay(row.endDay)})`
  return 'ราคาเป็น 0 บาท'
}

/** Explains one price row for one tier at one moment. */
export function explainPrice(
  row: PriceRow | null,
  tier: { name: string; discountSatang: Satang } | null,
  now: Date,
): PriceExplanation {
  const off = notSoldBecause(row, now)
  if (off || !row)
    return { paysSatang: null, listSatang: row?.priceSatang ?? null, discountSatang: 0, reasons: [off ?? ''] }
  const priceSatang = listPriceAt(row, now)
  const reasons = [`ราคาตั้งของวันที่ ${formatDay(bangkokDay(now))}`]
  if (row.nextDay !== null && priceSatang !== row.priceSatang)
    reasons.push(`ราคาล่วงหน้ามีผลตั้งแต่ ${formatDay(row.nextDay)} 00:00 น.`)
  reasons.push(row.endDay === null ? 'ไม่มีวันหมดอายุ' : `จำหน่ายถึงสิ้นวัน ${formatDay(row.endDay)}`)
  const discountSatang = tier?.discountSatang ?? 0
  reasons.push(
    tier ? (discountSatang > 0 ? `ส่วนลดของ Tier ${tier.name}` : `Tier ${tier.name} ไม่มีส่วนลด`) : 'ไม่ใช่ตัวแทน ไม่มีส่วนลด',
  )
  return {
    paysSatang: sellingPriceOf({ priceSatang, discountSatang }),
    listSatang: priceSatang,
    discountSatang,
    reasons,
  }
}
