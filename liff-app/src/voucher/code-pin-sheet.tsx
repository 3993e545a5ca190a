import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useRef } from 'react'
import { isPinClosed, PinClosedNote } from '../account/pin-closed.tsx'
import { ContactLink } from '../settings/contact-link.tsx'
import { PinPad } from '../ui/pin-pad.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'

interface SheetProps {
  open: boolean
  busy: boolean
  error: Error | null
  onPin: (pin: string) => void
  onClose: () => void
}

/** Asks an agent for the PIN of their wallet before codes are shown. */
export function CodePinSheet({ open, busy, error, onPin, onClose }: SheetProps) {
  const input = useRef<HTMLInputElement>(null)
  const isWrong = error instanceof AppError && error.code === 'PIN_WRONG'
  return (
    <Sheet open={open} onClose={onClose} title="ดูรหัส" busy={busy} firstField={input}>
      {isPinClosed(error) ? (
        <PinClosedNote error={error} />
      ) : (
        <>
          <Problem>{error && !isWrong && !busy && messageOf(error)}</Problem>
          <PinPad
            label="กรุณากรอก PIN กระเป๋าเงินเพื่อดูรหัส"
            inputRef={input}
            busy={busy}
            error={isWrong && !busy ? messageOf(error) : undefined}
            help={busy ? 'กำลังเปิดรหัส' : <ContactLink>ลืม PIN</ContactLink>}
            onComplete={onPin}
          />
        </>
      )}
    </Sheet>
  )
}
