import { type ManagedPackage, savePackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { App, Checkbox, Form, type FormInstance, Input } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { ConflictDialog } from '../ui/conflict-dialog.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { showRefusal } from '../ui/form-errors.ts'
import { useSave } from '../ui/use-save.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

type Values = Pick<ManagedPackage, 'name' | 'desc' | 'isActive'>

const valuesOf = ({ name, desc, isActive }: Values): Values => ({ name, desc, isActive })

const compare = (typed: Values, saved: Values) => {
  const status = ({ isActive }: Values) => (isActive ? 'ใช้งาน' : 'ไม่ใช้งาน')
  return [
    { label: 'ชื่อแพ็กเกจ', typed: typed.name, saved: saved.name },
    { label: 'คำอธิบาย', typed: typed.desc, saved: saved.desc },
    { label: 'ใช้งาน', typed: status(typed), saved: status(saved) },
  ]
}

/** Adds a package to a game, or edits one. */
export function PackageDrawer(props: { gameId: number; sold: ManagedPackage | null; onClose: () => void }) {
  const { gameId, sold, onClose } = props
  const [form] = Form.useForm<Values>()
  const { isDirty, setIsDirty, failure, save, isSaving, conflict, takeSaved } = usePackageForm({
    form,
    gameId,
    sold,
    onClose,
  })
  return (
    <FormDrawer
      title={sold ? `แก้ไขแพ็กเกจ ${sold.name}` : 'เพิ่มแพ็กเกจ'}
      width={460}
      isSaving={isSaving}
      isChanged={isDirty}
      failureTitle={failure?.title}
      failure={failure?.text ?? null}
      onSave={form.submit}
      onClose={onClose}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={sold ? valuesOf(sold) : { name: '', desc: '', isActive: true }}
        onValuesChange={() => setIsDirty(true)}
        onFinish={save}
      >
        <Form.Item
          name="name"
          label="ชื่อแพ็กเกจ"
          rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อแพ็กเกจ' }]}
        >
          <Input autoFocus maxLength={100} autoComplete="off" />
        </Form.Item>
        <Form.Item name="desc" label="คำอธิบาย (ไม่บังคับ)">
          <Input maxLength={500} autoComplete="off" />
        </Form.Item>
        <Form.Item name="isActive" valuePropName="checked" style={{ marginBottom: 0 }}>
          <Checkbox>ใช้งาน</Checkbox>
        </Form.Item>
        <button type="submit" hidden />
      </Form>
      {conflict && (
        <ConflictDialog
          what={`แพ็กเกจ ${conflict.current.name}`}
          fields={compare(conflict.typed, conflict.current)}
          savedBy={conflict.current.updatedByName}
          savedAt={conflict.current.updatedAt}
          isSaving={isSaving}
          onTakeSaved={takeSaved}
          onOverwrite={conflict.overwrite}
          onClose={conflict.close}
        />
      )}
    </FormDrawer>
  )
}

/** What was done with the form, and saving it. */
function usePackageForm(props: {
  form: FormInstance<Values>
  gameId: number
  sold: ManagedPackage | null
  onClose: () => void
}) {
  const { form, gameId, sold, onClose } = props
  const client = useClient()
  const { message } = App.useApp()
  const [isDirty, setIsDirty] = useState(false)
  const [failure, setFailure] = useState<{ title: string; text: string } | null>(null)
  const { save, isSaving, conflict } = useSave<Values, ManagedPackage>({
    record: sold,
    send: (values, over) =>
      client.call(savePackage, { body: { ...values, gameId, id: over?.id, version: over?.version } }),
    onSaved: ({ name }) => {
      message.success(`บันทึก ${name} สำเร็จ`)
      onClose()
    },
    onRefused: error => {
      const title = `บันทึก ${form.getFieldValue('name').trim()} ไม่สำเร็จ กรุณาลองอีกครั้ง`
      const text = showRefusal(form, error)
      setFailure(text === null ? null : { title, text })
    },
    onSettled: useCatalogueChanged(),
  })
  const takeSaved = () => {
    if (!conflict) return
    form.setFieldsValue(valuesOf(conflict.current))
    conflict.takeSaved()
    setIsDirty(false)
  }
  const start = (values: Values) => {
    setFailure(null)
    save(values)
  }
  return { isDirty, setIsDirty, failure, save: start, isSaving, conflict, takeSaved }
}
