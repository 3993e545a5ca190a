import type { Satang } from '../money.ts'
import type { Tone } from '../order/status.ts'

/**
 * What became of a line of a bank statement. `out` is money that left; the others came in. `void`: its key was taken back,
 * nobody knows whether there was such a movement; a source that tells of it again makes a line of its own.
 */
export type LineState = 'unmatched' | 'matched' | 'credited' | 'owed' | 'ignored' | 'out' | 'void'

/** What a person can decide about a line, in the order of the buttons. */
export const LINE_STEPS = ['match', 'creditWallet', 'oweRefund', 'ignore', 'undo'] as const
export type LineStep = (typeof LINE_STEPS)[number]

/**
 * What the history of a line tells: what people decided about it, that its balance was believed on somebody's word, that it
 * was taken back with its key or could not be, and that somebody settled that.
 */
export const LINE_EVENTS = [...LINE_STEPS, 'trust', 'void', 'dispute', 'settle'] as const
export type LineEventStep = (typeof LINE_EVENTS)[number]

interface LineStateEntry {
  label: string
  tone: Tone
  /** Somebody still has to say what it is. */
  isOpen: boolean
  /** Its money stands in the books: for an order, a top-up, a wallet, or as a refund that is owed. */
  isBooked: boolean
  /** Every decision that is possible and where it leads. Anything else is LINE_STEP_NOT_ALLOWED. */
  steps: Partial<Record<LineStep, LineState>>
}

const states = {
  unmatched: {
    label: 'ยังไม่มีคำสั่งซื้อ',
    tone: 'warn',
    isOpen: true,
    isBooked: false,
    steps: { match: 'matched', creditWallet: 'credited', oweRefund: 'owed', ignore: 'ignored' },
  },
  matched: { label: 'จับคู่แล้ว', tone: 'ok', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  credited: { label: 'เข้ากระเป๋าเงินแล้ว', tone: 'ok', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  owed: { label: 'รอคืนเงิน', tone: 'accent', isOpen: false, isBooked: true, steps: { undo: 'unmatched' } },
  ignored: { label: 'ไม่เกี่ยวข้อง', tone: 'neutral', isOpen: false, isBooked: false, steps: { undo: 'unmatched' } },
  out: { label: 'เงินออก', tone: 'neutral', isOpen: false, isBooked: false, steps: {} },
  void: { label: 'เพิกถอนแล้ว', tone: 'bad', isOpen: false, isBooked: false, steps: {} },
} satisfies Record<LineState, LineStateEntry>

/** The one table of a line's states. */
export const LINE_STATE: Record<LineState, LineStateEntry> = states
export const LINE_STATES = Object.keys(states) as LineState[]

/** What may be decided about a line, in the order of the buttons. */
export const stepsOf = (state: LineState): LineStep[] => LINE_STEPS.filter(step => LINE_STATE[state].steps[step])

/** What a line can be the money of. */
export const TARGET_KINDS = ['order', 'topUp'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export interface LineTarget {
  kind: TargetKind
  id: string
  no: string
}

/** One movement on a receiving account, as the bank told it. Never edited; what it is for is decided beside it. */
export interface StatementLine {
  id: string
  receivingAccountId: number
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  /** To the second or minute, as the bank tells it; null when it tells the day only. */
  at: Date | null
  /** How wide `at` is: 1 or 60. */
  precisionSeconds: number | null
  /** Positive when it came in. */
  amountSatang: Satang
  balanceSatang: Satang | null
  detail: string
  /** Three-digit bank code, where the detail tells. */
  fromBank: string | null
  /** What can be seen of the payer's account, e.g. "x1234". */
  fromAccount: string | null
  channel: string | null
  state: LineState
  version: number
  target: LineTarget | null
  /** The wallet its money was put on, for `credited` ones. */
  walletId: string | null
  /** Its match is what paid the order: undoing it takes that back. */
  hasPaid: boolean
}

/** What becomes of money above an amount: it is owed back, put on the buyer's wallet, or kept. */
export const OVERPAID = ['owe', 'credit', 'keep'] as const
export type Overpaid = (typeof OVERPAID)[number]

/** What was decided about a line, as its history keeps it. */
export interface LineEvent {
  step: LineEventStep
  target: LineTarget | null
  /** null = the shop itself. */
  actorUid: string | null
  reason: string | null
  at: Date
}

/** The rule of the specification: statements are looked at over the last three months. */
export const STATEMENT_MONTHS = 3
