import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceChange } from '@shop/shared/catalogue/price-editing.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import type { BulkAction } from './use-bulk-change.ts'

export interface BulkPriceValues {
  payment: PriceCode
  how: keyof typeof HOW
  unit: 'baht' | 'percent'
  /** The typed text, in baht or per cent. */
  size: string
  when: 'now' | 'later'
  fromDay?: string | null
}

/** The directions in which a price can change. */
export const HOW = {
  more: { label: 'เพิ่มราคา', sign: 1 },
  less: { label: 'ลดราคา', sign: -1 },
  set: { label: 'กำหนดราคา', sign: 0 },
} as const

/** The limits of the contract, in per cent. */
const MOST = { more: 1000, less: 99 }

/** Returns what is wrong with the size of a change, in words; null when nothing is. */
export function sizeProblem({ how, unit, size }: Pick<BulkPriceValues, 'how' | 'unit' | 'size'>): string | null {
  const asked = commaQuestion(size)
  if (asked) return asked
  const amount = parseBaht(size)
  if (amount === null || amount === 0) return how === 'set' ? 'กรุณากรอกราคาใหม่' : 'กรุณากรอกจำนวน'
  if (how === 'set') return amount % 100 === 0 ? null : 'กรุณากรอกราคาเป็นจำนวนเต็ม'
  if (unit === 'percent' && amount > MOST[how] * 100) return `กรุณากรอกไม่เกิน ${MOST[how]}%`
  return null
}

/** Returns the change from a filled-in form. Per cents are read like amounts, because both have two decimals. */
function changeOf({ how, unit, size }: BulkPriceValues): PriceChange {
  const amount = parseBaht(size) ?? 0
  const { sign } = HOW[how]
  if (how === 'set') return { by: 'set', satang: amount }
  return unit === 'baht' ? { by: 'amount', satang: sign * amount } : { by: 'percent', percent: (sign * amount) / 100 }
}

export function priceActionOf(values: BulkPriceValues): BulkAction {
  const { payment, when, fromDay } = values
  const action = { kind: 'price' as const, payment, change: changeOf(values) }
  return when === 'later' && fromDay ? { ...action, fromDay } : action
}
