import { AppError, errorMessage } from '@shop/shared/errors.ts'

/** Whether a request was not refused but passed on to a second person, which SecondWordNotice tells. */
export const isSentOn = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SECOND_WORD_NEEDED' && error.details?.secondWordId !== undefined

const SENT_ON = errorMessage('SECOND_WORD_NEEDED').trim()

/** The part of a failure's text that says that the request was passed on; null when no part does. */
export function sentOnIn(text: string | null | undefined): string | null {
  const at = text?.indexOf(SENT_ON) ?? -1
  return at < 0 ? null : text!.slice(at)
}
