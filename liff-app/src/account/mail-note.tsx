import { Note } from '../ui/note.tsx'
import { useSession } from './session.tsx'

const KEPT = 'mailedTo'

export const mailSentText = (email: string): string => `ส่งอีเมลยืนยันไปที่ ${email} แล้ว กรุณาตรวจสอบกล่องจดหมาย`

/** Remembers for this tab whom the link was mailed to, for pages where a toast would cover what is needed. */
export function keepMailedTo(email: string): void {
  try {
    sessionStorage.setItem(KEPT, email)
  } catch {
    // Untold here; the account page has the button to mail it again.
  }
}

const getMailedTo = (): string | null => {
  try {
    return sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}

/** The mail that went out with the registration, until the address is proven. */
export function MailNote({ className }: { className?: string }) {
  const { me } = useSession()
  if (!me?.email || me.emailVerified || getMailedTo() !== me.email) return null
  return (
    <Note role="status" className={className}>
      {mailSentText(me.email)}
    </Note>
  )
}
