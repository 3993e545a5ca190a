import { errorMessage } from '@shop/shared/errors.ts'
import { signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useNavigate } from 'react-router-dom'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { reopenInLine } from './line-in-app.ts'
import { isFinal, type Trouble } from './silent-sign-in.ts'

const TEXTS = {
  denied: 'คุณยังไม่ได้อนุญาตให้ร้านใช้บัญชี LINE กดลองอีกครั้งแล้วเลือก "อนุญาต" หรือเข้าสู่ระบบด้วยวิธีอื่น',
  clock: 'วันที่หรือเวลาของเครื่องไม่ตรง กรุณาตั้งเวลาเป็นอัตโนมัติแล้วลองอีกครั้ง',
  failed: errorMessage('LINE_UNAVAILABLE'),
}

/** LINE did not say who this is: try again, sign in another way, or look around first. */
export default function LineTroubleSheet({ trouble, onClose }: { trouble: Trouble; onClose: () => void }) {
  const text = 'why' in trouble ? TEXTS[trouble.why] : signInProblemOf(trouble.error)
  const canTryAgain = !isFinal(trouble)
  const navigate = useNavigate()
  return (
    <Sheet open onClose={onClose} title="เข้าสู่ระบบไม่สำเร็จ">
      <p className="text-ink-2">{text}</p>
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
