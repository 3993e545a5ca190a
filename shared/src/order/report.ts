import { AppError } from '../errors.ts'
import { afterOpenTime } from '../settings/opening-hours.ts'
import { addSeconds } from '../time.ts'
import type { Order, OrderOutcome } from './order.ts'
import type { Actor } from './status.ts'

/**
 * How long a reported transfer and its amount wait for staff; the time is longer when somebody vouches for the report.
 */
export const REPORTED_SECONDS = 24 * 3600
export const REPORTED_UNPROVEN_SECONDS = 30 * 60
/** How long after an order expired a transfer for it can still be reported. */
const LATE_REPORT_SECONDS = 7 * 24 * 3600

/** @param isMore whether it adds a slip that was asked for again, or that an earlier report lacked */
function reportBarrier(order: Order, now: Date, isMore: boolean): AppError | null {
  const isOpen = order.status === 'waiting_payment' || order.status === 'expired'
  const isReported = order.transferReportedAt !== null && !isMore
  if (order.payment !== 'bank' || isReported || !isOpen)
    return new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const isTooLate = order.endedAt !== null && addSeconds(order.endedAt, LATE_REPORT_SECONDS) <= now
  return isTooLate ? new AppError('REPORT_TOO_LATE') : null
}

/** Tells whether the customer can still say "I have transferred"; `isAskedAgain` when another picture was asked for. */
export const canReport = (order: Order, now: Date, isAskedAgain = false): boolean =>
  reportBarrier(order, now, isAskedAgain) === null

/** Tells whether a report came without a slip that can still be added. */
export const canAddSlip = (order: Order, now: Date): boolean =>
  order.transferReportedAt !== null && order.slipId === null && reportBarrier(order, now, true) === null

/**
 * A customer's report of a transfer, with the facts that support it. A slip supports it once its bank has confirmed it:
 * see `keptUntil`.
 */
export interface TransferReport {
  slipId: string | null
  /** Whether it comes from the buyer's own account with a proven address or LINE identity. */
  isProven: boolean
  /** The shop's opening hours: what a stranger says is kept until somebody could have looked at it. */
  openingHours?: string
  /** Whether it brings the other picture of the slip that was asked for. */
  isAskedAgain?: boolean
}

/**
 * Records the customer's "I have transferred" and stops the expiry until staff or matching decide. Adding a slip does
 * not change the moment of the report, and nothing added later shortens the time for which the amount is kept. @throws
 * ORDER_STATUS_NOT_ALLOWED, REPORT_TOO_LATE
 */
export function reportTransfer(order: Order, report: TransferReport, actor: Actor, now: Date): OrderOutcome {
  const { slipId, isProven, isAskedAgain = false, openingHours = '' } = report
  const reportedAt = order.transferReportedAt
  const isAdded = reportedAt !== null && order.slipId === null && slipId !== null
  const barrier = reportBarrier(order, now, isAskedAgain || isAdded)
  if (barrier) throw barrier
  const reportedUntil = isProven
    ? addSeconds(now, REPORTED_SECONDS)
    : afterOpenTime(openingHours, now, REPORTED_UNPROVEN_SECONDS * 1000)
  const before = reportedAt === null ? null : order.expireAfter
  const heldUntil = before && (before > reportedUntil || (isAdded && !isProven)) ? before : reportedUntil
  return {
    order: {
      ...order,
      version: order.version + 1,
      transferReportedAt: isAdded ? reportedAt : now,
      slipId: slipId ?? order.slipId,
      expireAfter: order.status === 'waiting_payment' ? heldUntil : null,
    },
    event: {
      kind: isAdded ? 'slip_added' : 'transfer_reported',
      from: order.status,
      to: order.status,
      actor,
      at: now,
      reason: null,
    },
    ledger: null,
  }
}
