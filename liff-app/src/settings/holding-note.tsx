import { Note } from '../ui/note.tsx'
import { useIsHolding } from './closed-note.ts'

/** Says while the shop stands still after a restore what holds for who has ordered; nothing at other times. */
export function HoldingNote({ className = 'mt-4' }: { className?: string }) {
  if (!useIsHolding()) return null
  return (
    <Note className={className} role="status">
      <b className="block font-semibold">ร้านหยุดเติมชั่วคราวเพื่อตรวจข้อมูล</b>
      คำสั่งซื้อและเงินของคุณยังอยู่ ไม่ต้องโอนซ้ำ ระหว่างนี้ร้านส่งข้อความ LINE และอีเมลไม่ได้ ดูสถานะได้ในหน้านี้
    </Note>
  )
}
