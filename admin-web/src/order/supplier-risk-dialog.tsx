import { errorMessage } from '@shop/shared/errors.ts'
import { Alert, Form, Input, Modal } from 'antd'

/** Before staff go on by hand while the supplier may still deliver: what is at risk, and why they do. */
export function SupplierRiskDialog(props: {
  orderNo: string
  isBusy: boolean
  onSubmit: (reason: string) => void
  onClose: () => void
}) {
  const { orderNo, isBusy, onSubmit, onClose } = props
  const [form] = Form.useForm<{ reason: string }>()
  return (
    <Modal
      open
      title="ยังไม่ทราบผลจากผู้จำหน่าย"
      okText="ทำต่อเอง"
      okButtonProps={{ danger: true, autoFocus: false }}
      cancelText="รอผลก่อน"
      confirmLoading={isBusy}
      mask={{ closable: !isBusy }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="muted number">{orderNo}</p>
      <Alert type="warning" showIcon className="form-alert" title={errorMessage('SUPPLIER_OUTCOME_OPEN')} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={({ reason }) => onSubmit(reason.trim())}>
        <Form.Item
          name="reason"
          label="เหตุผลที่ทำต่อเอง"
          extra="ทีมงานเท่านั้นที่เห็น"
          rules={[{ required: true, whitespace: true, message: 'กรุณาระบุเหตุผล' }]}
        >
          <Input.TextArea autoFocus rows={3} maxLength={500} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
