import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { gatewayLabel } from '@shop/shared/provider-names.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { CircleAlert, CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { StatementLineLink } from '../account/staff-link.tsx'
import { MaybeUsed, SlipOthers } from '../slipcheck/slip-others.tsx'
import { Check } from '../ui/check.tsx'

const icons = { ok: CircleCheck, warn: TriangleAlert, bad: CircleX, open: CircleAlert }

interface Finding {
  tone: keyof typeof icons
  text: string
  evidence?: string
}

/** Slips of TrueMoney have "truemoney" where a bank's slip has the bank's code. */
const senderName = (sendingBank: string) =>
  sendingBank === 'truemoney' ? 'TrueMoney Wallet' : bankOf(sendingBank).niceName

function slipChecks({ slipId, slipReference, slipOthers, bankCode, statementLine }: TopUpForStaff): Finding[] {
  // A slip proves nothing more when the bank's own line shows the money.
  if (!slipId) return statementLine ? [] : [{ tone: 'bad', text: 'ไม่มีหลักฐานการชำระเงิน' }]
  if (!slipReference)
    return [
      { tone: 'warn', text: 'อ่านเลขอ้างอิงจากสลิปไม่ได้', evidence: 'ตรวจไม่ได้ว่าสลิปเคยใช้แล้วหรือไม่ กรุณาเทียบกับรายการธนาคาร' },
    ]
  const { sendingBank, reference } = slipReference
  const from = senderName(sendingBank)
  const isAlone = slipOthers.length === 0
  const checks: Finding[] = isAlone ? [{ tone: 'ok', text: 'เลขอ้างอิงสลิปยังไม่เคยใช้', evidence: reference }] : []
  if (!bankCode) return [...checks, { tone: 'open', text: `โอนจาก${from}`, evidence: 'ตัวแทนยังไม่ได้ระบุธนาคาร' }]
  const isSame = bankOf(bankCode).code === bankOf(sendingBank).code
  return [
    ...checks,
    isSame
      ? { tone: 'ok', text: 'ธนาคารที่โอนตรงกับบัญชีของตัวแทน', evidence: from }
      : { tone: 'warn', text: 'ธนาคารที่โอนต่างจากบัญชีของตัวแทน', evidence: `${from} / ${bankOf(bankCode).niceName}` },
  ]
}

function roomCheck({ status, amountSatang, roomSatang, maxAmountSatang, tierName }: TopUpForStaff): Finding[] {
  if (status !== 'waiting_approve') return []
  const evidence = `วงเงิน ${tierName} ฿${formatBaht(maxAmountSatang)} เติมได้อีก ฿${formatBaht(roomSatang)}`
  return amountSatang <= roomSatang
    ? [{ tone: 'ok', text: 'อยู่ในวงเงินของ Tier', evidence }]
    : [{ tone: 'bad', text: 'เกินวงเงินที่เติมได้', evidence }]
}

function approverCheck(topUp: TopUpForStaff): Finding[] {
  const { status, needsTwoApprovers, firstApprovedByName, receivedTodaySatang } = topUp
  if (!needsTwoApprovers) return []
  if (!firstApprovedByName)
    return [
      {
        tone: 'open',
        text: 'ยอดนี้ต้องมีผู้อนุมัติสองคน',
        evidence: `เงินเข้ากระเป๋าเมื่ออนุมัติครบสองคน วันนี้กระเป๋านี้ได้รับแล้ว ฿${formatBaht(receivedTodaySatang)}`,
      },
    ]
  const evidence = `คนแรก ${firstApprovedByName}`
  return [
    status === 'waiting_approve'
      ? { tone: 'warn', text: 'อนุมัติแล้วหนึ่งคน รอผู้อนุมัติคนที่สอง', evidence }
      : { tone: 'ok', text: 'มีผู้อนุมัติสองคน', evidence },
  ]
}

/** Shows the bank's line that proves the top-up. */
function LineCheck({ line }: { line: NonNullable<TopUpForStaff['statementLine']> }) {
  const from = line.fromBank && senderName(line.fromBank)
  const facts = [line.at ? formatDateTimeSeconds(line.at) : formatDay(line.day), from && `จาก${from}`, line.fromAccount]
  return (
    <Check tone="ok" icon={CircleCheck}>
      เงินเข้าแล้วตาม <StatementLineLink id={line.id}>รายการธนาคารหมายเลข {line.no}</StatementLineLink>
      <div className="note muted">{facts.filter(Boolean).join(' · ')}</div>
    </Check>
  )
}

/** How far the gateway's money is; no person says that it came. */
function gatewayCheck({ status, charge }: TopUpForStaff): Finding[] {
  const evidence = charge ? [gatewayLabel(charge.gateway), charge.reference].filter(Boolean).join(' · ') : undefined
  if (status === 'approve') return [{ tone: 'ok', text: 'ผู้ให้บริการรับชำระยืนยันว่าได้รับเงิน', evidence }]
  if (status === 'waiting_payment')
    return [{ tone: 'open', text: 'รอตัวแทนจ่าย ระบบเติมให้เองเมื่อเงินเข้า ไม่ต้องอนุมัติ', evidence }]
  return [{ tone: 'open', text: 'ยังไม่มีเงินเข้า หากเข้าภายหลัง ระบบเติมให้เอง', evidence }]
}

/** What the shop found out by itself. A slip's reference only tells slips apart; it does not prove a payment. */
export function TopUpChecks({ topUp }: { topUp: TopUpForStaff }) {
  const checks =
    topUp.payment === 'bank'
      ? [...slipChecks(topUp), ...roomCheck(topUp), ...approverCheck(topUp)]
      : gatewayCheck(topUp)
  return (
    <section className="card-part">
      <h3>ผลตรวจ</h3>
      <ul className="checks">
        {topUp.statementLine && <LineCheck line={topUp.statementLine} />}
        <SlipOthers others={topUp.slipOthers} />
        <MaybeUsed users={topUp.maybeUsedBy} />
        {checks.map(({ tone, text, evidence }) => (
          <Check key={text} tone={tone} icon={icons[tone]}>
            {text}
            {evidence && <div className="note muted">{evidence}</div>}
          </Check>
        ))}
      </ul>
    </section>
  )
}
