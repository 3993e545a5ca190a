import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { can, isAdminSide } from '@shop/shared/permissions.ts'
import { Button, Drawer, Tooltip } from 'antd'
import { LogOut, Menu as MenuIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import { useMe, useSession } from '../account/session.tsx'
import { ChimeSwitch } from '../backlog/chime-switch.tsx'
import { pressingCount, useBacklog } from '../backlog/use-backlog.ts'
import { SafeModeNote } from '../restore/safe-mode-note.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { BrandMark, SITE_NAME } from '../ui/brand.tsx'
import { setWaitingCount } from '../ui/page-title.ts'
import { ConnectionNote } from './connection-note.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { MenuPages } from './menu-pages.tsx'
import { OrderSearch } from './order-search.tsx'
import './frame.css'

/** Draws the page beside the main menu; below 1024 px the menu is in a drawer that a top bar opens. */
export function Frame() {
  const me = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const waiting = pressingCount(useBacklog().data)
  useEffect(() => setWaitingCount(waiting), [waiting])
  if (!isAdminSide(me.role)) {
    return (
      <main id="main">
        <Outlet />
      </main>
    )
  }
  const close = () => setIsOpen(false)
  return (
    <div className="app">
      <a className="skip" href="#main">
        ข้ามไปเนื้อหา
      </a>
      <div className="sider">
        <MainMenu onLeave={close} />
      </div>
      <header className="top-bar">
        <Button
          type="text"
          icon={<MenuIcon size={20} aria-hidden />}
          aria-label="เปิดเมนู"
          onClick={() => setIsOpen(true)}
        />
        <BrandMark />
        {SITE_NAME}
      </header>
      <Drawer
        open={isOpen}
        onClose={close}
        placement="left"
        size={216}
        title={null}
        closable={false}
        styles={{ body: { padding: 0 } }}
      >
        <MainMenu onLeave={close} />
      </Drawer>
      <main className="main" id="main" tabIndex={-1}>
        <ConnectionNote />
        <SafeModeNote />
        <Page />
      </main>
    </div>
  )
}

/** The page itself; one that crashes, or whose code can't be loaded, leaves the menu standing. */
function Page() {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary key={pathname}>
      <Outlet />
    </ErrorBoundary>
  )
}

function MainMenu({ onLeave }: { onLeave: () => void }) {
  const me = useMe()
  const session = useSession()
  return (
    <nav className="menu" aria-label="เมนูหลัก">
      <Link to="/" className="brand" onClick={onLeave}>
        <BrandMark />
        {SITE_NAME}
      </Link>
      {can(me.role, searchOrders.allow) && <OrderSearch onLeave={onLeave} />}
      <MenuPages role={me.role} onLeave={onLeave} />
      {can(me.role, getBacklog.allow) && <ChimeSwitch />}
      <div className="me">
        <Link to={`/user/${encodeURIComponent(me.uid)}`} onClick={onLeave} title="ข้อมูลของฉัน">
          <Avatar name={me.displayName} />
          <span className="grow">
            <b>{me.displayName}</b>
            <span className="note muted">{ROLE_LABELS[me.role]}</span>
          </span>
        </Link>
        <Tooltip title="ออกจากระบบ">
          <Button
            type="text"
            icon={<LogOut size={18} aria-hidden />}
            aria-label="ออกจากระบบ"
            onClick={() => session.signOut()}
          />
        </Tooltip>
      </div>
    </nav>
  )
}
