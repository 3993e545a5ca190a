import { formatBaht } from '@shop/shared/money.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import type { LineCandidate, LineDecision, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { LINE_STATE, type LineStep, OVERPAID, type Overpaid } from '@shop/shared/statement/statement.ts'
import { Form, Input, Radio, Select } from 'antd'
import { amountRule, readAmount } from '../ui/baht-rules.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ReasonField } from '../ui/reason-field.tsx'
import { WalletSelect } from '../wallet/wallet-select.tsx'
import { timeOf, undoName } from './line-texts.ts'

/** The decision that a person began; the dialog asks for the rest. */
export type Asked =
  | { step: 'match'; candidate: LineCandidate }
  /** `candidate` is the order whose buyer should get the money back, where the shop proposes it. */
  | { step: 'oweRefund'; candidate?: LineCandidate }
  | { step: 'bookPayout'; gateway: GatewayName }
  | { step: Exclude<LineStep, 'match' | 'oweRefund' | 'bookPayout'> }

type WithoutVersion<T> = T extends unknown ? Omit<T, 'version'> : never
export type Said = WithoutVersion<LineDecision>

const overpaidNames: Record<Overpaid, string> = {
  owe: 'บันทึกส่วนเกินเป็นเงินรอคืนลูกค้า',
  credit: 'เพิ่มส่วนเกินเข้ากระเป๋าเงินของผู้ซื้อ',
  keep: 'ร้านเก็บส่วนเกินไว้',
}

interface Words {
  title: string
  ok: string
  /** Says what the decision changes. */
  hint: string
  isDanger?: boolean
}

const words: Record<LineStep, Words> = {
  match: { title: 'จับคู่รายการนี้?', ok: 'จับคู่รายการนี้', hint: 'ระบบจะถือว่าได้รับเงินของรายการที่เลือกแล้ว' },
  bookPayout: {
    title: 'เป็นยอดที่ผู้ให้บริการโอนให้ร้าน?',
    ok: 'บันทึกยอดโอน',
    hint: 'เงินที่ผู้ให้บริการรับชำระถืออยู่จะลดลงเท่ายอดนี้ และไม่นับเป็นรายรับซ้ำ',
  },
  creditWallet: { title: 'เพิ่มเข้ากระเป๋าเงิน?', ok: 'เพิ่มเข้ากระเป๋าเงิน', hint: 'เงินทั้งยอดจะเข้ากระเป๋าเงินที่เลือกทันที' },
  oweRefund: { title: 'บันทึกเป็นเงินรอคืน?', ok: 'รอคืนเงิน', hint: 'ยอดนี้จะอยู่ในหน้า เงินรอคืนลูกค้า จนกว่าจะโอนคืน' },
  ignore: { title: 'ไม่เกี่ยวข้องกับร้าน?', ok: 'ไม่เกี่ยวข้อง', hint: 'ยอดนี้จะไม่นับเป็นรายรับของร้าน' },
  undo: {
    title: 'ยกเลิกการจับคู่?',
    ok: 'ยกเลิกการจับคู่',
    hint: 'รายการจะกลับไปรอจับคู่ และผลของการจับคู่เดิมจะถูกย้อนกลับ',
    isDanger: true,
  },
}

/** The reasons that people give most; a match of the exact amount can only be late. */
function usualReasons(asked: Asked): readonly string[] {
  switch (asked.step) {
    case 'match':
      if (asked.candidate.needs === 'nothing') return []
      return asked.candidate.differenceSatang === 0 ? ['โอนช้า'] : ['ปัดเศษ', 'โอนผิดยอด', 'โอนช้า']
    case 'bookPayout':
      return []
    case 'creditWallet':
      return ['ตัวแทนโอนตรงเข้าบัญชี']
    case 'oweRefund':
      return ['จ่ายซ้ำ', 'คำสั่งซื้อยกเลิกแล้ว', 'หาคำสั่งซื้อไม่พบ']
    case 'ignore':
      return ['เงินของร้านเอง', 'ดอกเบี้ยธนาคาร']
    case 'undo':
      return ['จับคู่ผิดรายการ']
  }
}

/** What the fields hold at first: a proposed refund knows its order and why. */
const startOf = (asked: Asked): Values =>
  asked.step === 'oweRefund' && asked.candidate
    ? { orderId: asked.candidate.target.id, reason: asked.candidate.goesBackFor ?? undefined }
    : asked.step === 'bookPayout'
      ? { fee: '0' }
      : {}

interface Values {
  reason?: string
  overpaid?: Overpaid
  walletId?: string
  /** What the gateway kept of a payout, in baht. */
  fee?: string
  orderId?: string
}

/** Asks for what a decision needs, and names the money it is about. */
export function DecisionDialog(props: {
  asked: Asked
  line: StatementLineView
  /** The orders and top-ups that the line may have paid. */
  candidates: readonly LineCandidate[]
  /** Whether the decision is still possible. */
  isAllowed: boolean
  isBusy: boolean
  failure: string | null
  onSay: (said: Said) => void
  onClose: () => void
}) {
  const { asked, line, candidates, isAllowed, isBusy, failure, onSay, onClose } = props
  const { hint, isDanger = false, ...named } = words[asked.step]
  const { title, ok } = asked.step === 'undo' ? { title: `${undoName(line.state)}?`, ok: undoName(line.state) } : named
  const difference = asked.step === 'match' ? asked.candidate.differenceSatang : 0
  const isReasonOptional =
    asked.step === 'bookPayout' || (asked.step === 'match' && asked.candidate.needs === 'nothing')
  const undone = asked.step === 'undo' ? ` · ${LINE_STATE[line.state].label} ${line.target?.no ?? ''}` : ''
  return (
    <FormDialog<Values>
      title={title}
      okText={ok}
      isDanger={isDanger}
      isAllowed={isAllowed}
      isBusy={isBusy}
      failureTitle="บันทึกไม่สำเร็จ ยังไม่มีอะไรเปลี่ยน"
      failure={failure}
      initialValues={startOf(asked)}
      onSubmit={values => onSay(sayOf(asked, values))}
      onClose={onClose}
    >
      <p className="number strong" style={{ whiteSpace: 'normal' }}>
        ฿{formatBaht(line.amountSatang)} · {timeOf(line)}
        {undone}
      </p>
      <p className="muted form-alert">{hint}</p>
      {asked.step === 'match' && <Difference asked={asked} />}
      {asked.step === 'bookPayout' && <PayoutFields gateway={asked.gateway} />}
      {asked.step === 'creditWallet' && (
        <Form.Item name="walletId" label="กระเป๋าเงิน" rules={[{ required: true, message: 'กรุณาเลือกกระเป๋าเงิน' }]}>
          <WalletSelect onWallet={() => undefined} />
        </Form.Item>
      )}
      {asked.step === 'oweRefund' && <OwedFor candidates={candidates} />}
      {difference > 0 && (
        <Form.Item
          name="overpaid"
          label={`ส่วนเกิน ฿${formatBaht(difference)}`}
          rules={[{ required: true, message: 'กรุณาเลือกว่าจะทำอย่างไรกับส่วนเกิน' }]}
        >
          <Radio.Group options={OVERPAID.map(value => ({ value, label: overpaidNames[value] }))} className="choices" />
        </Form.Item>
      )}
      <ReasonField
        usual={usualReasons(asked)}
        isOptional={isReasonOptional}
        hasFocus={asked.step !== 'creditWallet' && asked.step !== 'bookPayout'}
      />
    </FormDialog>
  )
}

function sayOf(asked: Asked, { reason = '', overpaid, walletId = '', orderId, fee = '' }: Values): Said {
  const why = reason.trim()
  if (asked.step === 'match') {
    const { kind, id } = asked.candidate.target
    return { step: 'match', target: { kind, id }, reason: why || undefined, overpaid }
  }
  if (asked.step === 'bookPayout') return { ...asked, feeSatang: readAmount(fee), reason: why || undefined }
  if (asked.step === 'oweRefund') return { step: 'oweRefund', orderId, reason: why }
  return asked.step === 'creditWallet' ? { step: asked.step, walletId, reason: why } : { step: asked.step, reason: why }
}

/** Names the gateway, and asks what it kept of the payout beside the fees of its charges. */
function PayoutFields({ gateway }: { gateway: GatewayName }) {
  return (
    <>
      <p className="strong">โอนจาก {gatewayLabel(gateway)}</p>
      <Form.Item
        name="fee"
        label="ค่าโอนที่ผู้ให้บริการหักจากยอดนี้"
        extra="ไม่รวมค่าธรรมเนียมรับชำระ ซึ่งหักจากแต่ละรายการแล้ว"
        rules={[amountRule('กรุณากรอกเป็นจำนวนเงิน')]}
      >
        <Input autoFocus inputMode="decimal" autoComplete="off" maxLength={12} suffix="บาท" />
      </Form.Item>
    </>
  )
}

/** Asks which order the money was meant for, so that staff know whom they owe it to. */
function OwedFor({ candidates }: { candidates: readonly LineCandidate[] }) {
  const orders = candidates.filter(({ target }) => target.kind === 'order')
  if (orders.length === 0) return null
  return (
    <Form.Item name="orderId" label="เป็นเงินของคำสั่งซื้อ (ไม่บังคับ)" extra="เพื่อให้รู้ว่าต้องติดต่อใคร">
      <Select
        allowClear
        placeholder="ไม่ทราบ"
        options={orders.map(({ target, title }) => ({ value: target.id, label: `${target.no} · ${title}` }))}
      />
    </Form.Item>
  )
}

/** "ขาด ฿0.91" or "เกิน ฿0.91"; null when the amounts agree. */
function differenceText(differenceSatang: number): string | null {
  if (differenceSatang === 0) return null
  return `${differenceSatang < 0 ? 'ขาด' : 'เกิน'} ฿${formatBaht(Math.abs(differenceSatang))}`
}

function Difference({ asked }: { asked: Asked & { step: 'match' } }) {
  const { target, title, amountSatang, differenceSatang } = asked.candidate
  return (
    <p className="form-alert">
      {title} · <span className="number">{target.no}</span> · ยอด{' '}
      <span className="number">฿{formatBaht(amountSatang)}</span>
      {differenceSatang !== 0 && <b className="strong is-warn"> {differenceText(differenceSatang)}</b>}
      {differenceSatang < 0 && <span className="note muted"> ส่วนที่ขาดร้านเป็นผู้รับภาระ</span>}
    </p>
  )
}
