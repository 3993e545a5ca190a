import { Form, Modal } from 'antd'
import type { ReactNode } from 'react'
import { FailureNote } from './failure-note.tsx'

/** A form in a dialog. What was typed stays there when saving fails; the dialog can't be closed while it saves. */
export function FormDialog<Values extends object>(props: {
  title: string
  okText: string
  cancelText?: string
  isDanger?: boolean
  /** Whether the form can be sent at all. */
  isAllowed?: boolean
  isBusy: boolean
  failureTitle?: string
  failure: string | null
  /** What the fields hold at first. */
  initialValues?: Partial<Values>
  onSubmit: (values: Values) => void
  onClose: () => void
  children: ReactNode
}) {
  const { title, okText, cancelText = 'ปิด', isDanger = false, isAllowed = true, isBusy } = props
  const { failureTitle = 'บันทึกไม่สำเร็จ', failure, initialValues, onSubmit, onClose, children } = props
  const [form] = Form.useForm<Values>()
  return (
    <Modal
      open
      title={title}
      okText={okText}
      okButtonProps={{ danger: isDanger, disabled: !isAllowed }}
      cancelText={cancelText}
      cancelButtonProps={{ disabled: isBusy }}
      confirmLoading={isBusy}
      mask={{ closable: false }}
      closable={!isBusy}
      keyboard={!isBusy}
      onOk={form.submit}
      onCancel={onClose}
    >
      <FailureNote title={failure && failureTitle} text={failure} />
      <Form form={form} layout="vertical" requiredMark={false} initialValues={initialValues} onFinish={onSubmit}>
        {children}
      </Form>
    </Modal>
  )
}
