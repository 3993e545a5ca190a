import { listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import { savePaymentMethods } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { EndpointInput, Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'
import { currentOf, firstOf } from '../ui/use-save.ts'

export type Method = Reply<typeof listPaymentMethods>[number]
type NamedMethod = EndpointInput<typeof savePaymentMethods>['body']['seen'][number]

const named = (methods: readonly Method[]): NamedMethod[] => methods.map(({ code, name }) => ({ code, name }))

/** Saves the methods, which were edited from those that stood there when the form was opened. */
function useSaveMethods(opened: readonly Method[], onSaved: () => void) {
  const queries = useQueryClient()
  const { save: send, tellSaved } = useUndoable()
  const [seen, setSeen] = useState(() => named(opened))
  const save = useMutation({
    mutationFn: (methods: NamedMethod[]) => send(savePaymentMethods, { body: { methods, seen } }),
    onSuccess: () => {
      tellSaved('บันทึกข้อมูลสำเร็จ!')
      onSaved()
    },
    onError: error => {
      const theirs = currentOf<NamedMethod[]>(error)
      if (theirs) setSeen(theirs)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listPaymentMethods.path] }),
  })
  return { save, seen, theirs: currentOf<NamedMethod[]>(save.error), by: firstOf(save.error) }
}

interface MethodsProps {
  methods: readonly Method[]
  onClose: () => void
}

export function MethodOrder({ methods, onClose }: MethodsProps) {
  const { save, seen, theirs, by } = useSaveMethods(methods, onClose)
  const itemOf = ({ code, name }: NamedMethod) => ({ id: code, label: name })
  return (
    <ReorderDialog
      title="จัดเรียงวิธีชำระเงิน"
      items={seen.map(itemOf)}
      isSaving={save.isPending}
      failure={save.error && !theirs ? { title: 'บันทึกข้อมูลไม่สำเร็จ!', text: messageOf(save.error) } : null}
      theirs={theirs?.map(itemOf)}
      by={by}
      onTakeTheirs={save.reset}
      onSave={codes => save.mutate(codes.map(code => seen.find(method => method.code === code)!))}
      onClose={onClose}
    />
  )
}

export function MethodDrawer({ method, methods, onClose }: MethodsProps & { method: Method }) {
  const [form] = Form.useForm<{ name: string }>()
  const [isChanged, setIsChanged] = useState(false)
  const { save, seen, theirs, by } = useSaveMethods(methods, onClose)
  const submit = ({ name }: { name: string }) =>
    save.mutate(seen.map(each => (each.code === method.code ? { ...each, name: name.trim() } : each)))
  return (
    <FormDrawer
      title={`แก้ไขวิธีชำระเงิน ${method.name}`}
      width={420}
      isSaving={save.isPending}
      isChanged={isChanged}
      failure={save.error && !theirs ? messageOf(save.error) : null}
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
          isSaving={save.isPending}
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
        <Form.Item name="name" label="ชื่อที่ลูกค้าเห็น" rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อ' }]}>
          <Input autoFocus maxLength={50} autoComplete="off" />
        </Form.Item>
      </Form>
    </FormDrawer>
  )
}
