import { addSeconds } from '../time.ts'
import type { Order } from './order.ts'
import { REPORTED_SECONDS } from './report.ts'

/** A slip's check takes no longer than this, however slow its bank is. */
const CHECK_SECONDS = 35 * 60
/** Between when a question is due and when its answer is stored. */
const ANSWER_SECONDS = 120

/** What a provider's answer says for an order's amount. */
export interface CheckedSlip {
  /** When the slip was handed in. */
  handedInAt: Date
  /** The bank knows the transfer on the slip, and it is this order's. */
  isConfirmed: boolean
  /** When a bank that was too slow or down is asked again; null when nobody is. */
  askedAgainAt: Date | null
}

/**
 * Until when an order's amount is kept for what was answered about its slip: as for a proven account once the bank knows
 * the transfer, else while it is still asked. A reference alone is nothing: anybody can draw one. null = no longer than it is.
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
