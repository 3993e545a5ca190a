import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** One sentence in place of a page, with what to do next. */
export function MessagePage({ icon: Icon, text, children }: { icon: LucideIcon; text: string; children: ReactNode }) {
  return (
    <div className="message-page">
      <span className="empty-icon">
        <Icon size={24} aria-hidden />
      </span>
      <h1>{text}</h1>
      <div className="row">{children}</div>
    </div>
  )
}
