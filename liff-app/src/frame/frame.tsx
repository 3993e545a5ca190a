import { hasWallet } from '@shop/shared/permissions.ts'
import { Gamepad2, MessageCircle, ReceiptText, UserRound, Wallet } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigationType } from 'react-router-dom'
import { documentTitleOf, PageTitleContext } from '../page-title.ts'
import type { Contact } from '../settings/contact.ts'
import { classes } from '../ui/classes.ts'
import { Skeleton, Waiting } from '../ui/state.tsx'
import { type Tab, TabBar } from '../ui/tab-bar.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import type { FrameUser, MenuEntry } from './menu.ts'
import type { Page } from './page.ts'
import { TopBar } from './top-bar.tsx'

const MenuSheet = lazy(() => import('./menu-sheet.tsx').then(module => ({ default: module.MenuSheet })))

interface FrameProps {
  user: FrameUser | null
  /** Inside LINE's LIFF browser, which draws its own header. */
  inLiff: boolean
  menu: MenuEntry[]
  contact: Contact
  onSignOut: () => void
}

/** Surrounds every page with skip link, top bar, footer, tab bar and menu. */
export function Frame({ page, children, ...shop }: FrameProps & { page: Page; children: ReactNode }) {
  const { user, inLiff, menu, contact, onSignOut } = shop
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const [title, setTitle] = useTitle(page.title, pathname)
  // null until the menu was opened for the first time, which is when its code is loaded.
  const [menuOpen, setMenuOpen] = useState<boolean | null>(null)
  useArrival(pathname, main)
  return (
    <PageTitleContext value={setTitle}>
      {!inLiff && (
        <a
          href="#main"
          className="fixed top-2 left-2 z-30 -translate-y-20 rounded-control bg-white px-4 py-2.5 font-semibold text-accent focus:translate-y-0"
        >
          ข้ามไปเนื้อหา
        </a>
      )}
      {!inLiff && <TopBar user={user} links={menu} page={page} title={title} onMenu={() => setMenuOpen(true)} />}
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className={classes(
          'wrap min-h-[calc(100svh-3.5rem)] pt-4 outline-none lg:min-h-[calc(100svh-13rem)] lg:pt-6',
          page.isWide && 'max-w-280',
        )}
      >
        <h1 className="route-heading sr-only">{page.title}</h1>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <ShopFooter contact={contact} />
      {page.kind === 'root' && (
        <TabBar label="แท็บหลัก" tabs={listTabs(user)} className={classes(!inLiff && 'lg:hidden')} />
      )}
      {menuOpen !== null && (
        <ErrorBoundary>
          <Suspense fallback={null}>
            <MenuSheet
              open={menuOpen}
              onClose={() => setMenuOpen(false)}
              user={user}
              menu={menu}
              onSignOut={onSignOut}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </PageTitleContext>
  )
}

/** Holds the title of the page: that of its route until the page sets a better one. */
function useTitle(routeTitle: string, pathname: string) {
  const [own, setOwn] = useState({ pathname, title: '' })
  const title = own.pathname === pathname && own.title ? own.title : routeTitle
  useEffect(() => {
    document.title = documentTitleOf(title)
  }, [title])
  const setTitle = useCallback((better: string) => setOwn({ pathname, title: better }), [pathname])
  return [title, setTitle] as const
}

/** Scrolls a new page to its top and gives it the focus. Back and Forward leave both to the browser. */
function useArrival(pathname: string, main: { current: HTMLElement | null }) {
  // True for Back, Forward and the first page of a visit.
  const isStep = useNavigationType() === 'POP'
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (isStep) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, isStep, main])
}

function listTabs(user: FrameUser | null): Tab[] {
  const wallet: Tab[] = user && hasWallet(user.role) ? [{ to: '/wallet', label: 'กระเป๋าเงิน', icon: Wallet }] : []
  return [
    { to: '/game', label: 'เติมเกม', icon: Gamepad2 },
    { to: '/purchase/history', label: 'คำสั่งซื้อ', icon: ReceiptText },
    ...wallet,
    { to: user?.profilePath ?? '/login', label: 'บัญชี', icon: UserRound },
  ]
}

/** Tells on every page, in the same place, how to reach the shop and who it is. */
function ShopFooter({ contact }: { contact: Contact }) {
  const { ways, hours, companyName, companyAddress } = contact
  return (
    <footer className="mx-auto grid max-w-280 gap-1 px-4 py-8 text-center text-ink-2 text-small lg:px-6 lg:text-left in-[body:has([data-bar])]:pb-28 lg:in-[body:has([data-bar])]:pb-8">
      <p className="flex min-h-[1.6em] flex-wrap items-center justify-center gap-x-3 lg:justify-start">
        {ways.length > 0 && (
          <span>
            <MessageCircle size={18} className="mr-1.5 inline align-[-0.2em]" />
            มีคำถาม
          </span>
        )}
        {ways.map(({ url, label }) => (
          <a key={url} href={url} className="link wrap-anywhere max-w-full py-[0.7rem]">
            {label}
          </a>
        ))}
        {ways.length > 0 && <span>{hours}</span>}
      </p>
      <p className="text-note">
        <Link to="/privacy" className="link inline-flex min-h-11 items-center">
          นโยบายความเป็นส่วนตัว
        </Link>
      </p>
      {/* This stands last because it arrives with the settings, and would move what stands below it. */}
      <p className="whitespace-pre-line text-note">{[companyName, companyAddress].filter(Boolean).join('\n')}</p>
    </footer>
  )
}

/** Stands in place of a page whose code is still loading. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <Waiting />
      <Skeleton className="h-8 w-32" />
      <Skeleton className="mt-3 h-13" />
      <Skeleton className="mt-4 h-40" />
    </div>
  )
}
