import { Component, type ReactNode } from 'react'
import { getCurrentOrder } from '../current-order.ts'
import { removeAll } from '../storage.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/state.tsx'

/** What this browser keeps of the shop is forgotten, but for the key by which a guest's orders are found. */
function startAfresh(): void {
  removeAll(['guestKey'])
  sessionStorage.clear()
  location.assign('/game')
}

/** Catches a page that can't be drawn (mostly: its code could not be loaded) and offers ways on. */
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
