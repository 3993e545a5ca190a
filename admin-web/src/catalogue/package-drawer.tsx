import { type ManagedPackage, savePackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { Checkbox, Form, Input } from 'antd'
import { useUndoable } from '../audit/use-undoable.tsx'
import { type Difference, FormConflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { useFormSave } from '../ui/use-save.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

type Values = Pick<ManagedPackage, 'name' | 'desc' | 'isActive'>

const valuesOf = ({ name, desc, isActive }: Values): Values => ({ name, desc, isActive })

const statusOf = ({ isActive }: Values) => (isActive ? 'ใช้งาน' : 'ไม่ใช้งาน')

const compare = (mine: Values, theirs: Values): Difference[] => [
  { label: 'ชื่อแพ็กเกจ', theirs: theirs.name, mine: mine.name },
  { label: 'คำอธิบาย', theirs: theirs.desc, mine: mine.desc },
  { label: 'ใช้งาน', theirs: statusOf(theirs), mine: statusOf(mine) },
]

/** Edits a package; its prices have a dialog of their own. */
export function PackageDrawer({ sold, onClose }: { sold: ManagedPackage; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const { save, tellSaved } = useUndoable()
  const edit = useFormSave<Values, ManagedPackage>({
    form,
    record: sold,
    valuesOf,
    send: (values, over) =>
      save(savePackage, { body: { ...values, gameId: sold.gameId, id: sold.id, version: over?.version } }),
    onSaved: ({ name }) => {
      tellSaved(`บันทึก ${name} สำเร็จ`)
      onClose()
    },
    isUntouched: (theirs, base) => JSON.stringify(valuesOf(theirs)) === JSON.stringify(valuesOf(base)),
    onSettled: useCatalogueChanged(),
  })
  return (
    <FormDrawer
      title={`แก้ไขแพ็กเกจ ${sold.name}`}
      width={460}
      isSaving={edit.isSaving}
      isChanged={edit.isChanged}
      failureTitle={edit.failure ? `บันทึก ${form.getFieldValue('name').trim()} ไม่สำเร็จ กรุณาลองอีกครั้ง` : undefined}
      failure={edit.failure}
      onSave={form.submit}
      onClose={onClose}
    >
      <FormConflict form={form} edit={edit} compare={compare} />
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={valuesOf(sold)}
        onValuesChange={edit.noteChange}
        onFinish={edit.save}
      >
        <Form.Item
          name="name"
          label="ชื่อแพ็กเกจ"
          rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อแพ็กเกจ' }]}
        >
          <Input autoFocus maxLength={100} autoComplete="off" />
        </Form.Item>
        <Form.Item name="desc" label="คำอธิบาย (ไม่บังคับ)" extra="ลูกค้าเห็นใต้ชื่อแพ็กเกจในหน้าซื้อ">
          <Input maxLength={500} autoComplete="off" />
        </Form.Item>
        <Form.Item name="isActive" valuePropName="checked" style={{ marginBottom: 0 }}>
          <Checkbox>ใช้งาน</Checkbox>
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </FormDrawer>
  )
}
