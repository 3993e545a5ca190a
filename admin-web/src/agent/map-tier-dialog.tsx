import { isUnproven, ROLE_LABELS } from '@shop/shared/account/account.ts'
import { type Agent, mapTier, searchUsersForTier, type Tier } from '@shop/shared/agent/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Form, Select, type SelectProps, Switch } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import type { FirstSecrets } from './first-secrets-dialog.tsx'
import { useReloadAgents } from './use-reload-agents.ts'

interface Values {
  uid: string
  tierId: number
  isActived: boolean
}

/** Gives a person a tier; when opened from a row, that person is chosen already. */
export function MapTierDialog(props: {
  agent: Agent | null
  tiers: Tier[]
  onClose: (made?: FirstSecrets | null) => void
}) {
  const { agent, tiers, onClose } = props
  const client = useClient()
  const reload = useReloadAgents()
  const { message } = App.useApp()
  const save = useMutation({
    mutationFn: (values: Values) => client.call(mapTier, { body: values }),
    onSuccess: async ({ agent: mapped, pin }) => {
      message.success(`กำหนด Tier ${mapped.tier?.name ?? ''} ให้ ${mapped.name} แล้ว`)
      onClose(pin === null ? null : { name: mapped.name, email: mapped.email, password: null, pin })
      await reload()
    },
  })
  const isActived = !agent || agent.isActived === true
  const offered = tiers.filter(tier => tier.isActived || tier.id === agent?.tier?.id)
  return (
    <FormDialog<Values>
      title="กำหนด Tier"
      okText="บันทึก"
      cancelText="ยกเลิก"
      isBusy={save.isPending}
      failure={save.error && messageOf(save.error)}
      onSubmit={save.mutate}
      onClose={() => onClose()}
    >
      <Form.Item
        name="uid"
        initialValue={agent?.uid}
        label="Agent"
        extra={agent ? undefined : 'ลูกค้าที่ได้ Tier จะเป็นตัวแทนและมีกระเป๋าเงิน'}
        rules={[{ required: true, message: 'กรุณาเลือก Agent' }]}
      >
        <PersonSelect agent={agent} />
      </Form.Item>
      <Form.Item
        name="tierId"
        label="Tier"
        initialValue={agent?.tier?.id}
        rules={[{ required: true, message: 'กรุณาเลือก Tier' }]}
      >
        <Select placeholder="เลือก Tier" options={offered.map(({ id, name }) => ({ value: id, label: name }))} />
      </Form.Item>
      <Form.Item
        name="isActived"
        label="ใช้งาน"
        valuePropName="checked"
        initialValue={isActived}
        style={{ marginBottom: 0 }}
      >
        <Switch />
      </Form.Item>
    </FormDialog>
  )
}

/** Searches people while their name is typed. */
function PersonSelect(props: { agent: Agent | null; id?: string; value?: string; onChange?: (uid: string) => void }) {
  const { agent, id, value, onChange } = props
  const client = useClient()
  const [name, setName] = useState('')
  const asked = useDeferredValue(name.trim())
  const found = useSteadyQuery(
    client.query(searchUsersForTier, { query: { name: asked || undefined } }),
    agent === null,
  )
  const people: SelectProps['options'] = found.data?.map(person => ({
    value: person.uid,
    label: [
      `${person.name} ${person.surname}`.trim(),
      person.email,
      isUnproven(person) && 'อีเมลยังไม่ยืนยัน',
      ROLE_LABELS[person.role],
    ]
      .filter(Boolean)
      .join(' · '),
    // An agent whom staff created is known even without a proven address.
    disabled: isUnproven(person) && person.role === 'customer',
  }))
  return (
    <Select
      id={id}
      disabled={agent !== null}
      showSearch={{ filterOption: false, onSearch: setName }}
      placeholder="ค้นหาชื่อหรืออีเมล"
      value={value}
      loading={found.isFetching}
      options={agent ? [{ value: agent.uid, label: agent.name }] : people}
      notFoundContent={
        found.isError ? <span role="alert">เกิดข้อผิดพลาดในการค้นหา</span> : found.isPending ? 'กรุณารอสักครู่..' : 'ไม่พบผู้ใช้งาน'
      }
      onChange={onChange}
    />
  )
}
