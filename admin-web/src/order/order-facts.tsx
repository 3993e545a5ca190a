import { showPhone } from '@shop/shared/account/account.ts'
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { isGatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { Circle, CircleCheck, CircleDashed, CircleX, Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Age } from '../account/age.tsx'
import { useMe } from '../account/session.tsx'
import { StatementLineLink } from '../account/staff-link.tsx'
import { MaybeUsed, SlipOthers } from '../slipcheck/slip-others.tsx'
import { SlipVerdict } from '../slipcheck/slip-verdict.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Check } from '../ui/check.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Email } from '../ui/email.tsx'
import { Slip } from '../upload/slip.tsx'
import './order.css'

/** What staff type into the game: every field as large as the others, each with its copy button. */
export function PlayerFacts({ order, copyKeys = [] }: { order: StaffOrderView; copyKeys?: readonly string[] }) {
  const mayType = can(useMe().role, 'order.work')
  if (order.playerId === NO_PLAYER)
    return <div className="card-part small">ส่งเป็นรหัส ไม่มีข้อมูลผู้เล่น · จำนวน {order.quantity} ชิ้น</div>
  const fields =
    order.fields.length > 0 ? order.fields : [{ name: 'field1', label: 'Player ID', value: order.playerId }]
  return (
    <div className="card-part player">
      {fields.map(({ name, label, value }, nth) => (
        <div key={name}>
          <div className="note muted">{label}</div>
          <div className="row">
            <span className="player-id grow">{value}</span>
            {mayType && <CopyButton text={value} what={label} shortcut={copyKeys[nth]} />}
          </div>
        </div>
      ))}
      {order.playerName && (
        <div className="row small">
          <CircleCheck size={16} aria-hidden color="var(--ok)" />
          <span>
            ตรวจชื่อแล้ว: <b className="strong">{order.playerName}</b>
          </span>
        </div>
      )}
      {order.quantity > 1 && <div className="small">จำนวน {order.quantity} ชิ้น</div>}
    </div>
  )
}

const NOT_IN_BANK = 'ยังไม่เห็นในบัญชี'

/** Says what proves that an order is paid, and how far that goes. */
function proofOf({
  payment,
  hold,
  statementLine,
  slipVerdict,
}: StaffOrderView): [tone: 'ok' | 'warn' | 'open', text: string] {
  if (payment === 'wallet') return ['ok', 'ตัดจาก Wallet แล้ว']
  if (isGatewayMethod(payment)) return ['ok', 'ผู้ให้บริการรับชำระยืนยันว่าได้รับเงิน']
  if (hold?.file) return ['warn', 'ไฟล์ธนาคารแสดงว่าได้รับเงิน']
  if (statementLine) return ['ok', 'เงินเข้าบัญชีแล้ว']
  if (hold) return ['warn', `พนักงานบันทึกว่าได้รับเงิน · ${NOT_IN_BANK}`]
  if (slipVerdict?.hasApproved) return ['open', `สลิปผ่านการตรวจ · ${NOT_IN_BANK}`]
  return ['open', `ทีมงานยืนยันว่าได้รับเงิน · ${NOT_IN_BANK}`]
}

const PROOF_ICON = { ok: CircleCheck, warn: Clock, open: CircleDashed }

const lastDigits = (accountNo: string) => `x${accountNo.replace(/\D/g, '').slice(-4)}`

function MoneyCheck({ order }: { order: StaffOrderView }) {
  const amount = <b className="strong number">{formatBaht(order.amountSatang)}</b>
  const account = order.receivingAccount
  const place =
    order.payment === 'bank'
      ? account && `${account.bankName} ${lastDigits(account.accountNo)}`
      : PAYMENT_METHOD[order.payment].name
  const where = (
    <div className="note muted">
      {[place, order.paidAt && formatDateTimeSeconds(order.paidAt)].filter(Boolean).join(' · ')}
    </div>
  )
  if (order.status === 'refunding')
    return (
      <Check tone="warn" icon={Clock}>
        รอโอนคืน {amount} {where}
      </Check>
    )
  if (order.status === 'refunded')
    return (
      <Check tone="bad" icon={CircleX}>
        คืนเงินแล้ว {amount} {where}
      </Check>
    )
  if (order.paidAt) {
    const [tone, text] = proofOf(order)
    return (
      <Check tone={tone} icon={PROOF_ICON[tone]}>
        {text} {amount} {where}
      </Check>
    )
  }
  return (
    <Check tone="open" icon={Circle}>
      ยังไม่พบเงินเข้า รอยอด {amount} {where}
    </Check>
  )
}

/** Shows the bank's line that pays the order, and whether its amount is exact. */
function LineCheck(props: { line: NonNullable<StaffOrderView['statementLine']>; amountSatang: number }) {
  const { line, amountSatang } = props
  const when = line.at ? formatDateTimeSeconds(line.at) : formatDay(line.day)
  const isExact = line.amountSatang === amountSatang
  return (
    <Check tone={isExact ? 'ok' : 'warn'} icon={isExact ? CircleCheck : Clock}>
      <StatementLineLink id={line.id}>พบรายการธนาคารแล้ว</StatementLineLink>{' '}
      <b className="strong number">{formatBaht(line.amountSatang)}</b> {isExact ? 'ยอดตรง' : 'ยอดไม่ตรง'}
      <div className="note muted">{[when, line.detail].filter(Boolean).join(' · ')}</div>
    </Check>
  )
}

/** What the gateway collected, what it keeps of that, and what the buyer paid for the method. */
function ChargeCheck({ charge }: { charge: StaffOrderView['charges'][number] }) {
  const { method, amountSatang, surchargeSatang, feeSatang, isOwed, paidAt } = charge
  const facts = [
    feeSatang === null ? 'ยังไม่ทราบค่าธรรมเนียม' : `ผู้ให้บริการหัก ${formatBaht(feeSatang)}`,
    surchargeSatang > 0 && `ลูกค้าจ่ายค่าธรรมเนียม ${formatBaht(surchargeSatang)}`,
    formatDateTimeSeconds(paidAt),
  ]
  return (
    <Check tone={isOwed ? 'warn' : 'ok'} icon={isOwed ? Clock : CircleCheck}>
      {isOwed ? 'เงินเข้าเมื่อไม่ได้รอชำระ ต้องคืน' : `รับชำระผ่าน ${PAYMENT_METHOD[method].name}`}{' '}
      <b className="strong number">{formatBaht(amountSatang)}</b>
      <div className="note muted">{facts.filter(Boolean).join(' · ')}</div>
    </Check>
  )
}

/** A charge of which the gateway does not say whether it was paid. */
function SilentCheck({ charge }: { charge: NonNullable<StaffOrderView['charge']> }) {
  return (
    <Check tone="warn" icon={Clock}>
      ผู้ให้บริการยังไม่ตอบว่าได้รับเงินหรือไม่ <b className="strong number">{formatBaht(charge.amountSatang)}</b>
      <div className="note muted">
        {PAYMENT_METHOD[charge.method].name} · ตั้งแต่ {charge.silentSince && formatDateTimeSeconds(charge.silentSince)} ·
        ระบบถามต่อเอง
      </div>
    </Check>
  )
}

/** Shows the slip, what is known about the money, and who the buyer is. */
export function Evidence({ order }: { order: StaffOrderView }) {
  return (
    <>
      <div className={order.slipId ? 'evidence' : 'evidence is-without-slip'}>
        <Slip
          slipId={order.slipId}
          without={order.payment === 'bank' ? undefined : `จ่ายด้วย ${PAYMENT_METHOD[order.payment].name}`}
        />
        <div className="card-part">
          <h3 className="note muted" style={{ marginBottom: 4 }}>
            หลักฐานการเงิน
          </h3>
          <ul className="checks">
            <MoneyCheck order={order} />
            {order.statementLine && <LineCheck line={order.statementLine} amountSatang={order.amountSatang} />}
            {order.charge?.silentSince && <SilentCheck charge={order.charge} />}
            {order.charges.map(charge => (
              <ChargeCheck key={charge.paidAt + charge.method} charge={charge} />
            ))}
            {order.sameAmountOrderNo && (
              <Check tone="warn" icon={Clock}>
                ยอดเดียวกันนี้เป็นของ{' '}
                <Link className="number" to={`/management/details/${order.sameAmountOrderNo}`}>
                  {order.sameAmountOrderNo}
                </Link>{' '}
                อยู่ด้วย ตรวจก่อนรับเงิน
              </Check>
            )}
            <SlipOthers others={order.slipOthers} />
            <MaybeUsed users={order.maybeUsedBy} />
            {order.transferReportedAt && (
              <Check tone={order.paidAt ? 'ok' : 'warn'} icon={order.paidAt ? CircleCheck : Clock}>
                ลูกค้าแจ้งโอนแล้ว{' '}
                {!order.paidAt && (
                  <Age kind="reports" since={order.transferReportedAt} now={order.nowDate} prefix="รอ " />
                )}
                <div className="note muted">{formatDateTimeSeconds(order.transferReportedAt)}</div>
              </Check>
            )}
            {order.deliveryReference && (
              <Check tone="ok" icon={CircleCheck}>
                เติมแล้ว <div className="note muted">อ้างอิง {order.deliveryReference}</div>
              </Check>
            )}
          </ul>
          <hr style={{ border: 0, borderTop: '1px solid var(--line)', margin: '10px 0' }} />
          <h3 className="note muted" style={{ marginBottom: 4 }}>
            ลูกค้า
          </h3>
          <Buyer buyer={order.buyer} />
        </div>
      </div>
      <SlipVerdict verdict={order.slipVerdict} />
    </>
  )
}

const PROVIDER_NAMES: Record<string, string> = { password: 'อีเมล', 'google.com': 'Google', 'facebook.com': 'Facebook' }

function Buyer({ buyer }: { buyer: StaffOrderView['buyer'] }) {
  const bought = buyer.finishedCount > 0 ? `ซื้อสำเร็จ ${buyer.finishedCount} ครั้ง` : 'ยังไม่เคยซื้อสำเร็จ'
  if (!buyer.uid) return <span className="small muted">ไม่ได้เข้าสู่ระบบ · {bought}</span>
  const name = buyer.name ?? 'ลูกค้า'
  const ways = buyer.uid.startsWith('line:') ? ['LINE'] : buyer.providers.flatMap(way => PROVIDER_NAMES[way] ?? [])
  return (
    <div className="row" style={{ alignItems: 'flex-start' }}>
      <Avatar name={name} isSmall />
      <div className="grow small">
        {[name, ...ways].join(' · ')}
        <div className="note">{bought}</div>
        {buyer.email && (
          <div className="note muted">
            <Email>{buyer.email}</Email>
          </div>
        )}
        {buyer.tel && <div className="note muted number">{showPhone(buyer.tel)}</div>}
      </div>
    </div>
  )
}
