import { type Linkable, MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from '@shop/shared/account/account.ts'
import { listLinks, type Me, updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { password } from '@shop/shared/account/fields.ts'
import { isWrongPassword, PASSWORDS_DIFFER, signInProblemOf, WRONG_PASSWORD } from '@shop/web/sign-in-problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { FailureNote } from '../ui/failure-note.tsx'
import { fieldRule } from '../ui/form-errors.ts'
import { keysEnd } from './keys-end.ts'
import { KeptLinks, OwnKeptLinks } from './links.tsx'
import type { PanelProps } from './panel.ts'
import { sameAs } from './same-as.ts'
import { useClient, useSession } from './session.tsx'
import { UntoldNote } from './untold-note.tsx'

interface Fields {
  currentPassword: string
  password: string
  keep?: Linkable[]
}

function NewPasswordFields() {
  return (
    <>
      <Form.Item
        name="password"
        label="รหัสผ่านใหม่"
        extra={`อย่างน้อย ${MINIMUM_PASSWORD_LENGTH} ตัวอักษร`}
        rules={[{ required: true, message: 'กรุณากรอกรหัสผ่านใหม่' }, fieldRule(password)]}
      >
        <Input.Password autoComplete="new-password" maxLength={MAXIMUM_PASSWORD_LENGTH} />
      </Form.Item>
      <Form.Item
        name="confirm"
        label="ยืนยันรหัสผ่านใหม่"
        dependencies={['password']}
        validateFirst
        rules={[{ required: true, message: 'กรุณายืนยันรหัสผ่านใหม่' }, sameAs('password', PASSWORDS_DIFFER)]}
      >
        <Input.Password autoComplete="new-password" maxLength={MAXIMUM_PASSWORD_LENGTH} />
      </Form.Item>
    </>
  )
}

function PasswordForm(props: {
  /** null for the viewer's own account. */
  user: Me | null
  submitLabel: string
  onSubmit: (fields: Fields) => Promise<unknown>
}) {
  const { user, submitLabel, onSubmit } = props
  const { message } = App.useApp()
  const [form] = Form.useForm<Fields>()
  const save = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => {
      form.resetFields()
      message.success('เปลี่ยนรหัสผ่านสำเร็จ')
    },
  })
  const failure = isWrongPassword(save.error) ? WRONG_PASSWORD : save.error && signInProblemOf(save.error)
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={fields => save.mutate(fields)}>
      <FailureNote title={failure} />
      {user === null && (
        <Form.Item
          name="currentPassword"
          label="รหัสผ่านปัจจุบัน"
          rules={[{ required: true, message: 'กรุณากรอกรหัสผ่านปัจจุบัน' }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      )}
      <NewPasswordFields />
      {user ? <KeptLinks uid={user.uid} /> : <OwnKeptLinks />}
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {submitLabel}
      </Button>
    </Form>
  )
}

/** The owner proves the old password first. */
export function OwnPasswordPanel({ onSaved }: PanelProps) {
  const session = useSession()
  return (
    <PasswordForm
      user={null}
      submitLabel="เปลี่ยนรหัสผ่าน"
      onSubmit={async ({ currentPassword, password, keep: links = [] }) => {
        const keep = { keys: [], webhooks: [], links }
        if (await session.renewPassword(currentPassword, password, keep)) await onSaved()
      }}
    />
  )
}

/** Sets somebody else's password: they are signed out and must choose their own at the next sign-in. */
export function OthersPasswordPanel({ user, onSaved }: PanelProps) {
  const client = useClient()
  const queries = useQueryClient()
  const [isUntold, setUntold] = useState(false)
  return (
    <>
      {isUntold && <UntoldNote />}
      <p className="muted" style={{ marginBottom: 16 }}>
        {user.displayName} จะถูกออกจากระบบ และต้องเปลี่ยนรหัสผ่านเองเมื่อเข้าสู่ระบบครั้งถัดไป{keysEnd(user)}
      </p>
      <PasswordForm
        user={user}
        submitLabel="ตั้งรหัสผ่านใหม่"
        onSubmit={async ({ password, keep }) => {
          const body = { uid: user.uid, password, keep }
          const { isOwnerTold } = await client.call(updateUserAuthentication, { body })
          setUntold(!isOwnerTold)
          await queries.invalidateQueries({ queryKey: [listLinks.path] })
          await onSaved()
        }}
      />
    </>
  )
}
