import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { FailureNote } from './failure-note.tsx'

/** A form that slides in over its list and stays until it is saved or given up, not while it is being saved. */
export function FormDrawer(props: {
  title: string
  width: number
  isSaving: boolean
  /** Why it could not be saved, where no field says so. */
  failure: string | null
  onSave: () => void
  onClose: () => void
  children: ReactNode
}) {
  const { title, width, isSaving, failure, onSave, onClose, children } = props
  return (
    <Drawer
      open
      title={title}
      size={width}
      mask={{ closable: false }}
      keyboard={!isSaving}
      onClose={() => !isSaving && onClose()}
      footer={
        <div className="drawer-footer">
          <Button disabled={isSaving} onClick={onClose}>
            ยกเลิก
          </Button>
          <Button type="primary" loading={isSaving} onClick={onSave}>
            บันทึก
          </Button>
        </div>
      }
    >
      <FailureNote title={failure && 'บันทึกข้อมูลไม่สำเร็จ'} text={failure} />
      {children}
    </Drawer>
  )
}
