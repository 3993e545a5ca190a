import { ChevronRight, ExternalLink } from 'lucide-react'
import { Link } from 'react-router-dom'
import { adminUrl } from '../shop.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import type { FrameUser, MenuEntry } from './menu.ts'
import { listStaffMenu } from './staff-menu.ts'

interface MenuSheetProps {
  open: boolean
  onClose: () => void
  user: FrameUser | null
  menu: MenuEntry[]
  onSignOut: () => void
}

/** The menu of the shop as a sheet: its pages, links for staff, the profile and the sign-out. */
export function MenuSheet({ open, onClose, user, menu, onSignOut }: MenuSheetProps) {
  const own: MenuEntry[] = user
    ? [{ label: 'บัญชีของฉัน', to: user.profilePath }]
    : [
        { label: 'เข้าสู่ระบบ', to: '/login' },
        { label: 'สมัครสมาชิก', to: '/registration' },
      ]
  return (
    <Sheet open={open} onClose={onClose} title={user?.displayName ?? 'เมนู'}>
      <nav aria-label="เมนู">
        <Entries entries={[...menu, ...own]} onChoose={onClose} />
        {listStaffMenu(user?.role ?? 'guest', adminUrl).map(group => (
          <section key={group.title} className="mt-4">
            <h3 className="text-ink-2 text-note">{group.title}</h3>
            <Entries entries={group.entries} onChoose={onClose} />
          </section>
        ))}
      </nav>
      {user && (
        <Button
          kind="secondary"
          block
          className="mt-4"
          onClick={() => {
            onClose()
            onSignOut()
          }}
        >
          ออกจากระบบ
        </Button>
      )}
    </Sheet>
  )
}

function Entries({ entries, onChoose }: { entries: MenuEntry[]; onChoose: () => void }) {
  const row = 'flex min-h-12 items-center justify-between gap-3 py-2 font-medium hover:text-accent'
  return (
    <ul className="divide-y divide-line">
      {entries.map(({ to, label, external }) => (
        <li key={to}>
          {external ? (
            <a href={to} className={row}>
              {label}
              <ExternalLink size={18} className="flex-none text-ink-2" />
            </a>
          ) : (
            <Link to={to} replace className={row} onClick={onChoose}>
              {label}
              <ChevronRight size={18} className="flex-none text-ink-2" />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
