import type { Action } from '@shop/shared/permissions.ts'
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { useSession } from './account/session.tsx'
import GameListScreen from './catalogue/game-list-screen.tsx'
import { getCurrentOrder } from './current-order.ts'
import { BelowBanner } from './frame/below-banner.tsx'
import { Frame } from './frame/frame.tsx'
import { Guard } from './frame/guard.tsx'
import { listMenu } from './frame/menu.ts'
import type { Page } from './frame/page.ts'
import { useCatalogueWatch } from './settings/catalogue-watch.ts'
import { useContact } from './settings/contact.ts'
import { inLiff } from './shop.ts'
import { lazyPage } from './ui/lazy-page.ts'

interface Screen extends Page {
  path: string
  screen: ComponentType
  /** What a caller must be allowed to do to open it; left out, everybody may. */
  allow?: Action
  /** It shows guests something else than signed-in people. */
  isPersonal?: boolean
  /** It needs no banner about an unpaid order, because it tells of one itself or should not. */
  hasOwnBanner?: boolean
}

// These pages are loaded before they are opened, in this order: see prefetch-pages.ts.
const purchase = () => import('./buying/purchase-screen.tsx')
const dialog = () => import('./ui/sheet-dialog.tsx')
const terms = () => import('./buying/terms-screen.tsx')
const payment = () => import('./orders/payment-screen.tsx')
const thankYou = () => import('./orders/thank-you-screen.tsx')
const track = () => import('./orders/track-screen.tsx')
const history = () => import('./orders/history-screen.tsx')
const login = () => import('./account/login-screen.tsx')
export const LATER_PAGES = [purchase, dialog, terms, payment, thankYou, track, history, login]

const EndedOrder = lazy(() => import('./orders/ended-order.tsx'))
const notFound = lazyPage(() => import('./ui/not-found-screen.tsx'))
const staffSite = lazyPage(() => import('./frame/staff-site-screen.tsx'))

/** Every page of the shop: its path, how the frame shows it, and its code, which is loaded when it is first opened. */
const screens: Screen[] = [
  // Most visits start with this page, so it is part of the code that is loaded first.
  { path: '/game', kind: 'root', title: 'เลือกเกม', isWide: true, screen: GameListScreen, hasOwnBanner: true },
  { path: '/game/:code', kind: 'checkout', title: 'เลือกแพ็กเกจ', hasOwnBanner: true, screen: lazyPage(purchase) },
  { path: '/terms', kind: 'checkout', title: 'ตรวจสอบคำสั่งซื้อ', hasOwnBanner: true, screen: lazyPage(terms) },
  {
    path: '/payment',
    kind: 'checkout',
    title: 'ชำระเงิน',
    // Back to the form would make no sense: no second order can be made while this one is unpaid.
    leavesTo: '/purchase/history',
    hasOwnBanner: true,
    screen: lazyPage(payment),
  },
  { path: '/thankyou', kind: 'inner', title: 'ขอบคุณ', screen: lazyPage(thankYou) },
  {
    path: '/purchase/history',
    kind: 'root',
    title: 'คำสั่งซื้อ',
    isPersonal: true,
    hasOwnBanner: true,
    screen: lazyPage(history),
  },
  {
    path: '/purchase/details/:orderNo',
    kind: 'root',
    title: 'คำสั่งซื้อ',
    isPersonal: true,
    hasOwnBanner: true,
    screen: lazyPage(() => import('./orders/order-screen.tsx')),
  },
  { path: '/track/:token', kind: 'inner', title: 'ติดตามคำสั่งซื้อ', hasOwnBanner: true, screen: lazyPage(track) },
  {
    path: '/wallet',
    kind: 'root',
    title: 'กระเป๋าเงิน',
    allow: 'wallet.own',
    screen: lazyPage(() => import('./wallet/wallet-screen.tsx')),
  },
  {
    path: '/wallet/topup/:id',
    kind: 'checkout',
    title: 'เติมเงิน',
    leavesTo: '/wallet',
    allow: 'wallet.own',
    screen: lazyPage(() => import('./wallet/top-up-payment-screen.tsx')),
  },
  {
    path: '/agent/api',
    kind: 'root',
    title: 'API สำหรับตัวแทน',
    allow: 'reseller.keys',
    screen: lazyPage(() => import('./reseller/api-screen.tsx')),
  },
  { path: '/login', kind: 'inner', title: 'เข้าสู่ระบบ', screen: lazyPage(login) },
  {
    path: '/registration',
    kind: 'inner',
    title: 'สมัครสมาชิก',
    screen: lazyPage(() => import('./account/registration-screen.tsx')),
  },
  {
    path: '/user/:uid',
    kind: 'root',
    title: 'บัญชีของฉัน',
    allow: 'account.own',
    screen: lazyPage(() => import('./account/profile-screen.tsx')),
  },
  {
    path: '/privacy',
    kind: 'inner',
    title: 'นโยบายความเป็นส่วนตัว',
    screen: lazyPage(() => import('./settings/privacy-screen.tsx')),
  },
  { path: '/dashboard/*', kind: 'inner', title: 'หลังร้าน', screen: staffSite },
  { path: '/management/*', kind: 'inner', title: 'หลังร้าน', screen: staffSite },
  { path: '*', kind: 'inner', title: 'ไม่พบหน้านี้', screen: notFound },
]

/** Shows the page of the current address in its frame. */
export function AppRoutes() {
  const { me, signOut } = useSession()
  const contact = useContact()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const paying = pathname === '/payment' ? null : getCurrentOrder()
  useCatalogueWatch()
  const user = me && { displayName: me.displayName, role: me.role, profilePath: `/user/${me.uid}` }
  const shop = {
    user,
    inLiff,
    contact,
    menu: listMenu(me?.role ?? 'guest'),
    onSignOut: () => {
      navigate('/game', { replace: true })
      void signOut()
    },
  }
  const routes = (
    <Routes>
      <Route path="/" element={<Navigate to="/game" replace />} />
      {screens.map(({ path, screen: Screen, allow = 'catalogue.browse', hasOwnBanner, isPersonal, ...page }) => (
        <Route
          key={path}
          path={path}
          element={
            <Frame {...shop} page={page}>
              <Guard allow={allow} isPersonal={isPersonal}>
                {hasOwnBanner ? (
                  <Screen />
                ) : (
                  <BelowBanner>
                    <Screen />
                  </BelowBanner>
                )}
              </Guard>
            </Frame>
          }
        />
      ))}
    </Routes>
  )
  return (
    <>
      {routes}
      {paying && (
        <Suspense fallback={null}>
          <EndedOrder orderNo={paying.orderNo} />
        </Suspense>
      )}
    </>
  )
}
