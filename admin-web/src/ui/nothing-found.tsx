import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

/** In place of a list without rows: why, and what to do about it. */
export function NothingFound({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Inbox size={24} aria-hidden />
      </span>
      {text}
      {children}
    </div>
  )
}
