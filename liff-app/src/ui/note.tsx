import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const looks = {
  info: { box: 'bg-accent-tint', ink: 'text-accent', icon: Info },
  warn: { box: 'bg-warn-tint', ink: 'text-warn', icon: TriangleAlert },
  bad: { box: 'bg-bad-tint', ink: 'text-bad', icon: CircleAlert },
} satisfies Record<string, { box: string; ink: string; icon: LucideIcon }>

export interface NoteProps {
  kind?: keyof typeof looks
  icon?: LucideIcon
  children: ReactNode
  /** A link or small button at the end. */
  action?: ReactNode
  role?: 'alert' | 'status'
  className?: string
}

/** A tinted box that says something about the page around it. */
export function Note({ kind = 'info', icon, children, action, role, className }: NoteProps) {
  const { box, ink, icon: ownIcon } = looks[kind]
  const Icon = icon ?? ownIcon
  return (
    <div
      role={role}
      className={classes(
        'flex gap-2.5 rounded-control px-3.5 py-3 text-small @max-[15rem]:flex-wrap',
        action ? 'items-center' : 'items-start',
        box,
        className,
      )}
    >
      <Icon size={20} className={classes('mt-px flex-none', ink)} />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}
