import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from './button.tsx'

/** A page that shows one message and a link back to the shop. */
export function MessagePage({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <div className="py-10 text-center">
      <span className="inline-flex size-16 items-center justify-center rounded-full bg-canvas text-ink-2">
        <Icon size={28} />
      </span>
      <h1 className="page-title mt-4">{title}</h1>
      <div className="mt-1 text-ink-2">{children}</div>
      <ButtonLink to="/game" className="mt-6">
        กลับหน้าแรก
      </ButtonLink>
    </div>
  )
}
