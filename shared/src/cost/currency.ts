import { keysOf } from '../table.ts'
import { DAY_MS } from '../time.ts'

interface CurrencyEntry {
  label: string
  /** Whether the Bank of Thailand tells the price of one unit of it; of others, people type it. */
  isAtBank: boolean
}

/** The currencies that suppliers bill in, beside the baht. */
export const CURRENCY = {
  USD: { label: 'ดอลลาร์สหรัฐ', isAtBank: true },
  EUR: { label: 'ยูโร', isAtBank: true },
  GBP: { label: 'ปอนด์สเตอร์ลิง', isAtBank: true },
  SGD: { label: 'ดอลลาร์สิงคโปร์', isAtBank: true },
  MYR: { label: 'ริงกิตมาเลเซีย', isAtBank: true },
  CNY: { label: 'หยวน', isAtBank: true },
  HKD: { label: 'ดอลลาร์ฮ่องกง', isAtBank: true },
  // The bank tells the price of more than one unit of these, or no price at all.
  IDR: { label: 'รูเปียห์', isAtBank: false },
  KZT: { label: 'เทงเก', isAtBank: false },
  RUB: { label: 'รูเบิล', isAtBank: false },
} as const satisfies Record<string, CurrencyEntry>
export type Currency = keyof typeof CURRENCY
export const CURRENCIES = keysOf(CURRENCY)
export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCY, code)

/** What stands in a rate's source when the Bank of Thailand told it; else the person who typed it. */
export const BANK_SOURCE = 'bot'

/** The bank publishes on working days only; the longest holidays last some days. */
const OLD_DAYS = 5
export const isRateOld = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > OLD_DAYS * DAY_MS

/** An amount of baht for one unit, as a person types it: "34.62". */
export const RATE_TEXT = /^(?!0+(\.0+)?$)\d{1,6}(\.\d{1,6})?$/
