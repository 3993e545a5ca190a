import { OWN_STOCK, sourceLabel } from '@shop/shared/catalogue/delivers.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import {
  askDelivery,
  type DeliveryView,
  reduceDelivery,
  retryDelivery,
  seeContradiction,
} from '@shop/shared/supplier/endpoints.ts'
import { ANSWER_LABEL, ATTEMPT_STATE } from '@shop/shared/supplier/supplier.ts'
import { lookUp } from '@shop/shared/table.ts'
import { formatClock, formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input } from 'antd'
import { useClient, useMe } from '../account/session.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Facts } from '../ui/facts.tsx'
import { required } from '../ui/form-errors.ts'
import { ReduceButton } from './reduce-button.tsx'
import './supplier.css'

type Attempt = DeliveryView['attempts'][number]
type Answer = Attempt['answers'][number]

const ASKED: Record<Answer['asked'], string> = { place: 'สั่งซื้อ', status: 'ถามผล' }
const answerLabel = (answer: string) => lookUp(ANSWER_LABEL, answer) ?? answer

/** Shows where an order's pieces came from, the purchases from suppliers, and what staff can do about them. */
export function DeliveryCard(props: { orderNo: string; delivery: DeliveryView | null; onChanged: () => void }) {
  const { orderNo, delivery, onChanged } = props
  const client = useClient()
  const { role } = useMe()
  const { message } = App.useApp()
  const steps = {
    retry: { done: 'ส่งคำสั่งซื้ออีกครั้งแล้ว', send: () => client.call(retryDelivery, { body: { orderNo } }) },
    ask: { done: 'กำลังถามผู้จำหน่าย', send: () => client.call(askDelivery, { body: { orderNo } }) },
  }
  const step = useMutation({
    mutationFn: async (name: keyof typeof steps) => steps[name].send(),
    onSuccess: (_, name) => message.success(steps[name].done),
    onError: error => message.error({ content: messageOf(error), duration: 6 }),
    onSettled: onChanged,
  })
  if (!delivery) return null
  const { attempts, isOpen, canRetry, next, reduction } = delivery
  const [newest] = attempts
  const mustBeSeen = newest?.contradiction && newest.staffCall && can(role, seeContradiction.allow)
  const buttonOf = (name: keyof typeof steps, label: string) => (
    <Button
      loading={step.isPending && step.variables === name}
      disabled={step.isPending}
      onClick={() => step.mutate(name)}
    >
      {label}
    </Button>
  )
  return (
    <section className="card-part delivery" aria-label="ผู้จำหน่าย">
      <h3 className="note muted">ผู้จำหน่าย</h3>
      <PiecesLine delivery={delivery} />
      {newest?.staffCall && <Alert type="warning" showIcon title={newest.staffCall} />}
      {attempts.map(attempt => (
        <AttemptFacts key={attempt.id} attempt={attempt} />
      ))}
      {next && (
        <p className="note muted">
          {canRetry ? 'ลองอีกครั้งจะเริ่มที่' : isOpen ? 'ถ้ารายนี้ไม่รับ จะซื้อต่อที่' : 'กำลังซื้อต่อที่'} {sourceLabel(next)}
        </p>
      )}
      <div className="action-buttons">
        {canRetry && can(role, retryDelivery.allow) && buttonOf('retry', 'ลองอีกครั้ง')}
        {(isOpen || mustBeSeen) && can(role, askDelivery.allow) && buttonOf('ask', 'ถามผู้จำหน่าย')}
        {reduction && can(role, reduceDelivery.allow) && (
          <ReduceButton orderNo={orderNo} delivery={delivery} onChanged={onChanged} />
        )}
      </div>
      {mustBeSeen && <Seen orderNo={orderNo} isOwnRisk={newest.isOwnRisk} onChanged={onChanged} />}
    </section>
  )
}

/** How many of several pieces came; an order of one piece needs no such words. */
function PiecesLine({ delivery: { quantity, broughtPieces, stockPieces } }: { delivery: DeliveryView }) {
  if (quantity === 1 && stockPieces === 0) return null
  const stock = stockPieces > 0 ? ` (${sourceLabel(OWN_STOCK)} ${stockPieces} ชิ้น)` : ''
  return (
    <p>
      ส่งแล้ว {broughtPieces} จาก {quantity} ชิ้น{stock}
    </p>
  )
}

/** Lets a manager say what came of it when the supplier contradicted itself; not the one who had taken the risk. */
function Seen(props: { orderNo: string; isOwnRisk: boolean; onChanged: () => void }) {
  const { orderNo, isOwnRisk, onChanged } = props
  const client = useClient()
  const { message } = App.useApp()
  const see = useMutation({
    mutationFn: (reason: string) => client.call(seeContradiction, { body: { orderNo, reason } }),
    onSuccess: () => message.success('บันทึกว่าตรวจแล้ว'),
    onError: error => message.error({ content: messageOf(error), duration: 6 }),
    onSettled: onChanged,
  })
  if (isOwnRisk) return <p className="note muted">{new AppError('CONTRADICTION_OWN').message}</p>
  return (
    <Form<{ reason: string }>
      layout="vertical"
      requiredMark={false}
      onFinish={({ reason }) => see.mutate(reason.trim())}
    >
      <Form.Item
        name="reason"
        label="ตรวจพบอะไร และทำอย่างไรแล้ว"
        rules={[required('กรุณาระบุเหตุผล')]}
        style={{ marginBottom: 8 }}
      >
        <Input maxLength={500} autoComplete="off" />
      </Form.Item>
      <Button htmlType="submit" loading={see.isPending}>
        ตรวจแล้ว
      </Button>
    </Form>
  )
}

function AttemptFacts({ attempt }: { attempt: Attempt }) {
  const { supplier, quantity, broughtPieces, reference, theirId, state, reason, costSatang, sentAt } = attempt
  const { contradiction, overruledReason, answers } = attempt
  const isShort = broughtPieces > 0 && broughtPieces < quantity
  return (
    <div className="attempt">
      <div className="row">
        <span className={`tag is-${ATTEMPT_STATE[state].tone}`}>{ATTEMPT_STATE[state].label}</span>
        <span className="grow">{sourceLabel(supplier)}</span>
        <span className="number small">{reference}</span>
        <CopyButton text={reference} what="เลขอ้างอิงของร้าน" />
      </div>
      <Facts
        isSmall
        facts={[
          ['ส่งเมื่อ', formatDateTimeSeconds(sentAt)],
          (quantity > 1 || isShort) && ['จำนวน', isShort ? `ได้ ${broughtPieces} จาก ${quantity} ชิ้น` : `${quantity} ชิ้น`],
          ['เลขของผู้จำหน่าย', theirId],
          reason !== null && ['เหตุผล', reason],
          costSatang !== null && ['ต้นทุน', `${formatBaht(costSatang)} บาท`],
          contradiction !== null && ['บอกภายหลังว่า', ATTEMPT_STATE[contradiction].label],
          overruledReason !== null && ['ทำต่อเอง', overruledReason],
        ]}
      />
      <details>
        <summary className="note">คำตอบ {answers.length} ครั้ง</summary>
        <ul className="answers">
          {answers.map(answer => (
            <li key={answer.at + answer.answer} className="note">
              <span className="number">{formatClock(answer.at)}</span> {ASKED[answer.asked]}:{' '}
              {answerLabel(answer.answer)}
              <span className="muted"> {[answer.code, answer.message].filter(Boolean).join(' ')}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}
