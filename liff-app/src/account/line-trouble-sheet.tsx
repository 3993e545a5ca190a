import { useNavigate } from 'react-router-dom'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { reopenInLine } from './line-in-app.ts'

/** LINE did not say who this is: try again, sign in another way, or look around first. */
export function LineTroubleSheet({ text, onClose }: { text: string; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <Sheet open onClose={onClose} title="เข้าสู่ระบบไม่สำเร็จ">
      <p className="text-ink-2">{text}</p>
      <div className="mt-5 grid gap-2">
        <Button block onClick={reopenInLine}>
          ลองอีกครั้ง
        </Button>
        <Button
          kind="secondary"
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
