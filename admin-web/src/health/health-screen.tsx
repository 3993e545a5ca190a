import { HEALTH_CHECK } from '@shop/shared/health/check.ts'
import { getHealth, type HealthCheck, type ServiceHealth } from '@shop/shared/health/endpoints.ts'
import { HEALTH_STATE, HEALTH_STATES, SERVICE_HEALTH } from '@shop/shared/health/health.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useClient } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Check } from './check.tsx'
import { Unfinished } from './unfinished.tsx'
import './health.css'

const POLL_MS = 30_000

/** Shows how the services do that the shop depends on, and what it means for customers when one of them fails. */
export function HealthScreen() {
  const client = useClient()
  const health = useQuery({ ...client.query(getHealth), refetchInterval: POLL_MS })
  return (
    <>
      <PageHead title={STAFF_PAGE.health.title} about="บริการที่ร้านพึ่งพา ใช้งานได้หรือไม่ และถ้าขัดข้องลูกค้าจะเจออะไร" />
      <Loaded query={health} rows={10}>
        {({ services, checks, nowDate }) => (
          <>
            <Summary services={services} checks={checks} nowDate={nowDate} />
            <Unfinished />
            <ul className="card health" aria-label="บริการของร้าน">
              {services.toSorted(byState).map(service => (
                <Service key={service.name} service={service} />
              ))}
            </ul>
            <h2 className="health-heading">สิ่งที่เฝ้าดูจากภายนอก</h2>
            <p className="muted">เมื่อเกินกำหนด ระบบเฝ้าดูภายนอกจะแจ้งผู้ดูแลเซิร์ฟเวอร์</p>
            <ul className="card health" aria-label="สิ่งที่เฝ้าดู">
              {checks.toSorted(redFirst).map(check => (
                <Check key={check.name} check={check} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  )
}

const byState = (one: ServiceHealth, other: ServiceHealth) =>
  HEALTH_STATES.indexOf(one.state) - HEALTH_STATES.indexOf(other.state)

const redFirst = (one: HealthCheck, other: HealthCheck) => Number(other.isRed) - Number(one.isRed)

function Summary({ services, checks, nowDate }: { services: ServiceHealth[]; checks: HealthCheck[]; nowDate: string }) {
  const failing = services.filter(({ state }) => state === 'failing').map(({ name }) => SERVICE_HEALTH[name].title)
  const red = checks.filter(({ isRed }) => isRed).map(({ name }) => HEALTH_CHECK[name].title)
  const isFine = failing.length + red.length === 0
  const parts = [
    failing.length > 0 && `ขัดข้อง ${failing.length} บริการ: ${failing.join(', ')}`,
    red.length > 0 && `เกินกำหนด ${red.length} เรื่อง: ${red.join(', ')}`,
  ].filter(Boolean)
  return (
    <p className={`card card-part row health-summary ${isFine ? 'is-ok' : 'is-bad'}`} role="status">
      {isFine ? <CircleCheck size={20} aria-hidden /> : <CircleAlert size={20} aria-hidden />}
      <b className="grow">{isFine ? 'บริการที่เปิดใช้ทำงานปกติทั้งหมด' : parts.join(' · ')}</b>
      <span className="note muted">ข้อมูลเมื่อ {formatShort(nowDate)}</span>
    </p>
  )
}

function Service({ service }: { service: ServiceHealth }) {
  const { name, state, detail } = service
  const { title, use, without } = SERVICE_HEALTH[name]
  const isUsed = state === 'works' || state === 'unused'
  return (
    <li>
      <span className={`tag ${HEALTH_STATE[state].tone}`}>{HEALTH_STATE[state].label}</span>
      <div>
        <h2>{title}</h2>
        <p className={state === 'failing' ? 'is-bad' : 'muted'}>
          {isUsed ? use : `${state === 'failing' ? 'ระหว่างนี้' : 'ตอนนี้'}: ${without}`}
        </p>
        {detail && <p className="note muted">{detail}</p>}
      </div>
      <Times service={service} />
      <Act service={service} />
    </li>
  )
}

function Times({ service: { failingSince, succeededAt, failedAt } }: { service: ServiceHealth }) {
  return (
    <dl className="note number">
      {failingSince && <Time label="ขัดข้องตั้งแต่" at={failingSince} />}
      {succeededAt && <Time label="ใช้ได้ล่าสุด" at={succeededAt} />}
      {failedAt && !failingSince && <Time label="ขัดข้องล่าสุด" at={failedAt} />}
    </dl>
  )
}

const Time = ({ label, at }: { label: string; at: string }) => (
  <div>
    <dt className="muted">{label}</dt>
    <dd>{formatShort(at)}</dd>
  </div>
)

function Act({ service: { name, state } }: { service: ServiceHealth }) {
  const { act } = SERVICE_HEALTH[name]
  if (act === null) {
    const isWanted = state === 'failing' || state === 'missing'
    return <span className="note muted">{isWanted && 'แจ้งผู้ดูแลเซิร์ฟเวอร์'}</span>
  }
  return (
    <StaffLink page={act.page} to={`${STAFF_PAGE[act.page].path}${act.search ? `?${act.search}` : ''}`}>
      {act.label}
    </StaffLink>
  )
}
