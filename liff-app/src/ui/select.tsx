import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** A compact native choice (filters); its name is read out, its value is what is seen. */
export function Select({ label, children, ...select }: ComponentProps<'select'> & { label: string }) {
  return (
    <span className="relative inline-flex max-w-full">
      <select
        {...select}
        aria-label={label}
        className="min-h-11 max-w-full appearance-none text-ellipsis rounded-control border border-control bg-white py-1 pr-9 pl-3.5 text-body font-semibold hover:bg-canvas"
      >
        {children}
      </select>
      <ChevronDown size={16} className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3" />
    </span>
  )
}
