import { AppError, messageOf } from '@shop/shared/errors.ts'

/** Whether a request had no answer. It may have been carried out all the same: only sending it again can tell. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL'

/** Why something could not be read. Reading can be tried again without any risk, unlike a purchase. */
export const readProblemOf = (error: unknown): string =>
  isUnanswered(error) ? 'ดึงข้อมูลไม่สำเร็จ กรุณาลองใหม่อีกครั้ง' : messageOf(error)

/**
 * Whether another try must be the same request, under the same key: there was no answer, or one that does not tell
 * whether an earlier try was carried out (signed out, too slow, too often, a failure of the server).
 */
export const isSameRequest = (error: unknown): boolean =>
  isUnanswered(error) ||
  (error instanceof AppError && ([401, 403, 408, 429].includes(error.status) || error.status >= 500))

const NOT_TWICE = 'หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'

/** What to say about a failure while the buyer may already have transferred the money. */
export const messageWhilePaying = (error: unknown): string =>
  isUnanswered(error) ? `${messageOf(error)} ${NOT_TWICE}` : messageOf(error)

/** What to say when the time left to pay could not be read. */
export const timeMessageOf = (error: unknown): string =>
  isUnanswered(error) ? `ดึงเวลาไม่สำเร็จ กรุณาลองอีกครั้ง ${NOT_TWICE}` : messageOf(error)
