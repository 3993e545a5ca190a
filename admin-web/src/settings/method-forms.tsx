import { listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import { savePaymentMethod } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { ReorderDialog } from '../ui/reorder-dialog.tsx'

export type Method = Reply<typeof listPaymentMethods>[number]

/** Saves every method at its place in the list: only so does each have one of its own. */
function useSaveMethods(onSaved: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  return useMutation({
    mutationFn: async (methods: readonly Method[]) => {
      for (const [index, { code, name }] of methods.entries())
        await client.call(savePaymentMethod, { body: { code, name, no: index + 1 } })
    },
    onSuccess: () => {
      message.success('บันทึกข้อมูลสำเร็จ!')
      onSaved()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listPaymentMethods.path] }),
  })
}

interface MethodsProps {
  methods: readonly Method[]
  onClose: () => void
}

export function MethodOrder({ methods, onClose }: MethodsProps) {
  const save = useSaveMethods(onClose)
  return (
    <ReorderDialog
      title="จัดเรียงวิธีชำระเงิน"
      items={methods.map(({ code, name }) => ({ id: code, label: name }))}
      isSaving={save.isPending}
      failure={save.error && { title: 'บันทึกข้อมูลไม่สำเร็จ!', text: messageOf(save.error) }}
      onSave={codes => save.mutate(codes.map(code => methods.find(method => method.code === code)!))}
      onClose={onClose}
    />
  )
}

export function MethodDrawer({ method, methods, onClose }: MethodsProps & { method: Method }) {
  const [form] = Form.useForm<{ name: string }>()
  const [isChanged, setIsChanged] = useState(false)
  const save = useSaveMethods(onClose)
  return (
    <FormDrawer
      title={`แก้ไขวิธีชำระเงิน ${method.name}`}
      width={420}
      isSaving={save.isPending}
      isChanged={isChanged}
      failure={save.error && messageOf(save.error)}
      onSave={form.submit}
      onClose={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: method.name }}
        onValuesChange={() => setIsChanged(true)}
        onFinish={({ name }) =>
          save.mutate(methods.map(each => (each.code === method.code ? { ...each, name: name.trim() } : each)))
        }
      >
        <Form.Item name="name" label="ชื่อที่ลูกค้าเห็น" rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อ' }]}>
          <Input autoFocus maxLength={50} autoComplete="off" />
        </Form.Item>
      </Form>
    </FormDrawer>
  )
}
