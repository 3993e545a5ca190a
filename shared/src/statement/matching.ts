import { AMOUNT_GRACE_SECONDS, EXPIRY_GRACE_SECONDS } from '../order/order.ts'
import { REPORTED_SECONDS } from '../order/report.ts'
import { isReturned, ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import { addSeconds, DAY_MS, startOfBangkokDay } from '../time.ts'
import { overlap, type Period, periodFor, pointOf, type TransferFacts } from '../transfer/transfer.ts'
import { TOP_UP_SECONDS, type TopUpStatus } from '../wallet/top-up.ts'
import type { LineTarget, StatementLine } from './statement.ts'

/** The clocks of banks may differ from ours by this much. */
const CLOCK_SECONDS = 120

/** A thing that a line's money could be for. */
export interface Payable {
  target: LineTarget
  amountSatang: number
  /** null for a top-up whose account nobody named. */
  receivingAccountId: number | null
  status: OrderStatus | TopUpStatus
  createdAt: Date
  /** An order's deadline; null for top-ups. */
  expiresAt: Date | null
  /** When its money was said to have come: an order was marked paid, a top-up approved. */
  paidAt: Date | null
  /** When it was cancelled, expired or rejected. */
  endedAt: Date | null
  reportedAt: Date | null
  /** The line that is matched to it already. */
  lineId: string | null
  /** When the transfer on its slip was made, if a provider confirmed it. */
  toldAt: Date | null
  /** Whether a correction took back a top-up's money. */
  isCorrected: boolean
  /** Whether it is over and its shop credit is back with its buyer, so that no money can pay it any more. */
  isCreditBack: boolean
}

/** `open` waits for money, `booked` has it in the books, `over` accepts none. */
type Standing = 'open' | 'booked' | 'over'

const TOP_UP_STANDING: Record<TopUpStatus, Standing> = {
  // The gateway's money never comes as a line of its own.
  waiting_payment: 'over',
  waiting_approve: 'open',
  approve: 'booked',
  reject: 'over',
  cancel: 'over',
  expired: 'over',
}

type Stood = Pick<Payable, 'target' | 'status' | 'isCorrected' | 'isCreditBack'>

export function standingOf({ target, status, isCorrected, isCreditBack }: Stood): Standing {
  if (target.kind === 'topUp') return isCorrected ? 'over' : TOP_UP_STANDING[status as TopUpStatus]
  const { money, moves } = ORDER_STATUS[status as OrderStatus]
  if (money !== 'none') return 'booked'
  return moves.markPaid && !isCreditBack ? 'open' : 'over'
}

const earliest = (...moments: (Date | null)[]): Date =>
  moments.reduce<Date | null>((first, each) => (first && (!each || first <= each) ? first : each), null)!

/**
 * Returns the time in which a transfer for it would be made: while its amount was reserved. A matched line changes
 * nothing, so that lines may come in any order.
 */
export function windowOf(payable: Payable): Period {
  const { createdAt, expiresAt, paidAt, endedAt } = payable
  if (payable.target.kind === 'topUp') {
    const seen = paidAt && addSeconds(paidAt, CLOCK_SECONDS)
    return { from: addSeconds(createdAt, -TOP_UP_SECONDS), to: earliest(addSeconds(createdAt, TOP_UP_SECONDS), seen) }
  }
  const from = addSeconds(createdAt, -CLOCK_SECONDS)
  const last = expiresAt && addSeconds(expiresAt, EXPIRY_GRACE_SECONDS)
  // Banks record late what a slip has shown, and a buyer who paid or gave up may pay again until the amount is reused.
  const seen = paidAt && addSeconds(paidAt, AMOUNT_GRACE_SECONDS)
  const given = standingOf(payable) === 'over' && endedAt ? addSeconds(endedAt, AMOUNT_GRACE_SECONDS) : null
  return { from, to: earliest(last, seen, given) }
}

/**
 * Returns the time around which an order's money is said to have come, even when its own time was over and its amount
 * may be another's; null when nobody said so. A report is settled once a line shows its money.
 */
function claimOf(payable: Payable): Period | null {
  const { target, createdAt, paidAt, reportedAt, lineId } = payable
  if (target.kind === 'topUp' || standingOf(payable) === 'over') return null
  const from = addSeconds(createdAt, -CLOCK_SECONDS)
  if (paidAt) return { from, to: addSeconds(paidAt, AMOUNT_GRACE_SECONDS) }
  return reportedAt && lineId === null ? { from, to: addSeconds(reportedAt, REPORTED_SECONDS) } : null
}

export type LineMoment = Pick<StatementLine, 'day' | 'at' | 'precisionSeconds'>

/**
 * Returns when the transfer behind a line was made, as precisely as the bank tells; a line with only a day may be of
 * the day before.
 */
export function momentOf({ day, at, precisionSeconds }: LineMoment): Period {
  if (at) return { from: at, to: new Date(at.getTime() + (precisionSeconds ?? 1) * 1000 - 1) }
  const start = startOfBangkokDay(day).getTime()
  return { from: new Date(start - DAY_MS), to: new Date(start + DAY_MS - 1) }
}

type Money = LineMoment & Pick<StatementLine, 'receivingAccountId' | 'amountSatang'>

export const isOnAccount = (line: Pick<Money, 'receivingAccountId'>, payable: Payable): boolean =>
  payable.receivingAccountId === null || payable.receivingAccountId === line.receivingAccountId

export const isInTime = (line: LineMoment, payable: Payable): boolean => overlap(momentOf(line), windowOf(payable))

const hasAmount = (line: Money, payable: Payable): boolean =>
  line.amountSatang === payable.amountSatang && isOnAccount(line, payable)

/** Tells whether a line has the amount, the account and the time of a payable, whatever its state. */
export const fits = (line: Money, payable: Payable): boolean => hasAmount(line, payable) && isInTime(line, payable)

/** Tells whether a line has an order's amount and account at a time when its money is said to have come. */
function isClaimed(line: Money, payable: Payable): boolean {
  const claim = claimOf(payable)
  return claim !== null && hasAmount(line, payable) && overlap(momentOf(line), claim)
}

/**
 * Returns what matching a line to a payable needs; `impossible` when that has a line already or does not accept the
 * money.
 */
export function needsOf(line: Money, payable: Payable): 'nothing' | 'reason' | 'impossible' {
  const standing = standingOf(payable)
  if (payable.lineId !== null || standing === 'over') return 'impossible'
  const restSatang = line.amountSatang - payable.amountSatang
  // A top-up is approved for its exact amount, and a refund that was made can't have been smaller.
  if (standing === 'open' && payable.target.kind === 'topUp' && restSatang !== 0) return 'impossible'
  if (payable.target.kind === 'order' && isReturned(payable.status as OrderStatus) && restSatang < 0)
    return 'impossible'
  return fits(line, payable) ? 'nothing' : 'reason'
}

/**
 * Returns the things that a line's money could be for. Paid or cancelled ones are included, because they may have been
 * paid again, and so are expired orders whose buyer reported a transfer.
 */
export const fitting = (line: Money, payables: readonly Payable[]): Payable[] =>
  payables.filter(
    payable =>
      (fits(line, payable) || isClaimed(line, payable)) &&
      !(payable.target.kind === 'topUp' && standingOf(payable) === 'over'),
  )

/** Tells whether the transfer that a provider confirmed is this line's, if there is one. */
const isTold = (line: LineMoment, { toldAt }: Payable): boolean | null =>
  toldAt &&
  overlap(
    periodFor({ kind: 'line', lineId: null }, { kind: 'line', lineId: null, made: momentOf(line) }),
    pointOf(toldAt),
  )

/**
 * Returns what a line is matched to without asking anybody: the only thing that it fits, if that still accepts money.
 * When a provider confirmed a slip of that moment, the line goes to the slip's thing; a thing with a slip of another
 * moment waits for another line.
 */
export function matchOf(line: Money, payables: readonly Payable[]): Payable | null {
  const possible = fitting(line, payables).filter(payable => isTold(line, payable) !== false)
  const open = possible.filter(({ lineId }) => lineId === null)
  const told = open.filter(payable => isTold(line, payable))
  const [only, ...others] = told.length > 0 ? told : possible
  return only && others.length === 0 && needsOf(line, only) === 'nothing' ? only : null
}

/** Returns the facts that a line tells about its transfer. @param kind the kind of thing that gets its money */
export const factsOfLine = (line: Money & Pick<StatementLine, 'id'>, kind: TransferFacts['kind']): TransferFacts => ({
  kind,
  accountIds: [line.receivingAccountId],
  amountSatang: line.amountSatang,
  made: momentOf(line),
  lineId: line.id,
  reference: null,
  isConfirmed: false,
})
