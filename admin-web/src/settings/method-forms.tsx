import { listManagedMethods, type ManagedMethod, savePaymentMethods } from '@shop/shared/catalogue/method-endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { required } from '../ui/form-errors.ts'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { useSave } from '../ui/use-save.ts'

type NamedMethod = EndpointInput<typeof savePaymentMethods>['body']['seen'][number]

const named = (methods: readonly ManagedMethod[]): NamedMethod[] => methods.map(({ code, name }) => ({ code, name }))

/** Saves all payment methods over those that the form began with, or that somebody else saved meanwhile. */
function useSaveMethods(opened: readonly ManagedMethod[], onSaved: () => void) {
  const queries = useQueryClient()
  const { save: send, tellSaved } = useUndoable()
  const saving = useSave<NamedMethod[], NamedMethod[]>({
    record: named(opened),
    send: (methods, over) => send(savePaymentMethods, { body: { methods, seen: over! } }),
    onSaved: () => {
      tellSaved('บันทึกข้อมูลสำเร็จ!')
      onSaved()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listManagedMethods.path] }),
  })
  const seen = saving.theirs ?? saving.base!
  return { ...saving, seen, save: (methods: NamedMethod[]) => saving.save(methods, seen) }
}

interface MethodsProps {
  methods: readonly ManagedMethod[]
  onClose: () => void
}

export function MethodOrder({ methods, onClose }: MethodsProps) {
  const { save, seen, theirs, by, error, isSaving, takeTheirs } = useSaveMethods(methods, onClose)
  const itemOf = ({ code, name }: NamedMethod) => ({ id: code, label: name })
  return (
    <ReorderDialog
      title="จัดเรียงวิธีชำระเงิน"
      items={seen.map(itemOf)}
      isSaving={isSaving}
      failure={error && { title: 'บันทึกข้อมูลไม่สำเร็จ!', text: messageOf(error) }}
      theirs={theirs?.map(itemOf)}
      by={by}
      onTakeTheirs={() => theirs && takeTheirs(theirs)}
      onSave={codes => save(codes.map(code => seen.find(method => method.code === code)!))}
      onClose={onClose}
    />
  )
}

export function MethodDrawer({ method, methods, onClose }: MethodsProps & { method: ManagedMethod }) {
  const [form] = Form.useForm<{ name: string }>()
  const [isChanged, setIsChanged] = useState(false)
  const { save, seen, theirs, by, error, isSaving } = useSaveMethods(methods, onClose)
  const submit = ({ name }: { name: string }) =>
    save(seen.map(each => (each.code === method.code ? { ...each, name: name.trim() } : each)))
  return (
    <FormDrawer
      title={`แก้ไขวิธีชำระเงิน ${method.name}`}
      width={420}
      isSaving={isSaving}
      isChanged={isChanged}
      failure={error && messageOf(error)}
      onSave={form.submit}
      onClose={onClose}
    >
      {theirs && (
        <Conflict
          by={by}
          differences={[
            {
              label: 'ชื่อที่ลูกค้าเห็น',
              theirs: theirs.find(({ code }) => code === method.code)?.name,
              mine: form.getFieldValue('name'),
            },
          ]}
          isSaving={isSaving}
          onTakeTheirs={onClose}
          onKeepMine={form.submit}
        />
      )}
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: method.name }}
        onValuesChange={() => setIsChanged(true)}
        onFinish={submit}
      >
        <Form.Item name="name" label="ชื่อที่ลูกค้าเห็น" rules={[required('กรุณากรอกชื่อ')]}>
          <Input autoFocus maxLength={50} autoComplete="off" />
        </Form.Item>
      </Form>
    </FormDrawer>
  )
}
