import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { FailureNote } from './failure-note.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { useCloseGuard } from './use-close-guard.ts'

/** A form that slides in over its list. It closes when it is saved or given up, but not while it is being saved. */
export function FormDrawer(props: {
  title: string
  width: number
  isSaving: boolean
  /** Whether something was typed; then the person is asked before it is lost. */
  isChanged?: boolean
  failureTitle?: string
  /** Why it could not be saved, unless a field says so. */
  failure: string | null
  onSave: () => void
  onClose: () => void
  /** Other ways to save, before the main one. */
  actions?: ReactNode
  children: ReactNode
}) {
  const { title, width, isSaving, isChanged = false, failureTitle = 'บันทึกข้อมูลไม่สำเร็จ', failure } = props
  const { onSave, onClose, actions, children } = props
  const [isGivenUp, setIsGivenUp] = useState(false)
  const giveUp = () => {
    // Closing may change the address, and the guard must be switched off before that.
    flushSync(() => setIsGivenUp(true))
    onClose()
  }
  const ask = useCloseGuard(isChanged, giveUp)
  const close = () => !isSaving && ask()
  return (
    <Drawer
      open
      title={title}
      size={width}
      mask={{ closable: false }}
      keyboard={!isSaving}
      onClose={close}
      footer={
        <>
          {/* Beside the button that was pressed, because the top of a long form may be out of sight. */}
          <FailureNote title={failure && failureTitle} text={failure} />
          <div className="drawer-footer">
            <Button disabled={isSaving} onClick={close}>
              ยกเลิก
            </Button>
            {actions}
            <Button type="primary" loading={isSaving} onClick={onSave}>
              บันทึก
            </Button>
          </div>
        </>
      }
    >
      {isChanged && <LeaveGuard isActive={!isSaving && !isGivenUp} question="มีข้อมูลในฟอร์มที่ยังไม่บันทึก" isWholeAddress />}
      {children}
    </Drawer>
  )
}
