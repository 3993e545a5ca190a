import { CircleCheck } from 'lucide-react'
import type { Draft } from '../draft.ts'
import { isConfirmed } from './selection.ts'

/** Says whom the buyer buys for, as far as the game tells it. */
export function PlayerName({ draft, isAsking = false }: { draft: Draft; isAsking?: boolean }) {
  if (isAsking) return <span>กำลังค้นหาชื่อผู้เล่น…</span>
  if (isConfirmed(draft))
    return (
      <span className="flex items-center gap-1.5 font-semibold text-ok">
        <CircleCheck size={16} className="flex-none" />
        <span className="wrap-anywhere min-w-0">{draft.playerName ?? 'พบผู้เล่นนี้ในเกม'}</span>
      </span>
    )
  if (draft.playerCheck === 'away') return <span>ตรวจชื่อไม่ได้ชั่วคราว ซื้อต่อได้ โปรดดูให้แน่ใจว่ากรอกถูกต้อง</span>
  return <span className="text-warn">ยังไม่ได้ตรวจชื่อ โปรดดูให้ตรงกับในเกม</span>
}
