import { confirmTotp, getTotp } from '@shop/shared/account/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { FailureNote } from '../ui/failure-note.tsx'
import { useClient } from './session.tsx'

interface Fields {
  code: string
}

/** Confirms this session, or a new app, with what the authenticator app shows. */
export function CodeForm({ onConfirmed }: { onConfirmed?: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const [form] = Form.useForm<Fields>()
  const confirm = useMutation({
    mutationFn: (body: Fields) => client.call(confirmTotp, { body }),
    onSuccess: state => {
      onConfirmed?.()
      queries.setQueryData(client.query(getTotp).queryKey, state)
    },
    onError: () => {
      form.resetFields()
      form.focusField('code')
    },
  })
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={fields => confirm.mutate(fields)}>
      <FailureNote title={confirm.error && messageOf(confirm.error)} />
      <Form.Item
        name="code"
        label="รหัส 6 หลักจากแอปยืนยันตัวตน"
        normalize={(text: string) => text.replace(/\D/g, '').slice(0, 6)}
        rules={[{ required: true, len: 6, message: 'กรุณากรอกรหัสให้ครบ 6 หลัก' }]}
      >
        <Input size="large" inputMode="numeric" autoComplete="one-time-code" autoFocus />
      </Form.Item>
      <Button type="primary" size="large" block htmlType="submit" loading={confirm.isPending}>
        ยืนยัน
      </Button>
    </Form>
  )
}
