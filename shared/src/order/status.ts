import type { Caller } from '../permissions.ts'

export type OrderStatus =
  | 'waiting_payment'
  | 'paid'
  | 'processing'
  | 'success'
  | 'cancel'
  | 'expired'
  | 'failed'
  | 'refunded'

/** What people do to an order, as staff-command.ts tells, in the order of the buttons: what leads on comes last. */
export const STAFF_COMMANDS = ['cancel', 'refund', 'fail', 'release', 'markPaid', 'claim', 'complete'] as const

/**
 * What can happen to an order; `expire` is the clock's. `redo` gives a failed one another player, see correction.ts. `reopen` and `lapse` follow when the statement line that paid it
 * is taken away again: its transfer can still come, or its time is over.
 */
export type OrderMove = (typeof STAFF_COMMANDS)[number] | 'redo' | 'expire' | 'reopen' | 'lapse'

/**
 * What an order's history tells of. "status" is a change of state; "player_changed" one to a player whom its buyer did not
 * propose; "money_confirmed" a second person's word that its money is there.
 */
export const EVENT_KINDS = [
  'created',
  'status',
  'transfer_reported',
  'slip_added',
  'claim_released',
  'player_proposed',
  'player_changed',
  'money_confirmed',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** How a status looks: a call to act, under way, done well, done badly, or over. */
export type Tone = 'warn' | 'accent' | 'ok' | 'bad' | 'neutral'

interface StatusEntry {
  label: string
  tone: Tone
  /** Whether the ledger must hold the order's money as sold; `returned` when it held it and gave it back. */
  money: 'none' | 'held' | 'returned'
  /** Nobody is expected to act soon, though some moves may be left. */
  isEnded: boolean
  /** Its buyer still waits for goods or money: however many orders they have, these are shown to them first. */
  isRunning: boolean
  /** Whether the reason given for it is for the customer's eyes; staff's notes on how it was paid never are. */
  tellsReason: boolean
  /** Every legal change and where it leads. Anything else is ORDER_STATUS_NOT_ALLOWED. */
  moves: Partial<Record<OrderMove, OrderStatus>>
}

const statuses = {
  waiting_payment: {
    label: 'รอชำระเงิน',
    tone: 'warn',
    money: 'none',
    isEnded: false,
    isRunning: true,
    tellsReason: false,
    moves: { markPaid: 'paid', cancel: 'cancel', expire: 'expired' },
  },
  paid: {
    label: 'ได้รับเงินแล้ว',
    tone: 'accent',
    money: 'held',
    isEnded: false,
    isRunning: true,
    tellsReason: false,
    // It is completed only by whose claim ran out while they were at it, see claim.ts.
    moves: {
      claim: 'processing',
      complete: 'success',
      fail: 'failed',
      refund: 'refunded',
      reopen: 'waiting_payment',
      lapse: 'expired',
    },
  },
  processing: {
    label: 'กำลังเติม',
    tone: 'accent',
    money: 'held',
    isEnded: false,
    isRunning: true,
    tellsReason: false,
    moves: { complete: 'success', fail: 'failed', refund: 'refunded', release: 'paid' },
  },
  success: {
    label: 'สำเร็จ',
    tone: 'ok',
    money: 'held',
    isEnded: true,
    isRunning: false,
    tellsReason: false,
    moves: {},
  },
  cancel: {
    label: 'ยกเลิก',
    tone: 'neutral',
    money: 'none',
    isEnded: true,
    isRunning: false,
    tellsReason: true,
    moves: {},
  },
  expired: {
    label: 'หมดเวลา',
    tone: 'neutral',
    money: 'none',
    isEnded: true,
    isRunning: false,
    tellsReason: false,
    moves: { markPaid: 'paid', cancel: 'cancel' },
  },
  failed: {
    label: 'เติมไม่สำเร็จ',
    tone: 'bad',
    money: 'held',
    isEnded: true,
    isRunning: true,
    tellsReason: true,
    moves: { refund: 'refunded', redo: 'paid' },
  },
  refunded: {
    label: 'คืนเงินแล้ว',
    tone: 'neutral',
    money: 'returned',
    isEnded: true,
    isRunning: false,
    tellsReason: true,
    moves: {},
  },
} satisfies Record<OrderStatus, StatusEntry>

/** The one table of order states. */
export const ORDER_STATUS: Record<OrderStatus, StatusEntry> = statuses
export const ORDER_STATUSES = Object.keys(statuses) as OrderStatus[]
export const RUNNING_STATUSES = ORDER_STATUSES.filter(status => ORDER_STATUS[status].isRunning)

export const movesOf = (status: OrderStatus): OrderMove[] => Object.keys(ORDER_STATUS[status].moves) as OrderMove[]

/** Whether nothing can happen to the order any more. */
export const isTerminal = (status: OrderStatus): boolean => movesOf(status).length === 0

/** Who acts: a person with a role, or the shop itself. */
export interface Actor {
  uid: string | null
  role: Caller | 'system'
}
export const SYSTEM: Actor = { uid: null, role: 'system' }
