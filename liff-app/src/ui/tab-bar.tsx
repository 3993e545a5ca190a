import type { LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { classes } from './classes.ts'

export interface Tab {
  to: string
  label: string
  icon: LucideIcon
}

/** The links to the main pages at the bottom of a phone's screen. */
export function TabBar({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string }) {
  return (
    <nav
      data-bar
      aria-label={label}
      className={classes(
        'fixed inset-x-0 bottom-0 z-10 flex border-line border-t bg-white px-2 pt-1 pb-[calc(0.375rem+env(safe-area-inset-bottom))] [@media(max-height:30rem)]:static',
        className,
      )}
    >
      {tabs.map(({ to, label: name, icon: Icon }) => (
        <NavLink
          key={to}
          to={to}
          end
          className="flex min-h-13 min-w-0 flex-1 flex-col items-center justify-center gap-px rounded-control px-0.5 text-center text-ink-2 text-tab aria-[current]:font-semibold aria-[current]:text-accent"
        >
          <Icon size={24} />
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
