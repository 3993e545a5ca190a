import { AppError } from '@shop/shared/errors.ts'

/** No answer is no refusal: what was asked for may have been done, and only the same request again can tell. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL'
