import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import {
  getStatementLine,
  type LineDetails,
  listStatementAccounts,
  listStatementLines,
  trustStatementLine,
} from '@shop/shared/statement/endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'

/** Why the shop does not match a line by itself, and the way to say that its balance is the bank's all the same. */
export function GapNote({ details: { line }, note }: { details: LineDetails; note: string }) {
  const { role } = useMe()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Alert
        type="warning"
        showIcon
        style={{ margin: '0 16px' }}
        title="ยอดคงเหลือไม่ต่อกัน ระบบไม่จับคู่รายการนี้เอง"
        description={`${note} หากมีรายการขาดไประหว่างนั้น ให้นำเข้าไฟล์ของช่วงนั้น ระบบจะตรวจใหม่เอง`}
        action={can(role, trustStatementLine.allow) && <Button onClick={() => setIsAsking(true)}>ยืนยันยอดนี้…</Button>}
      />
      {isAsking && <TrustDialog line={line} note={note} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function TrustDialog({ line, note, onClose }: Pick<LineDetails, 'line'> & { note: string; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const [keys] = useState(createRequestKeys)
  const params = { id: line.id }
  const trust = useMutation({
    mutationFn: ({ reason }: { reason: string }) => {
      const body = { version: line.version, reason: reason.trim() }
      return client.call(trustStatementLine, { params, body, idempotencyKey: keys.getKey({ params, body }) })
    },
    onSuccess: async saved => {
      message.success('ยืนยันยอดแล้ว')
      onClose()
      queries.setQueryData(client.query(getStatementLine, { params }).queryKey, saved)
      await queries.invalidateQueries({ queryKey: [listStatementLines.path] })
      await queries.invalidateQueries({ queryKey: [listStatementAccounts.path] })
    },
  })
  return (
    <Modal
      open
      title="ยืนยันยอดคงเหลือของรายการนี้?"
      okText="ยืนยันยอดนี้"
      cancelText="ปิด"
      confirmLoading={trust.isPending}
      closable={!trust.isPending}
      keyboard={!trust.isPending}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="form-alert">{note}</p>
      <p className="muted form-alert">ตรวจยอดกับแอปหรือสมุดบัญชีของธนาคารก่อน รายการนี้และรายการที่ต่อจากนี้จะถูกจับคู่ตามปกติ</p>
      <FailureNote title={trust.error && 'บันทึกไม่สำเร็จ'} text={messageOf(trust.error)} />
      <Form form={form} layout="vertical" requiredMark={false} onFinish={values => trust.mutate(values)}>
        <Form.Item
          name="reason"
          label="ตรวจกับอะไร"
          rules={[{ required: true, whitespace: true, message: 'กรุณาระบุเหตุผล' }]}
        >
          <Input.TextArea autoFocus rows={2} maxLength={500} showCount />
        </Form.Item>
      </Form>
    </Modal>
  )
}
