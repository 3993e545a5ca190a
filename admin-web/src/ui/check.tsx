import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** One line of a list of checks ("checks"): an icon in the colour of the outcome, beside what was found. */
export function Check(props: { tone: 'ok' | 'warn' | 'bad' | 'open'; icon: LucideIcon; children: ReactNode }) {
  const { tone, icon: Icon, children } = props
  return (
    <li className={`is-${tone}`}>
      <Icon size={16} aria-hidden style={{ marginTop: 3 }} />
      <div className="grow breakable">{children}</div>
    </li>
  )
}
