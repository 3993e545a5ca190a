import { ASKED_BY_BUYER } from '@shop/shared/order/refund.ts'
import { type CommandInput, STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import { Button, Form, Input, Modal } from 'antd'
import { FailureNote } from '../ui/failure-note.tsx'
import { required } from '../ui/form-errors.ts'
import { ReasonChips } from '../ui/reason-field.tsx'

const boxes: Record<keyof CommandInput, { label: string; message: string; maxLength: number }> = {
  reason: { label: 'เหตุผล', message: 'กรุณาระบุเหตุผล', maxLength: 500 },
  deliveryReference: { label: 'เลขอ้างอิงการเติม', message: 'กรุณาระบุเลขอ้างอิงการเติม', maxLength: 200 },
}

/** The usual reasons why a top-up can't be made, in words for the customer. */
const NOT_DELIVERED = [
  'Player ID ไม่ถูกต้อง',
  'ไม่พบผู้เล่นในเซิร์ฟเวอร์ที่แจ้ง',
  'บัญชีเกมนี้รับการเติมไม่ได้',
  'แพ็กเกจนี้หมดชั่วคราว',
  'ระบบเติมของเกมขัดข้อง',
]
/** The usual reasons for a command. */
const REASONS: Record<StaffCommand, readonly string[]> = {
  markPaid: ['เห็นเงินเข้าบัญชีแล้ว', 'สลิปตรงกับยอดในแอปธนาคาร', 'ยอดไม่ตรง ร้านรับไว้ตามที่ตกลงกับลูกค้า'],
  cancel: ['ลูกค้าขอยกเลิก', 'ไม่พบเงินเข้าบัญชี', 'สั่งซื้อซ้ำ'],
  fail: NOT_DELIVERED,
  refund: [ASKED_BY_BUYER, ...NOT_DELIVERED],
  claim: [],
  release: [],
  complete: [],
}

/** What is still to be done after a command, where its name promises more. */
const NEXT: Record<StaffCommand, string | null> = {
  refund: 'เงินที่โอนมาหรือจ่ายผ่านผู้ให้บริการ จะไปรอในหน้าคืนเงินลูกค้า จนกว่าร้านโอนแล้วบันทึกที่นั่น ส่วนที่จ่ายด้วยกระเป๋าเงินหรือเครดิตร้านคืนทันที',
  markPaid: null,
  cancel: null,
  fail: null,
  claim: null,
  release: null,
  complete: null,
}

/** Asks for the reason or the delivery reference that a command needs, and names the order and its amount. */
export function CommandDialog(props: {
  title: string
  about: string
  command: StaffCommand
  isBusy: boolean
  failure: string | null
  onSubmit: (text: { reason?: string; deliveryReference?: string }) => void
  /** A second button, which carries out the next command as well. */
  further?: { label: string; onSubmit: (text: { reason?: string; deliveryReference?: string }) => void }
  onClose: () => void
}) {
  const { title, about, command, isBusy, failure, onSubmit, further, onClose } = props
  const change = STAFF_COMMAND[command]
  const [form] = Form.useForm<{ text: string }>()
  const needs = change.needs ?? 'reason'
  const box = boxes[needs]
  /** Sends the text if it is valid; otherwise the field says what is missing. */
  const submit = async (send: typeof onSubmit) => {
    const { text } = await form.validateFields().catch(() => ({ text: null }))
    if (text !== null) send({ [needs]: text.trim() })
  }
  /** A usual reason leads back to the box, where Enter sends it. */
  const choose = (reason: string) => {
    form.setFieldsValue({ text: reason })
    form.focusField('text')
  }
  const finish = () => void submit(further?.onSubmit ?? onSubmit)
  return (
    <Modal
      open
      title={title}
      okText={change.label.replace('…', '')}
      okButtonProps={{ danger: change.isDanger, autoFocus: false, ...(further && { type: 'default' }) }}
      cancelText="ปิด"
      cancelButtonProps={{ disabled: isBusy }}
      confirmLoading={isBusy}
      mask={{ closable: !isBusy }}
      closable={!isBusy}
      keyboard={!isBusy}
      onOk={() => void submit(onSubmit)}
      onCancel={onClose}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CancelBtn />
          <OkBtn />
          {further && (
            <Button type="primary" disabled={isBusy} onClick={finish}>
              {further.label}
            </Button>
          )}
        </>
      )}
    >
      <p className="muted number" style={{ marginBottom: 16 }}>
        {about}
      </p>
      {NEXT[command] && <p className="form-alert">{NEXT[command]}</p>}
      <FailureNote title={failure} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={finish}>
        <ReasonChips usual={REASONS[command]} onTake={choose} />
        <Form.Item
          name="text"
          label={box.label}
          extra={change.isDanger ? 'ลูกค้าจะเห็นข้อความนี้' : undefined}
          rules={[required(box.message)]}
        >
          {needs === 'reason' ? (
            <Input.TextArea
              autoFocus
              rows={3}
              maxLength={box.maxLength}
              onPressEnter={event => {
                // Shift+Enter begins a new line.
                if (event.shiftKey || event.nativeEvent.isComposing) return
                event.preventDefault()
                form.submit()
              }}
            />
          ) : (
            <Input autoFocus maxLength={box.maxLength} placeholder="เช่น MB-88213-5566" />
          )}
        </Form.Item>
      </Form>
    </Modal>
  )
}
