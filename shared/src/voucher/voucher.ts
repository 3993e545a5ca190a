import { keysOf } from '../table.ts'

/** What becomes of a code that the shop has. */
export const VOUCHER_STATE = {
  free: { label: 'พร้อมขาย', tone: 'ok' },
  reserved: { label: 'จองแล้ว', tone: 'warn' },
  sold: { label: 'ขายแล้ว', tone: 'plain' },
  /** Taken out of sale by staff; one that a buyer had was replaced. */
  withdrawn: { label: 'ถอนแล้ว', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: string }>
export type VoucherState = keyof typeof VOUCHER_STATE
export const VOUCHER_STATES = keysOf(VOUCHER_STATE)

/** The most rows of a file of codes. */
export const MOST_CODES = 20_000
/** The largest file of codes, in bytes. */
export const CODE_FILE_BYTES = 4_000_000
/** A file that was looked at can be imported for so long. */
export const DRAFT_SECONDS = 3600
/** Staff are warned of codes that expire within so many days. */
export const EXPIRING_DAYS = 30

/** What is known of a code that an order has. */
interface HadCode {
  /** Whether its buyer, or somebody of the staff, has looked at the whole code. */
  isSeen: boolean
  /** Whether it took the place of another: both are the same piece of the order. */
  isReplacement: boolean
}

/**
 * Tells whether a code is replaced only with evidence that it is bad and by two people. One that nobody has looked at can't
 * have been used; the first such code of a piece is replaced on one person's word.
 */
export const takesEvidence = ({ isSeen, isReplacement }: HadCode): boolean => isSeen || isReplacement

/** Tells whether so few codes are left that staff are told; a package without a mark never has too few. */
export const isStockLow = ({ free, lowStock }: { free: number; lowStock: number }): boolean =>
  lowStock > 0 && free <= lowStock
