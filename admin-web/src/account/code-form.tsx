import { confirmTotp, getTotp } from '@shop/shared/account/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { digitsIn } from '@shop/shared/typed-text.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useEffect } from 'react'
import { FailureNote } from '../ui/failure-note.tsx'
import { useClient } from './session.tsx'
import { browserKey, keepSessionKey } from './session-key.ts'

interface Fields {
  code: string
}

/** Asks for the six digits of an authenticator app; shows a refusal and asks again. */
export function CodeForm(props: {
  label: string
  submitLabel: string
  /** The mutation that sends the code. */
  check: { error: Error | null; isPending: boolean; mutate: (code: string) => void }
}) {
  const { label, submitLabel, check } = props
  const { error, isPending, mutate } = check
  const [form] = Form.useForm<Fields>()
  useEffect(() => {
    if (!error) return
    form.resetFields()
    form.focusField('code')
  }, [error, form])
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={({ code }) => mutate(code)}>
      <FailureNote title={error && messageOf(error)} />
      <Form.Item
        name="code"
        label={label}
        normalize={(text: string) => digitsIn(text).slice(0, 6)}
        rules={[{ required: true, len: 6, message: 'กรุณากรอกรหัสให้ครบ 6 หลัก' }]}
      >
        <Input size="large" inputMode="numeric" autoComplete="one-time-code" autoFocus />
      </Form.Item>
      <Button type="primary" size="large" block htmlType="submit" loading={isPending}>
        {submitLabel}
      </Button>
    </Form>
  )
}

/** Confirms this browser's session, or a new app, with what the authenticator app shows. */
export function ConfirmForm({ onConfirmed }: { onConfirmed?: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: (code: string) => client.call(confirmTotp, { body: { code, browserKey: browserKey() } }),
    onSuccess: ({ sessionKey, ...state }) => {
      keepSessionKey(sessionKey)
      onConfirmed?.()
      queries.setQueryData(client.query(getTotp).queryKey, state)
    },
  })
  return <CodeForm label="รหัส 6 หลักจากแอปยืนยันตัวตน" submitLabel="ยืนยัน" check={confirm} />
}
