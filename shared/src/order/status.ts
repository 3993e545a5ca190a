import type { Caller } from '../permissions.ts'
import { keysOf } from '../table.ts'

export type OrderStatus =
  | 'waiting_payment'
  | 'paid'
  | 'processing'
  | 'success'
  | 'cancel'
  | 'expired'
  | 'failed'
  | 'refunding'
  | 'refunded'

/**
 * Commands of people for an order (see staff-command.ts), in the order of the buttons: the one that leads on comes
 * last.
 */
export const STAFF_COMMANDS = ['cancel', 'refund', 'fail', 'release', 'markPaid', 'claim', 'complete'] as const

/**
 * All moves of an order; the clock makes `expire`. `redo` gives a failed order another player, see correction.ts.
 * `reopen` and `lapse` follow when the statement line that paid it is removed: its transfer can still come, or its time
 * is over. `sendRefund` follows when the owed money was sent to its buyer.
 */
export type OrderMove = (typeof STAFF_COMMANDS)[number] | 'redo' | 'expire' | 'reopen' | 'lapse' | 'sendRefund'

/**
 * Kinds of events in an order's history. "status" is a change of state; "reference_corrected" is another
 * reference of the same delivery; "player_changed" is one to a player whom its
 * buyer did not propose; "money_confirmed" is a second person's confirmation of its money; "refund_asked" is the buyer's
 * wish to have the money of a failed order back; "payee_given" names the account for a refund; "reduced" makes it an order
 * of the pieces that came; "transfer_chosen" has it paid by a transfer instead of through the gateway.
 */
export const EVENT_KINDS = [
  'created',
  'status',
  'transfer_chosen',
  'transfer_reported',
  'slip_added',
  'claim_released',
  'reference_corrected',
  'player_proposed',
  'player_changed',
  'money_confirmed',
  'refund_asked',
  'payee_given',
  'reduced',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** How a status looks: action needed, under way, good, bad, or over. */
export type Tone = 'warn' | 'accent' | 'ok' | 'bad' | 'neutral'

interface StatusEntry {
  label: string
  tone: Tone
  /** Whether the ledger must hold the order's money as sold; `returned` means that it was held and given back. */
  money: 'none' | 'held' | 'returned'
  /** Whether nobody is expected to act soon, even if some moves are possible. */
  isEnded: boolean
  /** Whether its buyer still waits for goods or money; such orders are always shown first. */
  isRunning: boolean
  /** Whether the customer may read the reason given for it; staff's notes on a payment are always private. */
  tellsReason: boolean
  /** Every legal change and its result. Anything else is ORDER_STATUS_NOT_ALLOWED. */
  moves: Partial<Record<OrderMove, OrderStatus>>
}

const open = { isEnded: false, isRunning: true, tellsReason: false } as const
const ended = { isEnded: true, isRunning: false, tellsReason: false } as const

const statuses = {
  waiting_payment: {
    label: 'รอชำระเงิน',
    tone: 'warn',
    money: 'none',
    ...open,
    moves: { markPaid: 'paid', cancel: 'cancel', expire: 'expired' },
  },
  paid: {
    label: 'ได้รับเงินแล้ว',
    tone: 'accent',
    money: 'held',
    ...open,
    // Only somebody whose claim ended while they worked on it may complete it, see claim.ts.
    moves: {
      claim: 'processing',
      complete: 'success',
      fail: 'failed',
      refund: 'refunding',
      reopen: 'waiting_payment',
      lapse: 'expired',
    },
  },
  processing: {
    label: 'กำลังเติม',
    tone: 'accent',
    money: 'held',
    ...open,
    moves: { complete: 'success', fail: 'failed', refund: 'refunding', release: 'paid' },
  },
  success: { label: 'สำเร็จ', tone: 'ok', money: 'held', ...ended, moves: {} },
  cancel: { label: 'ยกเลิก', tone: 'neutral', money: 'none', ...ended, tellsReason: true, moves: {} },
  expired: {
    label: 'หมดเวลา',
    tone: 'neutral',
    money: 'none',
    ...ended,
    moves: { markPaid: 'paid', cancel: 'cancel' },
  },
  /** Nobody is expected to act soon, but its buyer still waits for goods or money. */
  failed: {
    label: 'เติมไม่สำเร็จ',
    tone: 'bad',
    money: 'held',
    isEnded: true,
    isRunning: true,
    tellsReason: true,
    moves: { refund: 'refunding', redo: 'paid' },
  },
  /** Its money is out of the sales and owed to its buyer; money of a wallet is never on its way, see `refundOrder`. */
  refunding: {
    label: 'รอโอนคืน',
    tone: 'warn',
    money: 'returned',
    isEnded: true,
    isRunning: true,
    tellsReason: true,
    moves: { sendRefund: 'refunded' },
  },
  refunded: { label: 'คืนเงินแล้ว', tone: 'neutral', money: 'returned', ...ended, tellsReason: true, moves: {} },
} satisfies Record<OrderStatus, StatusEntry>
/** The table of all states of orders. */
export const ORDER_STATUS: Record<OrderStatus, StatusEntry> = statuses
export const ORDER_STATUSES = keysOf(statuses)
export const RUNNING_STATUSES = ORDER_STATUSES.filter(status => ORDER_STATUS[status].isRunning)

/** Tells whether the order's money was sold and given back, or is about to be. */
export const isReturned = (status: OrderStatus): boolean => ORDER_STATUS[status].money === 'returned'

export const movesOf = (status: OrderStatus): OrderMove[] => Object.keys(ORDER_STATUS[status].moves) as OrderMove[]

/** Tells whether nothing can happen to the order any more. */
export const isTerminal = (status: OrderStatus): boolean => movesOf(status).length === 0

/** The one who acts: a person with a role, or the shop itself. */
export interface Actor {
  uid: string | null
  role: Caller | 'system'
}
export const SYSTEM: Actor = { uid: null, role: 'system' }
