import { ACCOUNT_STATUS_LABELS, type AccountStatus, ROLE_LABELS } from '@shop/shared/account/account.ts'
import { resetTotp, setUserRole } from '@shop/shared/account/endpoints.ts'
import { getPinState } from '@shop/shared/account/pin-endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { assignableRoles, can, isAdminSide, type Role } from '@shop/shared/permissions.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { App, Button, Divider, Form, Select } from 'antd'
import { isSentOn } from '../ui/sent-on.ts'
import { keysEnd } from './keys-end.ts'
import { AccountLinks } from './links.tsx'
import type { PanelProps } from './panel.ts'
import { PinReset } from './pin-reset.tsx'
import { useClient, useMe } from './session.tsx'
import { statusOf } from './status-chip.tsx'

interface Fields {
  status: AccountStatus
  role: Role
}

const statusOptions = (['pending', 'active', 'inactive'] as const).map(value => ({
  value,
  label: ACCOUNT_STATUS_LABELS[value],
}))

/**
 * Lets the viewer change somebody else's status and role (within their own rank), added sign-ins, wallet PIN and lost
 * authenticator app.
 */
export function AdminPanel({ user, onSaved }: PanelProps) {
  const client = useClient()
  const me = useMe()
  const { message, modal } = App.useApp()
  const save = useMutation({
    mutationFn: ({ status, role }: Fields) => {
      const isActived = status === 'pending' ? null : status === 'active'
      return client.call(setUserRole, { body: { uid: user.uid, role, isActived } })
    },
    onSuccess: async () => {
      message.success('บันทึกข้อมูลสำเร็จ!')
      await onSaved()
    },
    onError: error =>
      !isSentOn(error) && message.error({ content: `บันทึกข้อมูลไม่สำเร็จ! ${messageOf(error)}`, duration: 6 }),
  })
  const ask = (fields: Fields) =>
    modal.confirm({
      title: `เปลี่ยนบัญชีของ ${user.displayName}?`,
      content: `${ROLE_LABELS[fields.role]} · ${ACCOUNT_STATUS_LABELS[fields.status]} ผู้ใช้จะถูกออกจากระบบทุกเครื่อง${keysEnd(user)}`,
      okText: 'บันทึก',
      cancelText: 'ปิด',
      onOk: () => save.mutate(fields),
    })
  return (
    <>
      <Form<Fields>
        layout="vertical"
        initialValues={{ status: statusOf(user.isActived), role: user.role }}
        onFinish={ask}
      >
        <Form.Item name="status" label="สถานะ">
          <Select options={statusOptions} />
        </Form.Item>
        <Form.Item name="role" label="บทบาท">
          <Select options={assignableRoles(me.role).map(value => ({ value, label: ROLE_LABELS[value] }))} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          บันทึก
        </Button>
      </Form>
      <AccountLinks user={user} onSaved={onSaved} />
      <OfPin user={user} onSaved={onSaved} />
      {isAdminSide(user.role) && can(me.role, 'totp.reset') && <TotpReset user={user} onSaved={onSaved} />}
    </>
  )
}

/** A wallet has a PIN; customers set one themselves for a lot of shop credit. */
function OfPin({ user, onSaved }: Pick<PanelProps, 'user' | 'onSaved'>) {
  const client = useClient()
  const mayHave = user.role === 'customer' && !user.hasWallet
  const own = useQuery({
    ...client.query(getPinState, { params: { uid: user.uid } }),
    enabled: mayHave,
    retry: false,
  })
  if (!user.hasWallet && !own.data) return null
  return (
    <>
      <Divider />
      <PinReset user={user} onSaved={onSaved} />
    </>
  )
}

function TotpReset({ user, onSaved }: Pick<PanelProps, 'user' | 'onSaved'>) {
  const client = useClient()
  const { message, modal } = App.useApp()
  const reset = useMutation({
    mutationFn: () => client.call(resetTotp, { params: { uid: user.uid } }),
    onSuccess: async () => {
      message.success('รีเซ็ตแอปยืนยันตัวตนแล้ว')
      await onSaved()
    },
    onError: error => {
      if (isSentOn(error)) return
      const hasNone = error instanceof AppError && error.code === 'TOTP_NOT_ENROLLED'
      message.error({ content: hasNone ? 'ผู้ใช้นี้ยังไม่ได้เปิดใช้แอปยืนยันตัวตน' : messageOf(error), duration: 6 })
    },
  })
  const ask = () =>
    modal.confirm({
      title: `รีเซ็ตแอปยืนยันตัวตนของ ${user.displayName}?`,
      content: 'แอปเดิมใช้ไม่ได้อีก ผู้ใช้จะถูกออกจากระบบทุกเครื่อง และตั้งค่าแอปใหม่ได้เมื่อเข้าสู่ระบบ',
      okText: 'รีเซ็ต',
      cancelText: 'ปิด',
      onOk: () => reset.mutate(),
    })
  return (
    <>
      <Divider />
      <Button loading={reset.isPending} onClick={ask}>
        รีเซ็ตแอปยืนยันตัวตน
      </Button>
    </>
  )
}
