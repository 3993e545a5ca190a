import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { FailureNote } from './failure-note.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { useCloseGuard } from './use-close-guard.ts'

/** A form that slides in over its list and stays until it is saved or given up, not while it is being saved. */
export function FormDrawer(props: {
  title: string
  width: number
  isSaving: boolean
  /** Whether giving up would lose something; then it is asked for. */
  isChanged?: boolean
  failureTitle?: string
  /** Why it could not be saved, where no field says so. */
  failure: string | null
  onSave: () => void
  onClose: () => void
  children: ReactNode
}) {
  const { title, width, isSaving, isChanged = false, failureTitle = 'บันทึกข้อมูลไม่สำเร็จ', failure } = props
  const { onSave, onClose, children } = props
  const [isGivenUp, setIsGivenUp] = useState(false)
  const giveUp = () => {
    // Where closing changes the address, the guard must know first.
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
          {/* Beside the button that was pressed: the top of a long form may be out of sight. */}
          <FailureNote title={failure && failureTitle} text={failure} />
          <div className="drawer-footer">
            <Button disabled={isSaving} onClick={close}>
              ยกเลิก
            </Button>
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
