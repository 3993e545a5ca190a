import { PIN_RULE } from '@shop/shared/account/account.ts'
import { pin } from '@shop/shared/account/fields.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { PINS_DIFFER } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button, Form, Input } from 'antd'
import { FailureNote } from '../ui/failure-note.tsx'
import { fieldRule } from '../ui/form-errors.ts'
import type { PanelProps } from './panel.ts'
import { sameAs } from './same-as.ts'
import { useClient } from './session.tsx'

interface Fields {
  oldPin: string
  pin: string
}

const pinRules = [{ required: true, message: PIN_RULE }, fieldRule(pin)]
const pinInput = <Input.Password inputMode="numeric" maxLength={4} autoComplete="off" style={{ width: 160 }} />

export function PinPanel({ onSaved }: PanelProps) {
  const client = useClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const save = useMutation({
    mutationFn: ({ oldPin, pin }: Fields) => client.call(changePin, { body: { oldPin, pin } }),
    onSuccess: async () => {
      form.resetFields()
      message.success('เปลี่ยน PIN สำเร็จ')
      await onSaved()
    },
  })
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={fields => save.mutate(fields)}>
      <p className="muted" style={{ marginBottom: 16 }}>
        PIN ใช้ยืนยันรายการของ Wallet เช่น การเติมเกม
      </p>
      <FailureNote title={save.error && messageOf(save.error)} />
      <Form.Item name="oldPin" label="PIN เดิม" rules={pinRules}>
        {pinInput}
      </Form.Item>
      <Form.Item name="pin" label="PIN ใหม่" extra="ตัวเลข 4 หลัก" rules={pinRules}>
        {pinInput}
      </Form.Item>
      <Form.Item
        name="confirm"
        label="ยืนยัน PIN ใหม่"
        dependencies={['pin']}
        validateFirst
        rules={[{ required: true, message: PIN_RULE }, sameAs('pin', PINS_DIFFER)]}
      >
        {pinInput}
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        เปลี่ยน PIN
      </Button>
    </Form>
  )
}
