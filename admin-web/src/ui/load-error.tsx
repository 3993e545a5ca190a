import { messageOf } from '@shop/shared/errors.ts'
import { Button } from 'antd'
import { TriangleAlert } from 'lucide-react'

/** Stands in place of content that could not be loaded; `text` replaces the error's own words. */
export function LoadError({ error, text, onRetry }: { error: unknown; text?: string; onRetry: () => void }) {
  return (
    <div className="empty" role="alert">
      <span className="empty-icon">
        <TriangleAlert size={24} aria-hidden />
      </span>
      {text ?? messageOf(error)}
      <Button onClick={onRetry}>ลองอีกครั้ง</Button>
    </div>
  )
}
