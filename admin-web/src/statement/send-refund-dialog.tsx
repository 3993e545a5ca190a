import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listOwedRefunds, type OwedRefund, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import { useState } from 'react'
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

const isOutdated = (error: unknown) => error instanceof AppError && ['CONFLICT', 'PAYEE_CHANGED'].includes(error.code)

/** Records one by one that these refunds were sent from one account, and says which one was refused. */
function useSending(asked: OwedRefund[], current: (id: string) => OwedRefund | undefined, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  // What was looked at stays in sight, until a refusal says that it changed.
  const [hasChanged, setChanged] = useState(false)
  const refunds = hasChanged ? asked.map(refund => current(refund.id) ?? refund) : asked
  const [sent, setSent] = useState<string[]>([])
  const waiting = refunds.filter(({ id }) => !sent.includes(id))
  const reload = () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] })
  const send = useMutation({
    mutationFn: async ({ receivingAccountId, references, slips }: Values) => {
      const first = references[refunds[0]!.id]!
      for (const { id, payeeVersion } of waiting) {
        const slipId = slips[id]
        const body = {
          receivingAccountId,
          reference: references[id] || first,
          payeeVersion,
          ...(slipId && { slipId }),
        }
        await client.call(sendOwedRefund, { params: { id }, body, idempotencyKey: keys.getKey({ id, ...body }) })
        setSent(done => [...done, id])
      }
    },
    onSuccess: async () => {
      message.success(refunds.length === 1 ? 'บันทึกว่าโอนคืนแล้ว' : `บันทึกว่าโอนคืนแล้ว ${refunds.length} รายการ`)
      onDone()
      await reload()
    },
    // Somebody else has recorded one meanwhile, or its account changed, so the list behind the dialog is read again.
    onError: async error => {
      if (isOutdated(error)) setChanged(true)
      await reload()
    },
  })
  return { send, refunds, waiting }
}

/** Records that owed money was sent back: one refund, or several from the same account. */
export function SendRefundDialog(props: {
  asked: OwedRefund[]
  /** Returns a refund as the list has it now, while it is owed. */
  current: (id: string) => OwedRefund | undefined
  onClose: () => void
}) {
  const { asked, current, onClose } = props
  const { send, refunds, waiting } = useSending(asked, current, onClose)
  const isOne = refunds.length === 1
  const sumSatang = waiting.reduce((sum, { amountSatang }) => sum + amountSatang, 0)
  const refused = send.error && waiting[0]
  return (
    <FormDialog<Values>
      title={isOne ? 'บันทึกว่าโอนคืนแล้ว' : `บันทึกว่าโอนคืนแล้ว ${refunds.length} รายการ`}
      okText={`โอนคืนแล้ว ฿${formatBaht(sumSatang)}`}
      isBusy={send.isPending}
      failure={refused ? `${isOne ? '' : `${nameOf(refused)}: `}${messageOf(send.error)}` : null}
      onSubmit={send.mutate}
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
          isSent={!waiting.includes(refund)}
        />
      ))}
    </FormDialog>
  )
}

function RefundToSend(props: { refund: OwedRefund; isOne: boolean; isFirst: boolean; isSent: boolean }) {
  const { refund, isOne, isFirst, isSent } = props
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
        {isSent && <span className="tag is-ok">บันทึกแล้ว</span>}
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
          <Input maxLength={100} autoComplete="off" disabled={isSent} />
        </Form.Item>
        {/* What was recorded has its slip already. */}
        {!isSent && (
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
