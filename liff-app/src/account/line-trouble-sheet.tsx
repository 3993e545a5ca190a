import { errorMessage } from '@shop/shared/errors.ts'
import { useNavigate } from 'react-router-dom'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { reopenInLine } from './line-in-app.ts'
import { LINE_DENIED } from './line-on-web.ts'
import { hasAccountElsewhere, offerLink } from './link-offer.ts'
import { SignInProblemNote } from './sign-in-problem-note.tsx'
import { isFinal, type Trouble } from './silent-sign-in.ts'

const TEXTS = {
  denied: LINE_DENIED,
  clock: 'วันที่หรือเวลาของเครื่องไม่ตรง กรุณาตั้งเวลาเป็นอัตโนมัติแล้วลองอีกครั้ง',
  failed: errorMessage('LINE_UNAVAILABLE'),
}

/** Shown when the sign-in inside LINE failed: the person may try again, sign in another way or look around as a guest. */
export default function LineTroubleSheet({ trouble, onClose }: { trouble: Trouble; onClose: () => void }) {
  const canTryAgain = !isFinal(trouble)
  const navigate = useNavigate()
  return (
    <Sheet open onClose={onClose} title="เข้าสู่ระบบไม่สำเร็จ">
      {'why' in trouble ? (
        <p className="text-ink-2">{TEXTS[trouble.why]}</p>
      ) : (
        <SignInProblemNote untitled error={trouble.error} />
      )}
      <div className="mt-5 grid gap-2">
        {canTryAgain && (
          <Button block onClick={reopenInLine}>
            ลองอีกครั้ง
          </Button>
        )}
        <Button
          kind={canTryAgain ? 'secondary' : undefined}
          block
          onClick={() => {
            if ('error' in trouble && hasAccountElsewhere(trouble.error)) offerLink('line')
            onClose()
            navigate('/login', { replace: true })
          }}
        >
          เข้าสู่ระบบด้วยวิธีอื่น
        </Button>
        <Button kind="quiet" block onClick={onClose}>
          ดูร้านก่อน
        </Button>
      </div>
    </Sheet>
  )
}
