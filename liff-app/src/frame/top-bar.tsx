import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { getInitials } from '@shop/web/initials.ts'
import { ArrowLeft, ChevronDown, Menu as MenuIcon } from 'lucide-react'
import { Link, NavLink, useMatch, useNavigate } from 'react-router-dom'
import { BrandMark } from '../brand.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/icon-button.tsx'
import type { FrameUser, MenuEntry } from './menu.ts'
import type { Page } from './page.ts'

interface TopBarProps {
  user: FrameUser | null
  links: MenuEntry[]
  page: Page
  title: string
  onMenu: () => void
}

/** The top bar on the web. Inside LINE there is none, because LINE shows its own. */
export function TopBar(props: TopBarProps) {
  const checkout = props.page.kind === 'checkout'
  return (
    <header className="sticky top-0 z-10 border-line border-b bg-white">
      {checkout && <CheckoutBar title={props.title} page={props.page} />}
      <div
        className={classes(
          'mx-auto min-h-14 max-w-280 flex-wrap items-center gap-x-2.5 px-4 lg:flex lg:min-h-16 lg:gap-x-8 lg:px-6',
          checkout ? 'hidden' : 'flex',
        )}
      >
        <Link
          to="/game"
          className="flex min-h-11 flex-1 items-center gap-2.5 text-section whitespace-nowrap lg:flex-none"
        >
          <BrandMark className="size-7 lg:size-7.5" />
          {SHOP_NAME}
        </Link>
        <WideLinks links={props.links} />
        <Visitor user={props.user} onMenu={props.onMenu} />
      </div>
    </header>
  )
}

function CheckoutBar({ title, page }: { title: string; page: Page }) {
  const navigate = useNavigate()
  const goBack = () => {
    // The router counts the pages of this visit in `idx`. Above 0, the page before is one of the shop.
    const cameFromHere = (history.state?.idx ?? 0) > 0
    if (page.leavesTo) navigate(page.leavesTo)
    else if (cameFromHere) navigate(-1)
    else navigate(page.back ?? '/game', { replace: true })
  }
  return (
    <div className="flex min-h-14 items-center gap-1 px-4 lg:hidden">
      <IconButton icon={ArrowLeft} size={24} label="ย้อนกลับ" className="-ml-3" onClick={goBack} />
      <p className="min-w-0 truncate text-section">{title}</p>
    </div>
  )
}

function WideLinks({ links }: { links: MenuEntry[] }) {
  return (
    <nav aria-label="เมนูหลัก" className="hidden flex-1 flex-wrap gap-1 lg:flex">
      {links.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className="flex min-h-11 items-center rounded-inline px-3.5 font-medium text-ink-2 text-value hover:bg-canvas aria-[current]:bg-accent-tint aria-[current]:font-semibold aria-[current]:text-accent"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

function Visitor({ user, onMenu }: { user: FrameUser | null; onMenu: () => void }) {
  const isSigningIn = useMatch('/login') !== null
  if (!user) {
    return (
      <>
        {!isSigningIn && (
          <ButtonLink to="/login" kind="tint" size="inline">
            เข้าสู่ระบบ
          </ButtonLink>
        )}
        <IconButton
          icon={MenuIcon}
          size={24}
          label="เมนู"
          className="-mr-2 lg:hidden"
          aria-haspopup="dialog"
          onClick={onMenu}
        />
      </>
    )
  }
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onMenu}
      className="flex min-h-11 min-w-11 items-center justify-end gap-2 rounded-inline"
    >
      <span className="sr-only">เมนู </span>
      <span
        className="flex size-9 items-center justify-center rounded-full bg-fill font-bold text-ink text-small"
        aria-hidden="true"
      >
        <span className="trim-label">{getInitials(user.displayName)}</span>
      </span>
      <span className="sr-only font-semibold text-small lg:not-sr-only">{user.displayName}</span>
      <ChevronDown size={16} className="hidden lg:block" />
    </button>
  )
}
