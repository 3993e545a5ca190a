import { showPhone } from '@shop/shared/account/account.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { gatewayLabel } from '@shop/shared/provider-names.ts'
import { getTopUpForStaff, type TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../account/session.tsx'
import { placeOfAgent, StaffLink } from '../account/staff-link.tsx'
import { SlipVerdict } from '../slipcheck/slip-verdict.tsx'
import { CloseButton } from '../ui/close-button.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Slip } from '../upload/slip.tsx'
import { TopUpStatusTag } from './status-tag.tsx'
import { TopUpChecks } from './top-up-checks.tsx'
import { TopUpDecision } from './top-up-decision.tsx'

const POLL_MS = 5000

/** One top-up beside the list: its slip, the checks, and the decision. */
export function TopUpPanel(props: {
  id: string
  /** Whether the caller may cancel it, because they entered it. */
  canCancel: boolean
  onClose: () => void
  onDecided: () => void
}) {
  const { id, canCancel, onClose, onDecided } = props
  const client = useClient()
  const query = useQuery({
    ...client.query(getTopUpForStaff, { params: { id } }),
    // After a failed first load, only the person's retry asks again.
    refetchInterval: query => (query.state.data ? POLL_MS : false),
  })
  const { data } = query
  return (
    <aside className="card top-up" aria-label={data ? `รายละเอียด ${data.no}` : 'รายละเอียด'}>
      <header>
        <div className="grow">
          <span className="note muted number">{data ? `${data.no} · เติมเงิน` : ' '}</span>
          <h2 style={{ fontSize: '1rem' }}>
            {data ? (
              <StaffLink page="agentDetails" to={placeOfAgent(data.uid)}>
                {data.agentName}
              </StaffLink>
            ) : (
              ' '
            )}
          </h2>
        </div>
        {data && <TopUpStatusTag status={data.status} />}
        <CloseButton label="ปิดรายละเอียด" onClick={onClose} />
      </header>
      <Loaded query={query} rows={10}>
        {topUp => (
          <div className="top-up-body">
            <Slip
              slipId={topUp.slipId}
              without={topUp.payment === 'bank' ? undefined : `จ่ายด้วย ${PAYMENT_METHOD[topUp.payment].name}`}
              hasTools
            />
            <div className="top-up-side">
              <Amounts topUp={topUp} />
              <TopUpChecks topUp={topUp} />
              <SlipVerdict verdict={topUp.slipVerdict} />
              <Agent topUp={topUp} />
              <TopUpDecision topUp={topUp} canCancel={canCancel} onDecided={onDecided} />
            </div>
          </div>
        )}
      </Loaded>
    </aside>
  )
}

function Amounts({ topUp }: { topUp: TopUpForStaff }) {
  const { amountSatang, balanceSatang, roomSatang, status } = topUp
  return (
    <section className="card-part">
      <div className="note muted">ยอดที่ขอเติม</div>
      <div className="big-amount number">฿{formatBaht(amountSatang)}</div>
      <Facts
        isSmall
        facts={[
          ['ยอดคงเหลือ', `฿${formatBaht(balanceSatang)}`],
          status === 'waiting_approve' && ['หลังอนุมัติ', `฿${formatBaht(balanceSatang + amountSatang)}`],
          ['เติมได้อีกสูงสุด', `฿${formatBaht(roomSatang)}`],
        ]}
      />
    </section>
  )
}

/** How it is paid, and what that costs; of a transfer its slip tells all. */
function paidFacts({ payment, charge }: TopUpForStaff): Fact[] {
  const how: Fact = ['วิธีชำระ', PAYMENT_METHOD[payment].name]
  if (!charge) return [how]
  return [
    how,
    ['ผู้ให้บริการรับชำระ', gatewayLabel(charge.gateway)],
    ['ยอดที่ตัวแทนจ่าย', `฿${formatBaht(charge.amountSatang)}`],
    charge.surchargeSatang > 0 && ['ค่าธรรมเนียมของตัวแทน', `฿${formatBaht(charge.surchargeSatang)}`],
    charge.feeSatang !== null && ['ค่าบริการที่ร้านเสีย', `฿${formatBaht(charge.feeSatang)}`],
    charge.paidAt !== null && ['จ่ายเมื่อ', formatDateTimeSeconds(charge.paidAt)],
  ]
}

function Agent({ topUp }: { topUp: TopUpForStaff }) {
  const facts: Fact[] = [
    ['วันที่', formatDateTimeSeconds(topUp.createdDate)],
    ...paidFacts(topUp),
    ['ชื่อ-นามสกุล', topUp.fullName],
    ['Tier', topUp.tierName],
    ['โทรศัพท์', showPhone(topUp.tel)],
    ['อีเมล', topUp.email],
    ['ธนาคาร', topUp.bankCode && bankOf(topUp.bankCode).niceName],
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
