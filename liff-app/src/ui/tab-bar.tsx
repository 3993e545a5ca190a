import type { LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { classes } from './classes.ts'

export interface Tab {
  to: string
  label: string
  icon: LucideIcon
}

/** As many as stand side by side on a narrow phone in large text. */
const MOST_IN_ROW = 3

/** The links to the main pages at the bottom of a phone's screen. */
export function TabBar({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string }) {
  return (
    <nav
      data-bar
      aria-label={label}
      className={classes(
        '@container fixed inset-x-0 bottom-0 z-10 border-line border-t bg-white px-2 pt-1 pb-[calc(0.375rem+env(safe-area-inset-bottom))] [@media(max-height:30rem)]:static',
        className,
      )}
    >
      <div className="flex @max-[15rem]:flex-wrap">
        {tabs.map(({ to, label: name, icon: Icon }) => (
          <NavLink
            key={to}
            to={to}
            end
            className={classes(
              'flex min-h-[52px] min-w-0 flex-1 flex-col items-center justify-center gap-px rounded-control px-0.5 text-center text-ink-2 text-tab aria-[current]:font-semibold aria-[current]:text-accent',
              tabs.length > MOST_IN_ROW && '@max-[15rem]:basis-2/5 @max-[15rem]:flex-row @max-[15rem]:gap-1.5',
            )}
          >
            <Icon size={24} />
            {name}
          </NavLink>
        ))}
      </div>
    </nav>
  )
}
