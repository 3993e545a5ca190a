import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

/** Stands in place of an empty list: why it is empty, and what to do about it. */
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
