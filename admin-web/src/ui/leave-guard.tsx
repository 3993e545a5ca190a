import { Modal } from 'antd'
import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router-dom'

/**
 * Asks before somebody leaves or closes the page while something is unsaved. Parameters of the address may change
 * without a question, unless `isWholeAddress`.
 */
export function LeaveGuard(props: { isActive: boolean; question: string; isWholeAddress?: boolean }) {
  const { isActive, question, isWholeAddress = false } = props
  const placeOf = ({ pathname, search }: Location) => (isWholeAddress ? pathname + search : pathname)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && placeOf(currentLocation) !== placeOf(nextLocation),
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
