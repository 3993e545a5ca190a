import { AppError } from '@shop/shared/errors.ts'

/** No answer is no refusal: what was asked for may have been done, and only the same request again can tell. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL'

/**
 * Whether trying again must be the same request: it had no answer, or one that says nothing of what a try before it did
 * (signed out, not now, too often).
 */
export const isSameRequest = (error: unknown): boolean =>
  isUnanswered(error) || (error instanceof AppError && ([401, 403, 429].includes(error.status) || error.status >= 500))
