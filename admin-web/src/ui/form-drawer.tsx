import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { FailureNote } from './failure-note.tsx'
import { LeaveGuard, useCloseGuard } from './leave-guard.tsx'

/** A form that slides in over its list and stays until it is saved or given up, not while it is being saved. */
export function FormDrawer(props: {
  title: string
  width: number
  isSaving: boolean
  /** Whether closing or leaving would lose something that was typed. */
  isDirty?: boolean
  failureTitle?: string
  /** Why it could not be saved, where no field says so. */
  failure: string | null
  onSave: () => void
  onClose: () => void
  children: ReactNode
}) {
  const { title, width, isSaving, isDirty = false, failureTitle = 'บันทึกข้อมูลไม่สำเร็จ', failure } = props
  const { onSave, onClose, children } = props
  const close = useCloseGuard(isDirty, onClose)
  return (
    <Drawer
      open
      title={title}
      size={width}
      mask={{ closable: false }}
      keyboard={!isSaving}
      onClose={() => !isSaving && close()}
      footer={
        <div className="drawer-footer">
          <Button disabled={isSaving} onClick={close}>
            ยกเลิก
          </Button>
          <Button type="primary" loading={isSaving} onClick={onSave}>
            บันทึก
          </Button>
        </div>
      }
    >
      <LeaveGuard isActive={isDirty && !isSaving} question="สิ่งที่กรอกไว้ยังไม่ได้บันทึก" />
      <FailureNote title={failure && failureTitle} text={failure} />
      {children}
    </Drawer>
  )
}
