import { AppError } from '@shop/shared/errors.ts'

/** What earlier refusals named. A repeated request sends it along to say that the person has seen it and goes on. */
export interface Seen {
  /** The order that waits for the same amount. */
  sameAmountOrderNo?: string
  /** The order, top-up or line that may have the money already. */
  usedByNo?: string
}

/** Adds what the newest refusal names to what was seen before. */
export function seenAfter(error: unknown, before: Seen = {}): Seen {
  const { sameAmountOrderNo, usedByNo } = before
  const seen = { sameAmountOrderNo, usedByNo }
  if (!(error instanceof AppError)) return seen
  if (error.code === 'SAME_AMOUNT_ORDER') return { ...seen, sameAmountOrderNo: String(error.details?.orderNo) }
  return error.code === 'TRANSFER_MAY_BE_USED' ? { ...seen, usedByNo: String(error.details?.usedByNo) } : seen
}
