import { parsePhone, showPhone } from '@shop/shared/account/account.ts'
import { updateUser } from '@shop/shared/account/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button, Form, Input } from 'antd'
import type { PanelProps } from './panel.ts'
import { useClient } from './session.tsx'

interface Fields {
  firstName: string
  lastName: string
  phoneNumber: string
}

/** The shared reader decides what a phone number is, so that site and server agree. */
const phoneRule = { validator: async (_: unknown, text: string) => void parsePhone(text) }

export function ProfilePanel({ user, mayEdit, onSaved }: PanelProps) {
  const client = useClient()
  const { message } = App.useApp()
  const save = useMutation({
    mutationFn: (fields: Fields) => client.call(updateUser, { body: { uid: user.uid, ...fields } }),
    onSuccess: async () => {
      message.success('บันทึกข้อมูลสำเร็จ!')
      await onSaved()
    },
    onError: error => message.error({ content: `บันทึกข้อมูลไม่สำเร็จ! ${messageOf(error)}`, duration: 6 }),
  })
  return (
    <Form<Fields>
      layout="vertical"
      disabled={!mayEdit || save.isPending}
      initialValues={{ firstName: user.name, lastName: user.surname, phoneNumber: showPhone(user.tel) }}
      onFinish={fields => save.mutate(fields)}
    >
      <Form.Item name="firstName" label="ชื่อ">
        <Input maxLength={100} autoComplete="given-name" />
      </Form.Item>
      <Form.Item name="lastName" label="นามสกุล">
        <Input maxLength={100} autoComplete="family-name" />
      </Form.Item>
      <Form.Item name="phoneNumber" label="โทรศัพท์" rules={[phoneRule]} validateTrigger="onBlur">
        <Input maxLength={20} inputMode="tel" autoComplete="tel" placeholder="0812345678" />
      </Form.Item>
      {mayEdit && (
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          บันทึก
        </Button>
      )}
    </Form>
  )
}
