import { formatBaht } from '@shop/shared/money.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { getSupplierHealth, type SupplierHealth } from '@shop/shared/supplier/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { StandingTag, UNKNOWN } from './standing.tsx'
import './supplier.css'

const POLL_MS = 30_000

/** Shows how each supplier does: its money, how much it delivers and how fast, and what is unclear. */
export function SuppliersScreen() {
  const client = useClient()
  const health = useQuery({ ...client.query(getSupplierHealth), refetchInterval: POLL_MS })
  return (
    <>
      <PageHead title={STAFF_PAGE.suppliers.title} about="เงินคงเหลือ ส่งสำเร็จเท่าไร เร็วแค่ไหน และมีอะไรต้องตรวจ">
        <StaffLink page="appconfig" to={`${STAFF_PAGE.appconfig.path}?section=supplier`}>
          ตั้งค่าผู้จำหน่าย
        </StaffLink>
      </PageHead>
      <Loaded query={health} rows={8}>
        {({ suppliers, nowDate }) =>
          suppliers.length === 0 ? (
            <section className="card">
              <NothingFound text="ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ" />
            </section>
          ) : (
            <>
              <ul className="suppliers" aria-label="ผู้จำหน่าย">
                {suppliers.map(supplier => (
                  <Supplier key={supplier.name} supplier={supplier} now={new Date(nowDate)} />
                ))}
              </ul>
              <p className="note muted">ข้อมูลเมื่อ {formatDateTimeSeconds(nowDate)}</p>
            </>
          )
        }
      </Loaded>
    </>
  )
}

type Counts = SupplierHealth['day']

/** "12 จาก 13 (92%)"; what is still open counts neither way. */
function shareOf({ sent, delivered, settled }: Counts): string {
  if (sent === 0) return 'ยังไม่มีการซื้อ'
  const open = sent - settled
  const waits = open > 0 ? ` · รอผล ${open}` : ''
  if (settled === 0) return `${UNKNOWN}${waits}`
  return `${delivered} จาก ${settled} (${Math.floor((delivered / settled) * 100)}%)${waits}`
}

function lengthOf(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} วินาที`
  return `${Math.round(seconds / 6) / 10} นาที`
}

/** How long ago something was known, since a balance of yesterday says little. */
function agoOf(at: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / 60_000))
  if (minutes < 1) return 'เมื่อสักครู่'
  if (minutes < 60) return `${minutes} นาทีก่อน`
  return minutes < 60 * 48 ? `${Math.floor(minutes / 60)} ชม. ก่อน` : `${Math.floor(minutes / 1440)} วันก่อน`
}

function Supplier({ supplier, now }: { supplier: SupplierHealth; now: Date }) {
  const { name, balanceSatang, balanceAt, isBalanceLow, day, week, medianSeconds, unclearOrderNos } = supplier
  const { callback, lastCallbackAt, lastError, lastErrorAt } = supplier
  const label = supplierLabel(name)
  const balance = balanceSatang === null ? UNKNOWN : `${formatBaht(balanceSatang)} บาท`
  return (
    <li className="card" aria-label={label}>
      <header className="row">
        <h2 className="grow">{label}</h2>
        <StandingTag supplier={supplier} />
      </header>
      <div className="card-part">
        <Facts
          facts={[
            [
              'เงินคงเหลือ',
              <span key="balance" className={isBalanceLow ? 'is-bad' : undefined}>
                {balance}
                {isBalanceLow && ' (ใกล้หมด)'}
                {balanceAt && <span className="note muted"> · {agoOf(balanceAt, now)}</span>}
              </span>,
            ],
            ['ส่งสำเร็จวันนี้', shareOf(day)],
            ['ส่งสำเร็จ 7 วัน', shareOf(week)],
            ['เวลาส่งกลาง 7 วัน', medianSeconds === null ? UNKNOWN : lengthOf(medianSeconds)],
            [
              'แจ้งผลกลับล่าสุด',
              callback === 'none'
                ? 'ไม่มี ร้านถามเอง'
                : lastCallbackAt
                  ? `${formatDateTimeSeconds(lastCallbackAt)} · ${agoOf(lastCallbackAt, now)}`
                  : UNKNOWN,
            ],
            ['ปัญหาล่าสุด', lastError && `${lastError}${lastErrorAt ? ` · ${formatDateTimeSeconds(lastErrorAt)}` : ''}`],
            ['ต้องตรวจกับผู้จำหน่าย', <Unclear key="unclear" orderNos={unclearOrderNos} />],
          ]}
        />
      </div>
    </li>
  )
}

const Unclear = ({ orderNos }: { orderNos: string[] }) =>
  orderNos.length === 0
    ? 'ไม่มี'
    : orderNos.map(orderNo => (
        <Link key={orderNo} className="number order-link" to={`/management/details/${orderNo}`}>
          {orderNo}
        </Link>
      ))
