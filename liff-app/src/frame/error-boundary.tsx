import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/state.tsx'

/** Catches a page that can't be drawn (mostly: its code could not be loaded) and offers to load it again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <Failure text="เปิดหน้านี้ไม่สำเร็จ กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ" onRetry={() => location.reload()} />
  }
}
