import { AppError, errorMessage } from '@shop/shared/errors.ts'

/** Whether something was not done yet, but sent on to a second person: a notice of its own tells so. */
export const isSentOn = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SECOND_WORD_NEEDED' && error.details?.secondWordId !== undefined

const SENT_ON = errorMessage('SECOND_WORD_NEEDED').trim()

/** What such an answer says, in a text that tells of a failure; null for any other text. */
export function sentOnIn(text: string | null | undefined): string | null {
  const at = text?.indexOf(SENT_ON) ?? -1
  return at < 0 ? null : text!.slice(at)
}
