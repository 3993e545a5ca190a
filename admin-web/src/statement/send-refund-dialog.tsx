import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listOwedRefunds, type OwedRefund, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { AccountSelect } from './account-select.tsx'

interface Values {
  receivingAccountId: number
  reference: string
}

/** Records that owed money was sent back. What is typed stays when that fails. */
export function SendRefundDialog({ refund, onClose }: { refund: OwedRefund; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
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
    // Somebody else recorded it meanwhile: the list behind shows so.
    onError: error => error instanceof AppError && error.code === 'CONFLICT' && reload(),
  })
  const who = refund.person.name ?? refund.orderNo ?? 'ผู้โอน'
  return (
    <Modal
      open
      title="บันทึกว่าโอนคืนแล้ว"
      okText={`โอนคืนแล้ว ฿${formatBaht(refund.amountSatang)}`}
      cancelText="ปิด"
      confirmLoading={send.isPending}
      cancelButtonProps={{ disabled: send.isPending }}
      mask={{ closable: false }}
      closable={!send.isPending}
      keyboard={!send.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="muted form-alert">
        คืนให้ {who} · {refund.reason} กรุณาโอนเงินในแอปธนาคารก่อน แล้วบันทึกเลขอ้างอิงที่นี่
      </p>
      <FailureNote title={send.error && 'บันทึกไม่สำเร็จ'} text={messageOf(send.error)} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={values => send.mutate(values)}>
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
          rules={[{ required: true, whitespace: true, message: 'กรุณากรอกเลขอ้างอิงการโอน' }]}
          style={{ marginBottom: 0 }}
        >
          <Input maxLength={100} autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
