import type { Satang } from '../money.ts'
import type { Tone } from '../order/status.ts'
import { keysOf } from '../table.ts'

/**
 * The state of a line of a bank statement. `out` is money that left the account; all others came in. `void` means that
 * its key's lines were taken back, so nobody knows whether the movement is real; a later report of it makes a new line.
 */
export type LineState = 'unmatched' | 'matched' | 'credited' | 'owed' | 'payout' | 'ignored' | 'out' | 'void'

/** The decisions that a person can make about a line, in the order of the buttons. */
export const LINE_STEPS = ['match', 'bookPayout', 'creditWallet', 'oweRefund', 'ignore', 'undo'] as const
export type LineStep = (typeof LINE_STEPS)[number]

/**
 * The steps in a line's history: the decisions; `trust` when somebody vouched for its balance; `void` when it was taken
 * back with its key, `dispute` when that was not possible, and `settle` when somebody dealt with that.
 */
export const LINE_EVENTS = [...LINE_STEPS, 'trust', 'void', 'dispute', 'settle'] as const
export type LineEventStep = (typeof LINE_EVENTS)[number]

interface LineStateEntry {
  label: string
  tone: Tone
  /** Whether somebody must still decide what it is. */
  isOpen: boolean
  /** Whether its money is in the books: for an order, a top-up, a wallet, as a refund that is owed, or as a gateway's payout. */
  isBooked: boolean
  /** Every possible decision and its result. Anything else is LINE_STEP_NOT_ALLOWED. */
  steps: Partial<Record<LineStep, LineState>>
}

const states = {
  unmatched: {
    label: 'ยังไม่มีคำสั่งซื้อ',
    tone: 'warn',
    isOpen: true,
    isBooked: false,
    steps: { match: 'matched', bookPayout: 'payout', creditWallet: 'credited', oweRefund: 'owed', ignore: 'ignored' },
  },
  matched: { label: 'จับคู่แล้ว', tone: 'ok', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  credited: { label: 'เข้ากระเป๋าเงินแล้ว', tone: 'ok', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  owed: { label: 'รอคืนเงิน', tone: 'accent', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  payout: {
    label: 'รับยอดโอนแล้ว',
    tone: 'ok',
    isOpen: false,
    isBooked: true,
    steps: { undo: 'unmatched' },
  },
  ignored: { label: 'ไม่เกี่ยวข้อง', tone: 'neutral', isOpen: false, isBooked: false, steps: { undo: 'unmatched' } },
  out: { label: 'เงินออก', tone: 'neutral', isOpen: false, isBooked: false, steps: {} },
  void: { label: 'เพิกถอนแล้ว', tone: 'bad', isOpen: false, isBooked: false, steps: {} },
} satisfies Record<LineState, LineStateEntry>

/** The table of all states of lines. */
export const LINE_STATE: Record<LineState, LineStateEntry> = states
export const LINE_STATES = keysOf(states)

/** Returns the decisions that are possible in a state, in the order of the buttons. */
export const stepsOf = (state: LineState): LineStep[] => LINE_STEPS.filter(step => LINE_STATE[state].steps[step])

/** The things that a line can be the money of. */
export const TARGET_KINDS = ['order', 'topUp'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export interface LineTarget {
  kind: TargetKind
  id: string
  no: string
}

/** A movement on a receiving account with the bank's facts, which never change, and the shop's decision about it. */
export interface StatementLine {
  id: string
  receivingAccountId: number
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  /** Precise to the second or the minute; null when the bank gives only the day. */
  at: Date | null
  /** The precision of `at`: 1 or 60. */
  precisionSeconds: number | null
  /** Positive for money in. */
  amountSatang: Satang
  balanceSatang: Satang | null
  detail: string
  /** The three-digit code of the sender's bank, if the detail names it. */
  fromBank: string | null
  /** The visible part of the sender's account, e.g. "x1234". */
  fromAccount: string | null
  channel: string | null
  state: LineState
  version: number
  target: LineTarget | null
  /** The wallet that its money was put on; only for `credited` lines. */
  walletId: string | null
  /** Whether its match is what paid the order; undoing the match then undoes the payment. */
  hasPaid: boolean
}

/** What happens to money above an amount: it is owed back, put on the buyer's wallet, or kept. */
export const OVERPAID = ['owe', 'credit', 'keep'] as const
export type Overpaid = (typeof OVERPAID)[number]

/** An entry of a line's history. */
export interface LineEvent {
  step: LineEventStep
  target: LineTarget | null
  /** null when the shop itself decided. */
  actorUid: string | null
  reason: string | null
  at: Date
}

/** The specification lets people look at statements of the last three months. */
export const STATEMENT_MONTHS = 3
