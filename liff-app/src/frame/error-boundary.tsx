import { Component, type ReactNode } from 'react'
import { getCurrentOrder } from '../current-order.ts'
import { removeAll } from '../storage.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/state.tsx'

/** Forgets what this browser keeps of the shop, except the key by which a guest's orders are found, and starts again. */
function startAfresh(): void {
  removeAll(['guestKey'])
  sessionStorage.clear()
  location.assign('/game')
}

/** Shows ways on in place of a page that can't be drawn, mostly because its code could not be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <>
        <Failure
          text={`เปิดหน้านี้ไม่สำเร็จ กรุณาลองอีกครั้ง${getCurrentOrder() ? ' หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ' : ''}`}
          onRetry={() => location.reload()}
        />
        <p className="mt-4 text-small text-ink-2">
          ลองแล้วยังไม่ได้? เริ่มใหม่ได้ ระบบจะออกจากระบบและล้างรายการที่เลือกไว้ในเครื่องนี้ คำสั่งซื้อที่ทำไว้ยังอยู่ครบ
        </p>
        <Button kind="secondary" size="small" className="mt-2" onClick={startAfresh}>
          เริ่มใหม่
        </Button>
      </>
    )
  }
}
