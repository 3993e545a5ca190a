import { AppError, messageOf } from '@shop/shared/errors.ts'

/** No answer is no refusal: what was asked for may have been done, and only the same request again can tell. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL'

/** Why something could not be read; unlike a purchase, reading again is never a risk. */
export const readProblemOf = (error: unknown): string =>
  isUnanswered(error) ? 'ดึงข้อมูลไม่สำเร็จ กรุณาลองใหม่อีกครั้ง' : messageOf(error)

/**
 * Whether trying again must be the same request: it had no answer, or one that says nothing of what a try before it did
 * (signed out, not now, too slow, too often).
 */
export const isSameRequest = (error: unknown): boolean =>
  isUnanswered(error) ||
  (error instanceof AppError && ([401, 403, 408, 429].includes(error.status) || error.status >= 500))

const NOT_TWICE = 'หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'

/** The words of a failure where money may be on its way. */
export const messageWhilePaying = (error: unknown): string =>
  isUnanswered(error) ? `${messageOf(error)} ${NOT_TWICE}` : messageOf(error)

/** The same where the time to pay could not be read. */
export const timeMessageOf = (error: unknown): string =>
  isUnanswered(error) ? `ดึงเวลาไม่สำเร็จ กรุณาลองอีกครั้ง ${NOT_TWICE}` : messageOf(error)
