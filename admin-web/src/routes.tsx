import { type Action, can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, staffMenuOf } from '@shop/shared/staff-pages.ts'
import { type ReactNode, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { LoginScreen } from './account/login-screen.tsx'
import { useMe } from './account/session.tsx'
import { ForbiddenScreen } from './frame/forbidden-screen.tsx'
import { Frame } from './frame/frame.tsx'
import { PageShape } from './frame/frame-shape.tsx'
import { SignedIn } from './frame/guard.tsx'
import { PAGES } from './frame/pages.ts'
import { NotFoundScreen } from './ui/not-found-screen.tsx'
import { SecondWordNotice } from './value/second-word-notice.tsx'

function Allowed({ action, children }: { action: Action; children: ReactNode }) {
  return can(useMe().role, action) ? children : <ForbiddenScreen />
}

/** Leads to the first page of the caller's menu. */
function Landing() {
  const first = staffMenuOf(useMe().role)[0]?.pages[0]
  return first ? <Navigate to={STAFF_PAGE[first].path} replace /> : <ForbiddenScreen />
}

export function SiteRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route
        element={
          <SignedIn>
            <SecondWordNotice />
            <Frame />
          </SignedIn>
        }
      >
        <Route index element={<Landing />} />
        {PAGES.map(({ path, allow, screen: Screen }) => (
          <Route
            key={path}
            path={path}
            element={
              <Allowed action={allow}>
                {/* By its key every page has a wait of its own: while its code comes, the one before it is gone. */}
                <Suspense key={path} fallback={<PageShape />}>
                  <Screen />
                </Suspense>
              </Allowed>
            }
          />
        ))}
        <Route path="*" element={<NotFoundScreen />} />
      </Route>
    </Routes>
  )
}
