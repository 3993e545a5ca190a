import { Modal } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'

/** Asks before another page is opened, or this one closed, while something is unsaved. */
export function LeaveGuard({ isActive, question }: { isActive: boolean; question: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isActive])
  return (
    <Modal
      open={blocker.state === 'blocked'}
      title="ออกจากหน้านี้?"
      okText="ออกโดยไม่บันทึก"
      okButtonProps={{ danger: true }}
      cancelText="อยู่ต่อ"
      onOk={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {question}
    </Modal>
  )
}
