import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { Share2 } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { type Shared, shareGame } from './share-game.ts'

const TOLD: Record<Shared, string | null> = { sent: 'แชร์แล้ว', copied: 'คัดลอกลิงก์แล้ว', cancelled: null }

/** A button that shares the link to a game. */
export function ShareButton({ game }: { game: Game }) {
  const toast = useToast()
  const share = async () => {
    try {
      const text = TOLD[await shareGame(game)]
      if (text) toast({ text })
    } catch {
      toast({ kind: 'error', text: 'แชร์ไม่สำเร็จ กรุณาคัดลอกที่อยู่ของหน้านี้แทน' })
    }
  }
  return (
    <Button kind="quiet" size="small" aria-label={`แชร์ ${game.name}`} className="ml-auto flex-none" onClick={share}>
      <Share2 size={20} />
    </Button>
  )
}
