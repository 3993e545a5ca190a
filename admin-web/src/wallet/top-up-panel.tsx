import { showPhone } from '@shop/shared/account/account.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { getTopUpForStaff, type TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { X } from 'lucide-react'
import { useClient } from '../account/session.tsx'
import { SlipVerdict } from '../slipcheck/slip-verdict.tsx'
import { Facts } from '../ui/facts.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Slip } from '../upload/slip.tsx'
import { TopUpStatusTag } from './status-tag.tsx'
import { TopUpChecks } from './top-up-checks.tsx'
import { TopUpDecision } from './top-up-decision.tsx'

const POLL_MS = 5000

/** One top-up beside the list: slip, what speaks for and against it, and the decision. */
export function TopUpPanel(props: {
  id: string
  /** Whether the caller may take it back: they entered it. */
  canCancel: boolean
  onClose: () => void
  onDecided: () => void
}) {
  const { id, canCancel, onClose, onDecided } = props
  const client = useClient()
  const { data, error, refetch } = useQuery({
    ...client.query(getTopUpForStaff, { params: { id } }),
    // A failed first load waits for the person to try again.
    refetchInterval: query => (query.state.data ? POLL_MS : false),
  })
  return (
    <aside className="card top-up" aria-label={data ? `รายละเอียด ${data.no}` : 'รายละเอียด'}>
      <header>
        <div className="grow">
          <span className="note muted number">{data ? `${data.no} · เติมเงิน` : ' '}</span>
          <h2 style={{ fontSize: '1rem' }}>{data?.agentName ?? ' '}</h2>
        </div>
        {data && <TopUpStatusTag status={data.status} />}
        <Button
          type="text"
          size="small"
          icon={<X size={18} aria-hidden />}
          aria-label="ปิดรายละเอียด"
          onClick={onClose}
        />
      </header>
      {!data && error && <LoadError error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active className="card-part" paragraph={{ rows: 10 }} />}
      {data && (
        <div className="top-up-body">
          <Slip slipId={data.slipId} />
          <div className="top-up-side">
            <Amounts topUp={data} />
            <TopUpChecks topUp={data} />
            <SlipVerdict verdict={data.slipVerdict} />
            <TopUpDecision topUp={data} canCancel={canCancel} onDecided={onDecided} />
            <Agent topUp={data} />
          </div>
        </div>
      )}
    </aside>
  )
}

function Amounts({ topUp }: { topUp: TopUpForStaff }) {
  const { amountSatang, balanceSatang, roomSatang, status } = topUp
  const facts: [string, number][] = [
    ['ยอดคงเหลือ', balanceSatang],
    ...(status === 'waiting_approve' ? [['หลังอนุมัติ', balanceSatang + amountSatang] as [string, number]] : []),
    ['เติมได้อีกสูงสุด', roomSatang],
  ]
  return (
    <section className="card-part">
      <div className="note muted">ยอดที่ขอเติม</div>
      <div className="top-up-amount number">฿{formatBaht(amountSatang)}</div>
      <Facts isSmall facts={facts.map(([label, satang]) => [label, `฿${formatBaht(satang)}`])} />
    </section>
  )
}

function Agent({ topUp }: { topUp: TopUpForStaff }) {
  const bank = topUp.bankCode ? bankOf(topUp.bankCode).niceName : null
  const facts: [string, string | null][] = [
    ['วันที่', formatDateTimeSeconds(topUp.createdDate)],
    ['ชื่อ-นามสกุล', topUp.fullName],
    ['Tier', topUp.tierName],
    ['โทรศัพท์', showPhone(topUp.tel)],
    ['อีเมล', topUp.email],
    ['ธนาคาร', bank],
    ['เลขที่บัญชี', topUp.bankAccount],
    ['ผู้บันทึกรายการ', topUp.enteredByName],
  ]
  return (
    <section className="card-part">
      <h3>ข้อมูลรายการ</h3>
      <Facts isSmall facts={facts} />
    </section>
  )
}
