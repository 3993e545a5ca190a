import { errorMessage } from '@shop/shared/errors.ts'
import { Button } from 'antd'
import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { MessagePage } from '../ui/message-page.tsx'

/** A screen that crashed, or whose code was replaced by a newer release: loading anew helps both. */
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
