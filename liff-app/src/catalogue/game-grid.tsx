import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { formatMinutes } from '@shop/shared/catalogue/minutes.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Gamepad2, MessageCircle, QrCode, SearchX } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Button } from '../ui/button.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { Empty, Skeleton } from '../ui/state.tsx'

const grid =
  'grid grid-cols-[repeat(auto-fill,minmax(min(6rem,100%),1fr))] gap-x-3 gap-y-4 sm:grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] lg:grid-cols-[repeat(auto-fill,minmax(15.5rem,1fr))] lg:gap-4'

/** Loads the code of the purchase page when somebody points at a game, since they are likely to open it. */
const preparePurchase = () => void import('../buying/purchase-screen.tsx').catch(() => undefined)

/** How many pictures fit on the first screen. */
const FIRST_SCREEN = 12

/** Shows games with their lowest prices; on a wide screen as cards that also tell the usual time while the shop is open. */
export function GameGrid({ games, isOpen }: { games: Game[]; isOpen: boolean }) {
  return (
    <ul className={grid}>
      {games.map((game, index) => (
        <li key={game.code} className="min-w-0">
          <Link
            to={`/game/${game.code}`}
            onPointerEnter={preparePurchase}
            onFocus={preparePurchase}
            className="group block h-full rounded-card lg:flex lg:items-center lg:gap-3.5 lg:border lg:border-line lg:p-3 lg:hover:border-card"
          >
            <GameArt
              picture={game.picture}
              eager={index < FIRST_SCREEN}
              className="aspect-square w-full rounded-card lg:size-19"
            />
            <span className="mt-1.5 block min-w-0 lg:mt-0">
              <span className="line-clamp-3 font-medium text-value group-hover:text-accent lg:font-semibold lg:text-body">
                {game.name}
              </span>
              <span className="block text-ink-2 text-note">
                <span className="whitespace-nowrap">เริ่ม ฿{formatBahtShort(game.fromSatang)}</span>
                {isOpen && (
                  <span className="hidden whitespace-nowrap lg:inline"> · {formatMinutes(game.usualMinutes)}</span>
                )}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export const NoGames = ({ onClear }: { onClear: () => void }) => (
  <Empty
    icon={SearchX}
    title="ไม่พบเกมที่ค้นหา"
    action={
      <Button kind="tint" size="small" onClick={onClear}>
        ล้างการค้นหา
      </Button>
    }
  />
)

/** Has the same shapes as the static page in index.html, so that nothing jumps when this code takes over. */
export const GameListSkeleton = () => (
  <>
    <Skeleton className="aspect-2/1 w-full rounded-card sm:w-[calc(50%-0.625rem)] lg:w-116" />
    <Skeleton className="mt-5 h-8 w-32" />
    <Skeleton className="mt-2.5 h-13" />
    <div className={`mt-4.5 ${grid}`}>
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: six equal blocks
        <Skeleton key={index} className="aspect-square rounded-card lg:aspect-[2.5]" />
      ))}
    </div>
  </>
)

const steps = [
  { icon: Gamepad2, title: 'เลือกเกมและแพ็กเกจ', text: 'กรอก Player ID ให้ถูกต้อง' },
  { icon: QrCode, title: 'ชำระตามยอดที่ระบบแจ้ง', text: 'สแกน QR ด้วยแอปธนาคารใดก็ได้' },
  { icon: MessageCircle, title: 'เข้าเกม พร้อมแจ้งทาง LINE', text: 'ติดตามสถานะได้ทุกขั้น' },
]

/** Explains the three steps of a purchase. */
export const HowItWorks = ({ className }: { className: string }) => (
  <ol className={`grid content-center gap-4 rounded-card bg-canvas px-5 py-4 lg:px-6 lg:py-5 ${className}`}>
    {steps.map(({ icon: Icon, title, text }) => (
      <li key={title} className="flex gap-3.5">
        <Icon size={24} className="mt-0.5 flex-none text-accent" />
        <span>
          <span className="block font-semibold">{title}</span>
          <span className="block text-ink-2 text-small">{text}</span>
        </span>
      </li>
    ))}
  </ol>
)
