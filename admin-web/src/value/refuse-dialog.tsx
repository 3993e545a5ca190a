import { messageOf } from '@shop/shared/errors.ts'
import { refuseSecondWord, type SecondWord } from '@shop/shared/value/endpoints.ts'
import { labelOfMove } from '@shop/shared/value/value.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input, Modal } from 'antd'
import { useClient } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'

/** Asks why something is refused, or one's own question taken back. */
export function RefuseDialog({ word, onClose }: { word: SecondWord; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const done = word.isOwn ? 'ยกเลิกคำขอ' : 'ไม่ยืนยัน'
  const refuse = useMutation({
    mutationFn: ({ reason }: { reason: string }) =>
      client.call(refuseSecondWord, { params: { id: word.id }, body: { reason } }),
    onSuccess: () => {
      message.success(word.isOwn ? 'ยกเลิกคำขอแล้ว' : 'บันทึกว่าไม่ยืนยันแล้ว')
      onClose()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Modal
      open
      title={`${done} ${labelOfMove(word.kind)}`}
      okText={done}
      okButtonProps={{ danger: true }}
      cancelText="ปิด"
      cancelButtonProps={{ disabled: refuse.isPending }}
      confirmLoading={refuse.isPending}
      closable={!refuse.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="muted breakable" style={{ marginBottom: 16 }}>
        {word.askedByName ?? word.askedBy}: {word.note}
      </p>
      <FailureNote title={refuse.error && 'บันทึกไม่สำเร็จ'} text={messageOf(refuse.error)} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={values => refuse.mutate(values)}>
        <Form.Item name="reason" label="เหตุผล" rules={[{ required: true, whitespace: true, message: 'กรุณาระบุเหตุผล' }]}>
          <Input autoFocus maxLength={200} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
