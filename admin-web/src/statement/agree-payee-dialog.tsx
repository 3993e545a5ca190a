import { messageOf } from '@shop/shared/errors.ts'
import { payerText } from '@shop/shared/order/payer.ts'
import { agreeRefundPayee, listOwedRefunds, type OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Checkbox, Form } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { isSentOn } from '../ui/sent-on.ts'
import { Slip } from '../upload/slip.tsx'
import { PayeeFacts } from './payee-facts.tsx'

interface Values {
  isSlipCompared?: boolean
}

/**
 * Asks a second person whether owed money may go to an account that did not pay it, before anybody sends it. Where nobody
 * told who paid, the buyer's slip can be compared instead.
 */
export function AgreePayeeDialog({ refund, onClose }: { refund: OwedRefund; onClose: () => void }) {
  const { id, payeeVersion, payeeFit, payer, paidSlipId } = refund
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  const reload = () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] })
  const slipId = payeeFit === 'unknown' ? paidSlipId : null
  const ask = useMutation({
    mutationFn: ({ isSlipCompared = false }: Values) => {
      const body = { payeeVersion, isSlipCompared }
      return client.call(agreeRefundPayee, { params: { id }, body, idempotencyKey: keys.getKey({ id, ...body }) })
    },
    onSuccess: () => {
      message.success('ยืนยันบัญชีแล้ว โอนคืนได้')
      onClose()
    },
    onError: error => {
      // Where it went is told on every page, see SecondWordNotice.
      if (isSentOn(error)) onClose()
    },
    onSettled: reload,
  })
  return (
    <FormDialog<Values>
      title="คืนเงินไปบัญชีที่ไม่ใช่บัญชีที่โอนมา"
      okText="ขอยืนยัน"
      isBusy={ask.isPending}
      failure={ask.error && messageOf(ask.error)}
      onSubmit={ask.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">อย่าเพิ่งโอน ผู้จัดการอีกคนต้องยืนยันบัญชีนี้ก่อน หากลูกค้าเปลี่ยนบัญชี ต้องขอยืนยันใหม่</p>
      <p>
        <span className="muted">เงินมาจาก</span> <b className="strong breakable">{payerText(payer)}</b>
      </p>
      <p className="muted">ลูกค้าขอให้โอนไป</p>
      <PayeeFacts refund={refund} />
      {slipId && (
        <>
          <Slip slipId={slipId} />
          <Form.Item name="isSlipCompared" valuePropName="checked" style={{ marginBottom: 0 }}>
            <Checkbox>เทียบกับสลิปของลูกค้าแล้ว บัญชีและชื่อตรงกัน</Checkbox>
          </Form.Item>
        </>
      )}
    </FormDialog>
  )
}
