import { AppError } from '../errors.ts'
import { addSeconds } from '../time.ts'
import type { Order, OrderOutcome } from './order.ts'
import type { Actor } from './status.ts'

/** How long a reported transfer waits for staff, and with it its amount: longer where somebody stands behind the report. */
export const REPORTED_SECONDS = 24 * 3600
export const REPORTED_UNPROVEN_SECONDS = 30 * 60
/** How long after an order expired a transfer for it can still be reported. */
const LATE_REPORT_SECONDS = 7 * 24 * 3600

/** @param isMore it brings a slip that was asked for again, or that a report came without */
function reportBarrier(order: Order, now: Date, isMore: boolean): AppError | null {
  const isOpen = order.status === 'waiting_payment' || order.status === 'expired'
  const isReported = order.transferReportedAt !== null && !isMore
  if (order.payment !== 'bank' || isReported || !isOpen)
    return new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const isTooLate = order.endedAt !== null && addSeconds(order.endedAt, LATE_REPORT_SECONDS) <= now
  return isTooLate ? new AppError('REPORT_TOO_LATE') : null
}

/** Whether the customer can still say "I have transferred"; `isAskedAgain` when another picture was asked for. */
export const canReport = (order: Order, now: Date, isAskedAgain = false): boolean =>
  reportBarrier(order, now, isAskedAgain) === null

/** Whether a report came without a slip, which can still follow. */
export const canAddSlip = (order: Order, now: Date): boolean =>
  order.transferReportedAt !== null && order.slipId === null && reportBarrier(order, now, true) === null

/** "I have transferred", and what speaks for it beside the word. A slip does once its bank has confirmed it: see `keptUntil`. */
export interface TransferReport {
  slipId: string | null
  /** It comes from the buyer's own account, whose address or LINE is proven. */
  isProven: boolean
  /** It brings the other picture of the slip that was asked for. */
  isAskedAgain?: boolean
}

/**
 * Stamps the customer's "I have transferred": stops automatic expiry until staff or matching decide. A slip that follows
 * leaves the moment of the report, and nothing that follows shortens how long the amount is held.
 * @throws ORDER_STATUS_NOT_ALLOWED, REPORT_TOO_LATE
 */
export function reportTransfer(order: Order, report: TransferReport, actor: Actor, now: Date): OrderOutcome {
  const { slipId, isProven, isAskedAgain = false } = report
  const reportedAt = order.transferReportedAt
  const isAdded = reportedAt !== null && order.slipId === null && slipId !== null
  const barrier = reportBarrier(order, now, isAskedAgain || isAdded)
  if (barrier) throw barrier
  const reportedUntil = addSeconds(now, isProven ? REPORTED_SECONDS : REPORTED_UNPROVEN_SECONDS)
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
