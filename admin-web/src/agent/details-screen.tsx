import { listTiers } from '@shop/shared/agent/endpoints.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { AppError } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { type AgentDetails, getAgent } from '@shop/shared/wallet/agent-endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { EmailCell } from '../account/email-cell.tsx'
import { PinReset } from '../account/pin-reset.tsx'
import { useClient } from '../account/session.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { AgentApiSection } from '../reseller/agent-api.tsx'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { AgentDrawer } from './agent-drawer.tsx'
import { AgentStatement } from './agent-statement.tsx'
import { type FirstSecrets, FirstSecretsDialog } from './first-secrets-dialog.tsx'
import { MapTierDialog } from './map-tier-dialog.tsx'
import { useAgentStatus } from './use-agent-status.ts'
import { useReloadAgents } from './use-reload-agents.ts'
import './agent.css'

const baht = (satang: number) => `฿${formatBaht(satang)}`

/** One agent: what lies on the wallet and moves on it, what they bought last, and what the shop set for them. */
export function AgentDetailsScreen() {
  const { uid = '' } = useParams()
  const client = useClient()
  const query = useQuery(client.query(getAgent, { params: { uid } }))
  const { data, error } = query
  if (error instanceof AppError && error.code === 'NOT_FOUND') return <NotFoundScreen />
  return (
    <>
      <PageHead title={data?.agent.name ?? 'ตัวแทน'}>
        <Link className="row" to={STAFF_PAGE.agent.path}>
          <ArrowLeft size={16} aria-hidden /> ตัวแทนทั้งหมด
        </Link>
        {data?.agent.canEdit && <Actions agent={data.agent} />}
      </PageHead>
      <Loaded query={query} rows={10}>
        {details => (
          <>
            <Figures details={details} />
            <AgentApiSection key={uid} uid={uid} canEdit={details.agent.canEdit} />
            <div className="agent-page">
              {details.wallet ? <AgentStatement key={uid} uid={uid} /> : <NoWallet />}
              <div className="agent-side">
                <Person details={details} />
                <TierAndLimits details={details} />
                <Pin details={details} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

function Actions({ agent }: Pick<AgentDetails, 'agent'>) {
  const client = useClient()
  const [open, setOpen] = useState<'agent' | 'mapTier' | null>(null)
  const [secrets, setSecrets] = useState<FirstSecrets | null>(null)
  const { ask, busyUid } = useAgentStatus()
  const tiers = useQuery(client.query(listTiers))
  const close = (made?: FirstSecrets | null) => {
    setOpen(null)
    if (made) setSecrets(made)
  }
  return (
    <>
      <Button loading={busyUid === agent.uid} onClick={() => ask(agent)}>
        {agent.isActived ? 'ปิดใช้งาน' : 'เปิดใช้งาน'}
      </Button>
      <Button onClick={() => setOpen('mapTier')}>กำหนด Tier</Button>
      <Button type="primary" onClick={() => setOpen('agent')}>
        แก้ไข
      </Button>
      {open === 'agent' && <AgentDrawer agent={agent} tiers={tiers.data ?? []} onClose={close} />}
      {open === 'mapTier' && <MapTierDialog agent={agent} tiers={tiers.data ?? []} onClose={close} />}
      {secrets && <FirstSecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />}
    </>
  )
}

function Figure({ title, value, children }: { title: string; value: ReactNode; children: ReactNode }) {
  return (
    <section className="card card-part" aria-label={title}>
      <h2 className="note muted">{title}</h2>
      <div className="agent-figure number">{value}</div>
      <div className="note muted">{children}</div>
    </section>
  )
}

/** The wallet's history of this agent, as the page of wallets lists it. */
const placeOfHistory = (name: string, status: string) =>
  `${STAFF_PAGE.wallet.path}?${new URLSearchParams({ status, agentName: name })}`

function Figures({ details: { agent, wallet, lastOrder } }: { details: AgentDetails }) {
  return (
    <div className="agent-figures">
      {wallet && (
        <>
          <Figure title="ยอดคงเหลือ" value={baht(agent.balanceSatang)}>
            เติมได้อีก {baht(wallet.roomSatang)}
          </Figure>
          <Figure title="รออนุมัติเติมเงิน" value={wallet.waiting > 0 ? baht(wallet.waitingSatang) : '–'}>
            {wallet.waiting > 0 ? (
              <Link to={placeOfHistory(agent.name, 'waiting_approve')}>{wallet.waiting} รายการ</Link>
            ) : (
              'ไม่มีรายการรอ'
            )}
          </Figure>
          <Figure title="ซื้อเดือนนี้" value={wallet.monthOrders > 0 ? baht(wallet.monthSpentSatang) : '–'}>
            {wallet.monthOrders.toLocaleString('en-US')} คำสั่งซื้อ หักที่คืนแล้ว
          </Figure>
          <Figure title="เติมเงินเดือนนี้" value={wallet.monthTopUpSatang > 0 ? baht(wallet.monthTopUpSatang) : '–'}>
            <Link to={placeOfHistory(agent.name, 'all')}>ประวัติกระเป๋าเงิน</Link>
          </Figure>
        </>
      )}
      <Figure title="คำสั่งซื้อล่าสุด" value={lastOrder ? baht(lastOrder.amountSatang) : '–'}>
        {lastOrder ? (
          <>
            <Link to={`/management/details/${lastOrder.orderNo}`}>{lastOrder.title}</Link>
            <div>
              {formatDateTimeSeconds(lastOrder.createdAt)} · {ORDER_STATUS[lastOrder.status as OrderStatus].label}
            </div>
          </>
        ) : (
          'ยังไม่เคยสั่งซื้อ'
        )}
      </Figure>
    </div>
  )
}

const NoWallet = () => (
  <section className="card card-part muted">ยังไม่มีกระเป๋าเงิน กำหนด Tier ให้ตัวแทนก่อน แล้วกระเป๋าเงินจะถูกสร้างให้เอง</section>
)

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="card-part">{children}</div>
    </section>
  )
}

function Person({ details: { agent, createdAt } }: { details: AgentDetails }) {
  const { uid, firstName, lastName, tel, bankCode, bankAccount, isActived } = agent
  return (
    <Side title="ข้อมูลตัวแทน">
      <Facts
        isSmall
        facts={[
          ['สถานะ', <StatusChip key="status" isActived={isActived} />],
          ['ชื่อ-นามสกุล', [firstName, lastName].filter(Boolean).join(' ')],
          ['อีเมล', <EmailCell key="email" address={agent} />],
          ['โทรศัพท์', tel],
          bankCode !== null && ['บัญชีธนาคาร', `${bankOf(bankCode).niceName} ${bankAccount ?? ''}`],
          ['เป็นสมาชิกเมื่อ', formatDateTimeSeconds(createdAt)],
        ]}
      />
      <Link className="small agent-more" to={`/user/${encodeURIComponent(uid)}?panel=admin`}>
        บัญชีผู้ใช้ รหัสผ่าน และวิธีเข้าสู่ระบบ
      </Link>
    </Side>
  )
}

function TierAndLimits({ details: { agent, wallet, tiers } }: { details: AgentDetails }) {
  if (!wallet) return null
  return (
    <Side title="Tier และวงเงิน">
      <Facts
        isSmall
        facts={[
          ['Tier', agent.tier?.name],
          ['ยอดสูงสุดในกระเป๋า', baht(wallet.maxAmountSatang)],
          ['เติมขั้นต่ำต่อครั้ง', baht(wallet.minTopUpSatang)],
          ['ยอดสูงสุดต่อคำสั่งซื้อ', baht(wallet.maxAmountPerOrderSatang)],
          ['จำนวนชิ้นต่อคำสั่งซื้อ', wallet.maxItemPerOrder.toLocaleString('en-US')],
        ]}
      />
      {tiers.length > 0 && (
        <>
          <h3 className="agent-past">ประวัติ Tier</h3>
          <Deeds deeds={tiers.map(({ tierName, ...deed }) => ({ ...deed, what: tierName }))} />
        </>
      )}
    </Side>
  )
}

/** Lists what the shop did, newest first, with who did it. */
function Deeds({ deeds }: { deeds: readonly { at: string; byName: string | null; what: string }[] }) {
  return (
    <ol className="agent-deeds">
      {deeds.map(({ at, byName, what }) => (
        <li key={`${at} ${what}`} className="small">
          <span className="strong">{what}</span>
          <div className="note muted number">
            {formatDateTimeSeconds(at)} · {byName ?? 'ระบบ'}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Pin({ details: { agent, wallet, pinResets } }: { details: AgentDetails }) {
  const reload = useReloadAgents()
  if (!wallet) return null
  const user = { uid: agent.uid, displayName: agent.name }
  return (
    <Side title="PIN">
      {agent.canEdit && <PinReset user={user} onSaved={async () => void (await reload())} />}
      {pinResets.length > 0 && <Deeds deeds={pinResets.map(deed => ({ ...deed, what: 'ตั้ง PIN ใหม่' }))} />}
    </Side>
  )
}
