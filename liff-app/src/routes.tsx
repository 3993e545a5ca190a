import { type ComponentType, lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { Frame, type FrameProps } from './frame/frame.tsx'
import type { Page } from './frame/page.ts'

type Screen = Page & { path: string; screen: ComponentType }

/** Every page of the shop: its path, how the frame dresses it, and its code, which loads when it is first opened. */
const screens: Screen[] = [
  { path: '*', kind: 'inner', title: 'ไม่พบหน้านี้', screen: lazy(() => import('./frame/not-found-screen.tsx')) },
]

export function AppRoutes(shop: FrameProps) {
  return (
    <Routes>
      <Route index element={<Navigate to="/game" replace />} />
      {screens.map(({ path, screen: Screen, ...page }) => (
        <Route
          key={path}
          path={path}
          element={
            <Frame {...shop} page={page}>
              <Screen />
            </Frame>
          }
        />
      ))}
    </Routes>
  )
}
