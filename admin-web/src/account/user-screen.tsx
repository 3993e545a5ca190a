import { getUser, type Me } from '@shop/shared/account/endpoints.ts'
import { getAccountRecord } from '@shop/shared/account/record-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { can, canEditAccount } from '@shop/shared/permissions.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { askedPanelOf, forcedChangeOf } from '@shop/web/forced-change.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import {
  ArrowLeft,
  Banknote,
  History,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  Settings,
  ShieldCheck,
  User,
  WalletCards,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { LoadError } from '../ui/load-error.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { AccessPanel } from './access-panel.tsx'
import { AdminPanel } from './admin-panel.tsx'
import { IdentityCard } from './identity-card.tsx'
import type { PanelProps } from './panel.ts'
import { OthersPasswordPanel, OwnPasswordPanel } from './password-panel.tsx'
import { PinPanel } from './pin-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { useClient, useMe, useSession } from './session.tsx'
import { placeOfAgent, StaffLink } from './staff-link.tsx'
import { StepDownPanel } from './step-down-panel.tsx'
import { TotpPanel } from './totp-panel.tsx'
import './account.css'

interface Panel {
  key: string
  label: string
  icon: LucideIcon
  screen: ComponentType<PanelProps>
  isOpen: boolean
  /** A list needs the whole width, and has a card of its own. */
  isList?: true
}

/** Panels of rooms that stand on this one. */
type PanelsAbove = Record<'orders' | 'money', ComponentType<PanelProps>>

/** Returns the panels that a viewer sees of an account, by the permission table. */
function panelsOf(user: Me, me: Me, above: PanelsAbove): Panel[] {
  const isOwn = me.uid === user.uid
  const mayManage = canEditAccount(me, user)
  // Nobody sets an admin's password: who knows it could act as them.
  const hasPassword = (isOwn || (mayManage && user.role !== 'admin')) && user.providers.includes('password')
  const hasTotp = isOwn && can(me.role, 'totp.own')
  const hasPin = isOwn && can(me.role, 'pin.change') && (user.hasWallet || forcedChangeOf(user)?.panel === 'pin')
  const mayStepDown = isOwn && can(me.role, 'admin.stepDown')
  const hasOrders = !isOwn && can(me.role, listAllOrders.allow)
  const hasRecord = !isOwn && can(me.role, getAccountRecord.allow)
  const password = isOwn ? OwnPasswordPanel : OthersPasswordPanel
  const panels: Panel[] = [
    { key: 'orders', label: 'คำสั่งซื้อ', icon: History, screen: above.orders, isOpen: hasOrders, isList: true },
    { key: 'money', label: 'เงิน', icon: Banknote, screen: above.money, isOpen: hasRecord, isList: true },
    { key: 'access', label: 'การเข้าสู่ระบบ', icon: LogIn, screen: AccessPanel, isOpen: hasRecord },
    { key: 'info', label: 'ข้อมูลผู้ใช้', icon: User, screen: ProfilePanel, isOpen: true },
    { key: 'password', label: 'เปลี่ยนรหัสผ่าน', icon: KeyRound, screen: password, isOpen: hasPassword },
    { key: 'pin', label: 'เปลี่ยน PIN', icon: WalletCards, screen: PinPanel, isOpen: hasPin },
    { key: 'totp', label: 'แอปยืนยันตัวตน', icon: ShieldCheck, screen: TotpPanel, isOpen: hasTotp },
    { key: 'rank', label: 'ลาออกจากผู้ดูแลระบบ', icon: LogOut, screen: StepDownPanel, isOpen: mayStepDown },
    { key: 'admin', label: 'เมนูผู้ดูแล', icon: Settings, screen: AdminPanel, isOpen: mayManage },
  ]
  return panels.filter(({ isOpen }) => isOpen)
}

export function UserScreen(above: PanelsAbove) {
  const { uid = '' } = useParams()
  const client = useClient()
  const { data: user, error, refetch } = useQuery(client.query(getUser, { params: { uid } }))
  const title = user?.displayName ?? 'ผู้ใช้งาน'
  if (error instanceof AppError && error.code === 'NOT_FOUND') return <NotFoundScreen />
  return (
    <>
      <PageHead title={title}>
        {(user?.hasWallet || user?.role === 'agent') && (
          <StaffLink page="agentDetails" to={placeOfAgent(user.uid)}>
            กระเป๋าเงินและยอดของตัวแทน
          </StaffLink>
        )}
        <BackButton />
      </PageHead>
      {user ? (
        <UserPanels key={user.uid} user={user} above={above} />
      ) : (
        <div className="card">
          {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton active className="card-part" />}
        </div>
      )}
    </>
  )
}

function BackButton() {
  const navigate = useNavigate()
  const me = useMe()
  if (forcedChangeOf(me) || !can(me.role, STAFF_PAGE.users.allow)) return null
  return (
    <Button icon={<ArrowLeft size={16} aria-hidden />} onClick={() => navigate('/management/user')}>
      กลับไปรายการผู้ใช้งาน
    </Button>
  )
}

function UserPanels({ user, above }: { user: Me; above: PanelsAbove }) {
  const me = useMe()
  const session = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const isOwn = me.uid === user.uid
  const panels = panelsOf(user, me, above)
  const forced = isOwn ? forcedChangeOf(me) : null
  const shown = panels.find(({ key }) => key === (forced?.panel ?? askedPanelOf(params))) ?? panels[0]!
  const onSaved = async () => {
    await queries.invalidateQueries({ queryKey: [getUser.path, { uid: user.uid }] })
    if (isOwn) await session.refresh()
    if (forced) navigate('/', { replace: true })
  }
  const mayEdit = isOwn || canEditAccount(me, user)
  const screen = <shown.screen user={user} isOwn={isOwn} mayEdit={mayEdit} onSaved={onSaved} />
  return (
    <div className="user">
      <div className="card">
        <IdentityCard user={user} isOwn={isOwn} />
        <nav className="card-part" aria-label="หัวข้อของบัญชี" style={{ padding: 8 }}>
          {panels.map(({ key, label, icon: Icon }) => (
            <button
              key={key}
              type="button"
              className="menu-link"
              aria-current={shown.key === key ? 'page' : undefined}
              disabled={forced !== null && shown.key !== key}
              onClick={() => setParams(key === panels[0]!.key ? {} : { panel: key }, { replace: true })}
            >
              <Icon size={18} aria-hidden />
              {label}
            </button>
          ))}
        </nav>
      </div>
      {shown.isList ? (
        <section className="user-list" aria-label={shown.label}>
          {screen}
        </section>
      ) : (
        <section className="card" aria-label={shown.label}>
          <header>
            <h2>{shown.label}</h2>
          </header>
          <div className="card-part panel">
            {forced && <Alert type="warning" showIcon title={forced.warning} className="form-alert" />}
            {screen}
          </div>
        </section>
      )}
    </div>
  )
}
