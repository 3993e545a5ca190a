import { MAXIMUM_PASSWORD_LENGTH, parsePhone } from '@shop/shared/account/account.ts'
import { type Agent, createAgentUser, type Tier, updateAgentUser } from '@shop/shared/agent/endpoints.ts'
import { PASSWORDS_DIFFER } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Form, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { sameAs } from '../account/same-as.ts'
import { useClient } from '../account/session.tsx'
import { bankOptions } from '../bank-options.ts'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { fieldRule, showRefusal } from '../ui/form-errors.ts'
import type { FirstSecrets } from './first-secrets-dialog.tsx'
import { useReloadAgents } from './use-reload-agents.ts'

interface Values {
  name: string
  firstName: string
  lastName: string
  email: string
  tel: string
  bankCode: string
  bankAccount: string
  password: string
  confirm: string
  tierId?: number
  isActived: boolean
}

const { email, bankAccount, password } = createAgentUser.body.shape
const required = (label: string) => ({ required: true, whitespace: true, message: `กรุณากรอก${label}` })

/** Checks what was typed; for an empty number the rule for required fields speaks. */
async function checkPhone(_: unknown, tel: string | undefined) {
  if (tel?.trim()) parsePhone(tel)
}

/** Adds or edits an agent. When editing, the email stays and no passwords are asked for. */
export function AgentDrawer(props: { agent: Agent | null; tiers: Tier[]; onClose: (made?: FirstSecrets) => void }) {
  const { agent, tiers, onClose } = props
  const [form] = Form.useForm<Values>()
  const [failure, setFailure] = useState<string | null>(null)
  const save = useSaveAgent(agent, onClose, error =>
    setFailure(showRefusal(form, error, { EMAIL_IN_USE: 'email', PHONE_INVALID: 'tel', WEAK_PASSWORD: 'password' })),
  )
  const submit = (values: Values) => {
    setFailure(null)
    save.mutate(values)
  }
  return (
    <FormDrawer
      title={agent ? `แก้ไขตัวแทน ${agent.name}` : 'เพิ่มตัวแทน'}
      width={520}
      isSaving={save.isPending}
      failure={failure}
      onSave={form.submit}
      onClose={() => onClose()}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={agent ? valuesOf(agent) : { isActived: true }}
        onFinish={submit}
      >
        <PersonFields isEdit={agent !== null} />
        <BankFields />
        {!agent && <PasswordFields />}
        {!agent && (
          <Form.Item name="tierId" label="Tier (ไม่บังคับ)" extra="เลือกแล้วตัวแทนมีกระเป๋าเงินทันที หรือกำหนด Tier ภายหลัง">
            <Select
              allowClear
              placeholder="ยังไม่กำหนด"
              options={tiers.filter(tier => tier.isActived).map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Form.Item>
        )}
        <Form.Item name="isActived" label="ใช้งาน" valuePropName="checked" style={{ marginBottom: 0 }}>
          <Switch />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </FormDrawer>
  )
}

const valuesOf = ({ name, firstName, lastName, email, tel, bankCode, bankAccount, isActived }: Agent) => ({
  name,
  firstName,
  lastName,
  tel,
  email: email ?? '',
  bankCode: bankCode ?? undefined,
  bankAccount: bankAccount ?? '',
  isActived: isActived === true,
})

function useSaveAgent(agent: Agent | null, onDone: (made?: FirstSecrets) => void, onError: (error: unknown) => void) {
  const client = useClient()
  const reload = useReloadAgents()
  const { message } = App.useApp()
  return useMutation({
    mutationFn: async ({ email, password, confirm, tierId, ...profile }: Values): Promise<FirstSecrets | undefined> => {
      if (agent) {
        await client.call(updateAgentUser, { body: { uid: agent.uid, ...profile } })
        return undefined
      }
      const made = await client.call(createAgentUser, { body: { ...profile, email: email.trim(), password, tierId } })
      return { name: made.agent.name, email: made.agent.email, password: made.password, pin: made.pin }
    },
    onSuccess: async (made, { name }) => {
      message.success(`บันทึก ${name.trim()} สำเร็จ`)
      onDone(made)
      await reload()
    },
    onError,
  })
}

function PersonFields({ isEdit }: { isEdit: boolean }) {
  return (
    <>
      <Form.Item name="name" label="ชื่อตัวแทน" rules={[required('ชื่อตัวแทน')]}>
        <Input autoFocus maxLength={100} autoComplete="off" />
      </Form.Item>
      <div className="field-pair">
        <Form.Item name="firstName" label="ชื่อจริง" rules={[required('ชื่อจริง')]}>
          <Input maxLength={100} autoComplete="off" />
        </Form.Item>
        <Form.Item name="lastName" label="นามสกุล" rules={[required('นามสกุล')]}>
          <Input maxLength={100} autoComplete="off" />
        </Form.Item>
      </div>
      <Form.Item
        name="email"
        label="อีเมล"
        extra={isEdit ? 'อีเมลใช้เข้าสู่ระบบ จึงแก้ไขไม่ได้' : undefined}
        rules={isEdit ? [] : [required('อีเมล'), fieldRule(email)]}
      >
        <Input type="email" inputMode="email" maxLength={200} autoComplete="off" disabled={isEdit} />
      </Form.Item>
      <Form.Item name="tel" label="โทรศัพท์" rules={[required('โทรศัพท์'), { validator: checkPhone }]}>
        <Input type="tel" inputMode="tel" maxLength={12} placeholder="0812345678" autoComplete="off" />
      </Form.Item>
    </>
  )
}

function BankFields() {
  return (
    <div className="field-pair">
      <Form.Item name="bankCode" label="ธนาคาร" rules={[{ required: true, message: 'กรุณาเลือกธนาคาร' }]}>
        <Select showSearch={{ optionFilterProp: 'label' }} placeholder="เลือกธนาคาร" options={bankOptions} />
      </Form.Item>
      <Form.Item name="bankAccount" label="เลขที่บัญชี" rules={[required('เลขที่บัญชี'), fieldRule(bankAccount)]}>
        <Input inputMode="numeric" maxLength={20} autoComplete="off" />
      </Form.Item>
    </div>
  )
}

function PasswordFields() {
  return (
    <div className="field-pair">
      <Form.Item
        name="password"
        label="รหัสผ่าน"
        rules={[{ required: true, message: 'กรุณากรอกรหัสผ่าน' }, fieldRule(password)]}
      >
        <Input.Password autoComplete="new-password" maxLength={MAXIMUM_PASSWORD_LENGTH} />
      </Form.Item>
      <Form.Item
        name="confirm"
        label="ยืนยันรหัสผ่าน"
        dependencies={['password']}
        rules={[sameAs('password', PASSWORDS_DIFFER)]}
      >
        <Input.Password autoComplete="new-password" maxLength={MAXIMUM_PASSWORD_LENGTH} />
      </Form.Item>
    </div>
  )
}
