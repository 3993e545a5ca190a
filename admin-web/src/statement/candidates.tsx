import { formatBaht } from '@shop/shared/money.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import type { LineCandidate } from '@shop/shared/statement/endpoints.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button } from 'antd'
import { Check, Landmark, type LucideIcon, Minus, ReceiptText, TriangleAlert, WalletCards } from 'lucide-react'
import { TargetLink } from '../account/staff-link.tsx'
import { StatusTag } from '../order/status-tag.tsx'
import { TopUpStatusTag } from '../wallet/status-tag.tsx'

const icons: Record<LineCandidate['reasons'][number]['tone'], LucideIcon> = {
  ok: Check,
  warn: TriangleAlert,
  neutral: Minus,
}

/** The id of the button that the shortcut M leads to. */
export const BEST_BUTTON_ID = 'statement-best'

export function TargetStatus({ target, status }: Pick<LineCandidate, 'target' | 'status'>) {
  return target.kind === 'order' ? (
    <StatusTag status={status as OrderStatus} />
  ) : (
    <TopUpStatusTag status={status as TopUpStatus} />
  )
}

/** The reasons why a candidate is likely or not, as tags. */
export function Reasons({ reasons }: Pick<LineCandidate, 'reasons'>) {
  return (
    <ul className="reason-tags grow">
      {reasons.map(({ tone, text }) => {
        const Icon = icons[tone]
        return (
          <li key={text} className={`tag is-${tone}`}>
            <Icon size={13} aria-hidden />
            {text}
          </li>
        )
      })}
    </ul>
  )
}

/** What the reasons say in their own words. */
const SAID_BY_REASONS = ['expired', 'cancel', 'reject']

/** An order or top-up that the line may have paid. */
export function Candidate(props: {
  candidate: LineCandidate
  isBusy: boolean
  isDisabled: boolean
  /** Null when the caller may only look. */
  onChoose: (() => void) | null
  onGiveBack: (() => void) | null
}) {
  const { candidate, isBusy, isDisabled, onChoose, onGiveBack } = props
  const { target, title, picture, status, amountSatang, createdAt, slipId, reasons, needs, isBest } = candidate
  const goesBack = candidate.goesBackFor !== null
  return (
    <li className={isBest || goesBack ? 'candidate is-best' : 'candidate'} aria-label={`${title} ${target.no}`}>
      <div className="row" style={{ alignItems: 'flex-start', gap: 12 }}>
        {picture ? (
          <img className="art is-large" src={picture} alt="" />
        ) : (
          <span className="art is-large art-icon">
            <WalletCards size={20} aria-hidden />
          </span>
        )}
        <div className="grow">
          <div className="candidate-title">
            <span className="strong">{title}</span>
            {isBest && <span className="tag is-ok">น่าจะใช่ที่สุด</span>}
            {goesBack && <span className="tag is-warn">ควรคืนเงิน: {candidate.goesBackFor}</span>}
          </div>
          <div className="note muted">
            <TargetLink className="number" target={target} /> · {target.kind === 'order' ? 'สั่งซื้อ' : 'แจ้งเติม'}{' '}
            <span className="number">{formatDateTimeSeconds(createdAt)}</span>
          </div>
          <div className="candidate-title">
            {!SAID_BY_REASONS.includes(status) && <TargetStatus target={target} status={status} />}
            {slipId && (
              <span className="note muted row">
                <ReceiptText size={13} aria-hidden /> มีสลิป
              </span>
            )}
          </div>
        </div>
        <div className="candidate-amount">
          <div className="number strong">฿{formatBaht(amountSatang)}</div>
        </div>
      </div>
      <div className="row candidate-foot">
        <Reasons reasons={reasons} />
        {onGiveBack && goesBack && (
          <Button id={BEST_BUTTON_ID} type="primary" disabled={isDisabled} onClick={onGiveBack}>
            คืนเงินให้ผู้ซื้อ…
          </Button>
        )}
        {onChoose && needs !== 'impossible' && (
          <Button
            id={isBest ? BEST_BUTTON_ID : undefined}
            type={isBest ? 'primary' : 'default'}
            loading={isBusy}
            disabled={isDisabled}
            aria-label={isBest ? undefined : `เลือก ${target.no}`}
            onClick={onChoose}
          >
            {isBest ? 'จับคู่รายการนี้' : 'เลือก'}
          </Button>
        )}
      </div>
    </li>
  )
}

/** A gateway that may have sent the money: what it collected from buyers. */
export function Payer(props: {
  gateway: GatewayName
  /** Whether the bank names it as the sender. */
  isNamed: boolean
  isDisabled: boolean
  onChoose: (() => void) | null
}) {
  const { gateway, isNamed, isDisabled, onChoose } = props
  const name = gatewayLabel(gateway)
  return (
    <li className={isNamed ? 'candidate is-best' : 'candidate'} aria-label={`ยอดโอนจาก ${name}`}>
      <div className="row" style={{ alignItems: 'flex-start', gap: 12 }}>
        <span className="art is-large art-icon">
          <Landmark size={20} aria-hidden />
        </span>
        <div className="grow">
          <div className="candidate-title">
            <span className="strong">ยอดโอนจาก {name}</span>
            {isNamed && <span className="tag is-ok">น่าจะใช่ที่สุด</span>}
          </div>
          <div className="note muted">เงินที่ผู้ให้บริการรับชำระเก็บจากลูกค้าแล้วโอนให้ร้าน</div>
        </div>
      </div>
      <div className="row candidate-foot">
        <Reasons
          reasons={
            isNamed ? [{ tone: 'ok', text: 'ธนาคารระบุชื่อผู้ให้บริการ' }] : [{ tone: 'neutral', text: 'ไม่มีคำสั่งซื้อที่ตรง' }]
          }
        />
        {onChoose && (
          <Button type={isNamed ? 'primary' : 'default'} disabled={isDisabled} onClick={onChoose}>
            บันทึกยอดโอน…
          </Button>
        )}
      </div>
    </li>
  )
}
