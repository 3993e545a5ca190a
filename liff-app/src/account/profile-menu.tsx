import type { Me } from '@shop/shared/account/endpoints.ts'
import { keysOf } from '@shop/shared/table.ts'
import {
  ChevronRight,
  Coins,
  KeyRound,
  Link2,
  Lock,
  type LucideIcon,
  RectangleEllipsis,
  ShieldUser,
  UserRound,
} from 'lucide-react'
import { Link } from 'react-router-dom'
import { classes } from '../ui/classes.ts'

export type PanelName = 'info' | 'credit' | 'password' | 'pin' | 'links' | 'data'

const PANELS: Record<PanelName, { title: string; icon: LucideIcon }> = {
  info: { title: 'ข้อมูลผู้ใช้', icon: UserRound },
  credit: { title: 'เครดิตร้าน', icon: Coins },
  password: { title: 'เปลี่ยนรหัสผ่าน', icon: KeyRound },
  pin: { title: 'เปลี่ยน PIN', icon: RectangleEllipsis },
  links: { title: 'ช่องทางเข้าสู่ระบบ', icon: Link2 },
  data: { title: 'ข้อมูลของฉัน', icon: ShieldUser },
}

export const PANEL_NAMES = keysOf(PANELS)

/** Who has no wallet sets the PIN of their shop credit there, the first one too. */
export const titleOf = (name: PanelName, { hasWallet }: Pick<Me, 'hasWallet'>): string =>
  name === 'pin' && !hasWallet ? 'PIN ของเครดิตร้าน' : PANELS[name].title

interface ProfileMenuProps {
  me: Me
  names: PanelName[]
  /** The panel that a wide screen shows beside the menu. */
  current: PanelName
  /** The only panel that may be opened now; null when all may. */
  forced: PanelName | null
}

const row = 'flex min-h-13 items-center gap-3 px-3 py-2 font-medium'

/** The menu of the account page: rows on a phone, a side menu on a wide screen. */
export function ProfileMenu({ me, names, current, forced }: ProfileMenuProps) {
  return (
    <nav aria-label="บัญชีของฉัน" className="mt-4">
      <ul className="divide-y divide-line lg:divide-y-0">
        {names.map(name => {
          const { icon: Icon } = PANELS[name]
          const content = (
            <>
              <Icon size={22} className="flex-none" />
              <span className="min-w-0 flex-1">{titleOf(name, me)}</span>
            </>
          )
          return (
            <li key={name}>
              {forced && forced !== name ? (
                <span className={classes(row, 'text-ink-3')} aria-disabled="true">
                  {content}
                  <Lock size={18} className="flex-none" />
                  <span className="sr-only">ยังเปิดไม่ได้</span>
                </span>
              ) : (
                <Link
                  to={forced ? '.' : `?panel=${name}`}
                  aria-current={name === current ? 'page' : undefined}
                  className={classes(
                    row,
                    'rounded-control hover:bg-canvas lg:aria-[current]:bg-accent-tint lg:aria-[current]:font-semibold lg:aria-[current]:text-accent',
                  )}
                >
                  {content}
                  <ChevronRight size={20} className="flex-none text-ink-3 lg:hidden" />
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
