import { keepInTab, readInTab } from '../storage.ts'
import { Note } from '../ui/note.tsx'
import { useSession } from './session.tsx'

export const mailSentText = (email: string): string => `ส่งอีเมลยืนยันไปที่ ${email} แล้ว กรุณาตรวจสอบกล่องจดหมาย`

/** Remembers in this tab who was sent the link, for pages where a toast would cover what the person needs to see. */
export const keepMailedTo = (email: string): void => keepInTab('mailedTo', email)

/** Reminds of the mail that went out with the registration, until the address is proven. */
export function MailNote({ className }: { className?: string }) {
  const { me } = useSession()
  if (!me?.email || me.emailVerified || readInTab('mailedTo') !== me.email) return null
  return (
    <Note role="status" className={className}>
      {mailSentText(me.email)}
    </Note>
  )
}
