import { addSeconds } from '../time.ts'
import type { Order } from './order.ts'
import { REPORTED_SECONDS } from './report.ts'

/** The longest time that a slip's check takes, even with a slow bank. */
const CHECK_SECONDS = 35 * 60
/** The longest time between the moment when a question is due and its stored answer. */
const ANSWER_SECONDS = 120

/** The facts in a provider's answer that decide about an order's amount. */
export interface CheckedSlip {
  /** When the slip was handed in. */
  handedInAt: Date
  /** Whether the bank confirms the transfer on the slip, and it is for this order. */
  isConfirmed: boolean
  /** When a bank that was slow or down is asked again; null when it is not. */
  askedAgainAt: Date | null
}

/**
 * Returns until when an order's amount is kept because of the answer about its slip: as long as for a proven account
 * once the bank confirmed the transfer, else while the bank is still asked. A reference alone counts for nothing,
 * because anybody can make one up. null means no longer than now.
 */
export function keptUntil(
  { status, transferReportedAt }: Pick<Order, 'status' | 'transferReportedAt'>,
  { handedInAt, isConfirmed, askedAgainAt }: CheckedSlip,
): Date | null {
  if (status !== 'waiting_payment' || transferReportedAt === null) return null
  if (isConfirmed) return addSeconds(transferReportedAt, REPORTED_SECONDS)
  if (askedAgainAt === null) return null
  const [answered, latest] = [addSeconds(askedAgainAt, ANSWER_SECONDS), addSeconds(handedInAt, CHECK_SECONDS)]
  return answered < latest ? answered : latest
}
