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
import { AccountSelect } from './account-select.tsx'

interface Values {
  receivingAccountId: number
  reference: string
}

/** Records that owed money was sent back. */
export function SendRefundDialog({ refund, onClose }: { refund: OwedRefund; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  const reload = () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] })
  const send = useMutation({
    mutationFn: (body: Values) =>
      client.call(sendOwedRefund, { params: { id: refund.id }, body, idempotencyKey: keys.getKey(body) }),
    onSuccess: async () => {
      message.success('บันทึกว่าโอนคืนแล้ว')
      onClose()
      await reload()
    },
    // Somebody else has recorded it meanwhile, so the list behind the dialog is read again.
    onError: error => error instanceof AppError && error.code === 'CONFLICT' && reload(),
  })
  const who = refund.person.name ?? refund.orderNo ?? 'ผู้โอน'
  return (
    <FormDialog<Values>
      title="บันทึกว่าโอนคืนแล้ว"
      okText={`โอนคืนแล้ว ฿${formatBaht(refund.amountSatang)}`}
      isBusy={send.isPending}
      failure={send.error && messageOf(send.error)}
      onSubmit={send.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">
        คืนให้ {who} · {refund.reason} กรุณาโอนเงินในแอปธนาคารก่อน แล้วบันทึกเลขอ้างอิงที่นี่
      </p>
      <Form.Item
        name="receivingAccountId"
        label="โอนออกจากบัญชี"
        rules={[{ required: true, message: 'กรุณาเลือกบัญชีธนาคาร' }]}
      >
        <AccountSelect width="100%" />
      </Form.Item>
      <Form.Item
        name="reference"
        label="เลขอ้างอิงการโอน"
        rules={[required('กรุณากรอกเลขอ้างอิงการโอน')]}
        style={{ marginBottom: 0 }}
      >
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}
