import { errorMessage } from '@shop/shared/errors.ts'
import { Button } from 'antd'
import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { MessagePage } from '../ui/message-page.tsx'

/** Replaces a page that crashed, or whose code a newer release has replaced; loading it again helps in both cases. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <MessagePage icon={TriangleAlert} text={errorMessage('INTERNAL')}>
        <Button type="primary" onClick={() => location.reload()}>
          โหลดหน้านี้ใหม่
        </Button>
      </MessagePage>
    )
  }
}
