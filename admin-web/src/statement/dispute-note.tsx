import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { getStatementLine, type LineDetails, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { settleDisputedLine } from '@shop/shared/statement/take-back-endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'

/** That a line's key was taken back and the line could not be; whoever may make keys says what became of it. */
export function DisputeNote({ details: { line, undoBarrier } }: { details: LineDetails }) {
  const me = useMe()
  const [isAsking, setIsAsking] = useState(false)
  const why = undoBarrier ?? 'ดูเหตุผลในประวัติด้านล่าง'
  return (
    <>
      <Alert
        type="error"
        showIcon
        title="คีย์ที่ส่งรายการนี้ถูกเพิกถอน แต่รายการนี้เพิกถอนไม่ได้"
        description={`${why} กรุณาตรวจกับธนาคารว่าเงินเข้าจริงหรือไม่`}
        action={can(me.role, settleDisputedLine.allow) && <Button onClick={() => setIsAsking(true)}>ปิดเรื่อง…</Button>}
      />
      {isAsking && <SettleDialog id={line.id} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function SettleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const settle = useMutation({
    mutationFn: ({ reason }: { reason: string }) =>
      client.call(settleDisputedLine, { params: { id }, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      message.success('ปิดเรื่องแล้ว')
      onClose()
      await queries.invalidateQueries({ queryKey: [getStatementLine.path] })
      await queries.invalidateQueries({ queryKey: [listStatementLines.path] })
    },
  })
  return (
    <Modal
      open
      title="ปิดเรื่องรายการนี้?"
      okText="ปิดเรื่อง"
      cancelText="กลับ"
      confirmLoading={settle.isPending}
      closable={!settle.isPending}
      keyboard={!settle.isPending}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <FailureNote title={settle.error && 'บันทึกไม่สำเร็จ'} text={messageOf(settle.error)} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={values => settle.mutate(values)}>
        <Form.Item
          name="reason"
          label="ตรวจแล้วเป็นอย่างไร ทำอะไรไป"
          rules={[{ required: true, whitespace: true, message: 'กรุณาระบุเหตุผล' }]}
        >
          <Input.TextArea autoFocus rows={2} maxLength={500} showCount />
        </Form.Item>
      </Form>
    </Modal>
  )
}
