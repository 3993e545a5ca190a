import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listOwedRefunds, type OwedRefund, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import { useRef, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { required } from '../ui/form-errors.ts'
import { SlipUpload, slipIsSent } from '../upload/slip-upload.tsx'
import { AccountSelect } from './account-select.tsx'
import { PayeeFacts } from './payee-facts.tsx'

interface Values {
  receivingAccountId: number
  /** By the id of each refund; a blank one has the first one's. */
  references: Record<string, string | undefined>
  /** The slip of each transfer, by the id of its refund. */
  slips: Record<string, string | null | undefined>
}

const nameOf = ({ person, orderNo }: OwedRefund) => person.name ?? orderNo ?? 'ผู้โอน'

const isOutdated = (error: unknown) =>
  error instanceof AppError && ['CONFLICT', 'PAYEE_CHANGED', 'PAYEE_NOT_AGREED'].includes(error.code)

/** How a refund is done with in this dialog; what its form said is not sent again. */
const SETTLED = {
  sent: { label: 'บันทึกแล้ว', tone: 'is-ok' },
  asked: { label: 'รอคนที่สองยืนยัน', tone: 'is-warn' },
  // Somebody else has recorded it, or nothing is owed any more. Whoever has just sent the money has to know.
  gone: { label: 'ไม่รอคืนแล้ว', tone: 'is-bad' },
}
type Settled = keyof typeof SETTLED

const GONE = 'มีคนบันทึกแล้วหรือไม่ต้องคืนแล้ว กรุณาตรวจที่แท็บโอนคืนแล้ว'

const SETTLING: Partial<Record<ErrorCode, Settled>> = { SECOND_WORD_NEEDED: 'asked', CONFLICT: 'gone' }

interface Refusal {
  how?: Settled
  text: string
}

/** What is to be read: who was passed on to a second person has a tag, and is told only where nothing was refused. */
function failureOf(refusals: Refusal[] = []): string | null {
  const refused = refusals.filter(({ how }) => how !== 'asked')
  const told = refused.length > 0 ? refused : refusals.slice(0, 1)
  return told.map(({ text }) => text).join(' · ') || null
}

/**
 * Records one by one that these refunds were sent from one account. A refusal is about its refund alone: the others are
 * recorded, and the dialog stays to say which was refused and why.
 */
function useSending(asked: OwedRefund[], current: (id: string) => OwedRefund | undefined, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  // What was looked at stays in sight, until a refusal says that it changed.
  const [hasChanged, setChanged] = useState(false)
  const refunds = hasChanged ? asked.map(refund => current(refund.id) ?? refund) : asked
  const [settled, setSettled] = useState<Record<string, Settled>>({})
  const waiting = refunds.filter(({ id }) => !settled[id])
  const settle = (id: string, how: Settled) => setSettled(done => ({ ...done, [id]: how }))
  const refuse = (refund: OwedRefund, error: unknown): Refusal => {
    const how = error instanceof AppError ? SETTLING[error.code] : undefined
    if (how) settle(refund.id, how)
    if (isOutdated(error)) setChanged(true)
    return {
      how,
      text: `${asked.length === 1 ? '' : `${nameOf(refund)}: `}${how === 'gone' ? GONE : messageOf(error)}`,
    }
  }
  // The form is checked before it is sent, so two quick presses both come here before the button is off.
  const isSending = useRef(false)
  const send = useMutation({
    mutationFn: async ({ receivingAccountId, references, slips }: Values) => {
      const first = references[refunds[0]!.id]!
      const refusals: Refusal[] = []
      for (const refund of waiting) {
        const { id, payeeVersion } = refund
        const slipId = slips[id]
        const reference = references[id] || first
        const body = { receivingAccountId, reference, payeeVersion, ...(slipId && { slipId }) }
        try {
          await client.call(sendOwedRefund, { params: { id }, body, idempotencyKey: keys.getKey({ id, ...body }) })
          settle(id, 'sent')
        } catch (error) {
          refusals.push(refuse(refund, error))
          // Without an answer the next press has to begin with this one.
          if (!(error instanceof AppError) || error.status >= 500) break
        }
      }
      return refusals
    },
    onSuccess: async refusals => {
      if (refusals.length === 0) {
        message.success(asked.length === 1 ? 'บันทึกว่าโอนคืนแล้ว' : `บันทึกว่าโอนคืนแล้ว ${asked.length} รายการ`)
        onDone()
      }
      await reload()
    },
    onSettled: () => {
      isSending.current = false
    },
  })
  const reload = () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] })
  const start = (values: Values) => {
    if (isSending.current) return
    isSending.current = true
    send.mutate(values)
  }
  return { send, start, refunds, waiting, settled }
}

/** Records that owed money was sent back: one refund, or several from the same account. */
export function SendRefundDialog(props: {
  asked: OwedRefund[]
  /** Returns a refund as the list has it now, while it is owed. */
  current: (id: string) => OwedRefund | undefined
  onClose: () => void
}) {
  const { asked, current, onClose } = props
  const { send, start, refunds, waiting, settled } = useSending(asked, current, onClose)
  const isOne = refunds.length === 1
  const sumSatang = waiting.reduce((sum, { amountSatang }) => sum + amountSatang, 0)
  return (
    <FormDialog<Values>
      title={isOne ? 'บันทึกว่าโอนคืนแล้ว' : `บันทึกว่าโอนคืนแล้ว ${refunds.length} รายการ`}
      okText={`โอนคืนแล้ว ฿${formatBaht(sumSatang)}`}
      isBusy={send.isPending}
      isAllowed={waiting.length > 0}
      failure={failureOf(send.data)}
      onSubmit={start}
      onClose={onClose}
    >
      <p className="muted form-alert">กรุณาโอนเงินในแอปธนาคารก่อน แล้วบันทึกเลขอ้างอิงที่นี่</p>
      <Form.Item
        name="receivingAccountId"
        label="โอนออกจากบัญชี"
        rules={[{ required: true, message: 'กรุณาเลือกบัญชีธนาคาร' }]}
      >
        <AccountSelect width="100%" />
      </Form.Item>
      {refunds.map((refund, index) => (
        <RefundToSend
          key={refund.id}
          refund={refund}
          isOne={isOne}
          isFirst={index === 0}
          settled={settled[refund.id]}
        />
      ))}
    </FormDialog>
  )
}

function RefundToSend(props: { refund: OwedRefund; isOne: boolean; isFirst: boolean; settled?: Settled }) {
  const { refund, isOne, isFirst, settled } = props
  // The name stands above the fields; each field says it again to whom it is read aloud.
  const label = (text: string) => (
    <>
      {text}
      {!isOne && <span className="sr-only"> {nameOf(refund)}</span>}
    </>
  )
  return (
    <section className="refund-to-send" aria-label={`คืนให้ ${nameOf(refund)}`}>
      <div className="row">
        <span className="grow strong">{nameOf(refund)}</span>
        {settled && <span className={`tag ${SETTLED[settled].tone}`}>{SETTLED[settled].label}</span>}
        <b className="number">฿{formatBaht(refund.amountSatang)}</b>
      </div>
      <PayeeFacts refund={refund} />
      <div className="refund-fields">
        <Form.Item
          name={['references', refund.id]}
          label={label('เลขอ้างอิงการโอน')}
          extra={!isOne && !isFirst ? 'เว้นว่างเพื่อใช้เลขเดียวกับรายการแรก' : undefined}
          rules={isFirst ? [required('กรุณากรอกเลขอ้างอิงการโอน')] : []}
        >
          <Input maxLength={100} autoComplete="off" disabled={settled !== undefined} />
        </Form.Item>
        {/* What was recorded has its slip already. */}
        {!settled && (
          <Form.Item
            name={['slips', refund.id]}
            label={label('สลิปการโอนคืน')}
            rules={[slipIsSent]}
            extra={isFirst ? 'ไม่บังคับ ลูกค้าเห็นสลิปนี้ในคำสั่งซื้อ' : undefined}
          >
            <SlipUpload />
          </Form.Item>
        )}
      </div>
    </section>
  )
}
