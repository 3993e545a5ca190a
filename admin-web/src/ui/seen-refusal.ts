import { AppError } from '@shop/shared/errors.ts'

/** What refusals named: sent again with it, a person has seen it and goes on all the same. */
export interface Seen {
  /** The order that holds the same amount now. */
  sameAmountOrderNo?: string
  /** What may have the money already. */
  usedByNo?: string
}

/** What was seen before, and what the newest refusal names. */
export function seenAfter(error: unknown, before: Seen = {}): Seen {
  const { sameAmountOrderNo, usedByNo } = before
  const seen = { sameAmountOrderNo, usedByNo }
  if (!(error instanceof AppError)) return seen
  if (error.code === 'SAME_AMOUNT_ORDER') return { ...seen, sameAmountOrderNo: String(error.details?.orderNo) }
  return error.code === 'TRANSFER_MAY_BE_USED' ? { ...seen, usedByNo: String(error.details?.usedByNo) } : seen
}
