import { Button } from 'antd'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { BrandMark, SITE_NAME } from '../ui/brand.tsx'
import './frame.css'

/** The outline of a page while its code is loaded. */
export function PageShape() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        กรุณารอสักครู่..
      </p>
      <div className="shape is-title" />
      <div className="shape is-list" />
    </div>
  )
}

/** The outline of the site while the caller is not known yet; index.html shows the same until this code is loaded. */
export function FrameShape() {
  return (
    <div className="app">
      <div className="sider" />
      <div className="top-bar" />
      <main className="main">
        <PageShape />
      </main>
    </div>
  )
}

/** The frame without its pages: who works here is known to the browser, but the server could not be asked. */
export function BareFrame({ onSignOut, children }: { onSignOut: () => void; children: ReactNode }) {
  const brand = (
    <>
      <BrandMark />
      {SITE_NAME}
    </>
  )
  return (
    <div className="app">
      <div className="sider">
        <div className="menu">
          <span className="brand">{brand}</span>
          <Button className="sign-out" type="text" icon={<LogOut size={18} aria-hidden />} onClick={onSignOut}>
            ออกจากระบบ
          </Button>
        </div>
      </div>
      <header className="top-bar">{brand}</header>
      <main className="main">{children}</main>
    </div>
  )
}
