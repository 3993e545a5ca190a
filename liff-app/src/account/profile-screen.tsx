import type { Me } from '@shop/shared/account/endpoints.ts'
import { can, isAdminSide } from '@shop/shared/permissions.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { askedPanelOf, forcedChangeOf } from '@shop/web/forced-change.ts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ExternalLink, LogOut } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { api } from '../api.ts'
import { usePageTitle } from '../page-title.ts'
import { adminUrl } from '../shop.ts'
import { Button, ButtonAnchor } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import NotFoundScreen from '../ui/not-found-screen.tsx'
import { Note } from '../ui/note.tsx'
import { Skeleton } from '../ui/state.tsx'
import { useMedia } from '../ui/use-media.ts'
import { IdentityCard } from './identity-card.tsx'
import { PinNotice } from './pin-notice.tsx'
import { PANEL_NAMES, type PanelName, ProfileMenu, titleOf } from './profile-menu.tsx'
import { useSession } from './session.tsx'
import { getPathAfterSignIn } from './way-back.ts'

const lazyPanel = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazyPart(load, <Skeleton className="h-80" />)

// A phone shows none of them before it is opened, and most have forms, whose code is more than all the rest of the page.
const CreditPanel = lazyPanel(() => import('./credit-panel.tsx'))
const DataPanel = lazyPanel(() => import('./data-panel.tsx'))
const InfoPanel = lazyPanel(() => import('./info-panel.tsx'))
const LinksPanel = lazyPanel(() => import('./links-panel.tsx'))
const PasswordPanel = lazyPanel(() => import('./password-panel.tsx'))
const PinPanel = lazyPanel(() => import('./pin-panel.tsx'))

/** The own account. Staff are led to the admin site for those of others; for everybody else they do not exist. */
export default function ProfileScreen() {
  const { me } = useSession()
  const { uid } = useParams()
  if (!me) return null
  if (uid === me.uid) return <OwnProfile me={me} />
  return isAdminSide(me.role) ? <OtherProfile uid={uid ?? ''} /> : <NotFoundScreen />
}

function OtherProfile({ uid }: { uid: string }) {
  return (
    <div className="py-10 text-center">
      <h1 className="page-title">บัญชีผู้ใช้</h1>
      <p className="mt-1 text-ink-2">ดูและแก้ไขบัญชีของผู้ใช้อื่นได้ที่ระบบหลังร้าน</p>
      <ButtonAnchor href={`${adminUrl}/user/${encodeURIComponent(uid)}`} className="mt-6">
        เปิดในระบบหลังร้าน
      </ButtonAnchor>
    </div>
  )
}

/** The panels of an account; that of `asked` is there even where the menu has no row for it otherwise. */
function panelsOf(me: Me, asked: string | null): PanelName[] {
  const forced = forcedChangeOf(me)?.panel
  const has: Record<PanelName, boolean> = {
    info: true,
    // A reseller's refunds go to the wallet.
    credit: can(me.role, 'credit.own') && (!me.hasWallet || asked === 'credit'),
    password: forced === 'password' || me.providers.includes('password'),
    // Whoever has no wallet needs one only for a lot of shop credit.
    pin: forced === 'pin' || (can(me.role, 'pin.change') && (me.hasWallet || asked === 'pin')),
    links: true,
    data: true,
  }
  return PANEL_NAMES.filter(name => has[name])
}

function OwnProfile({ me }: { me: Me }) {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const forced = forcedChangeOf(me)
  const asked = askedPanelOf(query)
  const isWide = useMedia('(min-width: 64rem)')
  const names = panelsOf(me, asked)
  const opened = forced?.panel ?? names.find(name => name === asked) ?? null
  const current = opened ?? 'info'
  usePageTitle(opened ? titleOf(opened, me) : undefined)
  const path = `/user/${me.uid}`
  const goOn = (changed: Me) => {
    if (!forced) return
    const next = forcedChangeOf(changed)
    navigate(next ? next.path + next.search : getPathAfterSignIn(), { replace: true })
  }
  const menu = (
    <div className={classes(opened && !forced && 'hidden lg:block')}>
      <ProfileMenu me={me} names={names} current={current} forced={forced?.panel ?? null} />
      <Leave me={me} isLocked={forced !== null} />
    </div>
  )
  return (
    <div className="pb-6 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-10">
      <h1 className="sr-only">บัญชีของฉัน</h1>
      <div className={classes(opened && !forced && 'hidden lg:block')}>
        {!forced && <BackFromProfile me={me} />}
        <IdentityCard me={me} />
        {!forced && me.hasWallet && <OwnPinNotice />}
      </div>
      {!forced && menu}
      {(opened || isWide) && (
        <section
          aria-label={titleOf(current, me)}
          className={classes('lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:max-w-104', forced && 'mt-5 lg:mt-0')}
        >
          {opened && !forced && (
            <BackLink to={path} className="lg:hidden">
              บัญชีของฉัน
            </BackLink>
          )}
          {forced && (
            <Note className="mb-3" kind="warn" role="alert">
              {forced.warning}
            </Note>
          )}
          <h2 className="page-title mb-3">{titleOf(current, me)}</h2>
          <Panel name={current} me={me} onDone={goOn} />
        </section>
      )}
      {forced && menu}
    </div>
  )
}

function OwnPinNotice() {
  const { data: wallet } = useQuery({ ...api.query(getWallet), staleTime: 0 })
  return wallet?.pin ? <PinNotice pin={wallet.pin} nowDate={wallet.nowDate} /> : null
}

interface PanelProps {
  name: PanelName
  me: Me
  onDone: (me: Me) => void
}

function Panel({ name, me, onDone }: PanelProps) {
  if (name === 'info') return <InfoPanel me={me} />
  if (name === 'credit') return <CreditPanel />
  if (name === 'password') return <PasswordPanel me={me} onDone={onDone} />
  if (name === 'pin') return <PinPanel me={me} onDone={onDone} />
  if (name === 'links') return <LinksPanel me={me} />
  return <DataPanel me={me} />
}

const backLook = 'link mb-2 inline-flex min-h-11 items-center gap-1.5'

function BackLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes(backLook, className)}>
      <ArrowLeft size={20} />
      {children}
    </Link>
  )
}

function BackFromProfile({ me }: { me: Me }) {
  if (!can(me.role, 'account.list')) return <BackLink to="/game">กลับไปเลือกเกม</BackLink>
  return (
    <a href={`${adminUrl}/management/user`} className={backLook}>
      <ArrowLeft size={20} />
      กลับไปหน้าผู้ใช้
    </a>
  )
}

/** The button for the sign-out, and for staff a link to the admin site. */
function Leave({ me, isLocked }: { me: Me; isLocked: boolean }) {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <div className="mt-4 grid gap-2">
      {isAdminSide(me.role) && !isLocked && (
        <ButtonAnchor kind="secondary" block href={`${adminUrl}/user/${me.uid}`} icon={<ExternalLink size={20} />}>
          บัญชีในระบบหลังร้าน
        </ButtonAnchor>
      )}
      <Button
        kind="destructive"
        block
        busy={isLeaving}
        busyLabel="กำลังออกจากระบบ"
        icon={<LogOut size={20} />}
        onClick={() => {
          setLeaving(true)
          navigate('/game', { replace: true })
          void signOut()
        }}
      >
        ออกจากระบบ
      </Button>
    </div>
  )
}
