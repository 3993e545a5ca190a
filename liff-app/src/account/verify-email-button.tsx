import { useMutation } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { mailSentText } from './mail-note.tsx'

const MAIL_SECONDS = 10

/** A button that mails a link with which the signed-in person proves their address. */
export function VerifyEmailButton({ email, className }: { email: string | null; className?: string }) {
  const toast = useToast()
  const mail = useMutation({
    mutationFn: async () => (await import('../firebase.ts')).sendVerificationEmail(),
    onSuccess: () => toast({ text: mailSentText(email ?? ''), seconds: MAIL_SECONDS }),
    onError: () => toast({ kind: 'error', text: 'ส่งอีเมลไม่สำเร็จ! กรุณาลองอีกครั้ง' }),
  })
  return (
    <Button
      kind="tint"
      size="small"
      className={className}
      busy={mail.isPending}
      aria-label="ยืนยันอีเมล"
      onClick={() => mail.mutate()}
    >
      ยืนยัน
    </Button>
  )
}
