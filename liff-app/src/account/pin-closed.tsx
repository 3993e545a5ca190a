import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { Lock } from 'lucide-react'
import { ContactLink } from '../settings/contact-link.tsx'
import { Note } from '../ui/note.tsx'

/** Failures that typing the PIN again can't change, and the word between their text and the link to the shop. */
const CLOSED: Partial<Record<ErrorCode, string>> = {
  PIN_LOCKED: 'หรือ',
  PIN_NEEDS_RESET: '',
  PIN_UNREADABLE: '',
  PIN_NOT_SET: '',
  PIN_CHANGE_REQUIRED: '',
}

export const isPinClosed = (error: unknown): error is AppError => error instanceof AppError && error.code in CLOSED

/** That note for a failure that is one, in a form that asks for the PIN. */
export const pinNote = (error: unknown) => isPinClosed(error) && <PinClosedNote className="mb-2" error={error} />

/** Stands in place of the field for a PIN. */
export function PinClosedNote({ error, className }: { error: AppError; className?: string }) {
  return (
    <Note className={className} kind="warn" icon={Lock} role="alert">
      {messageOf(error)} {CLOSED[error.code]}
      <ContactLink>ติดต่อแอดมิน</ContactLink>
    </Note>
  )
}
