import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

/** A checkbox that can be tapped anywhere in its row, which is at least 48 px high. */
export function CheckboxRow({ children, ...input }: Omit<ComponentProps<'input'>, 'type'> & { children: ReactNode }) {
  return (
    <label className="flex min-h-12 items-start gap-3 py-3">
      <span className="relative mt-px inline-flex size-6 flex-none">
        <input
          {...input}
          type="checkbox"
          className="peer size-6 appearance-none rounded-tag border-[1.5px] border-control bg-white checked:border-accent checked:bg-accent forced-colors:appearance-auto"
        />
        <Check
          size={18}
          className="pointer-events-none invisible stroke-[2.25] absolute inset-0 m-auto text-white peer-checked:visible forced-colors:hidden"
        />
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  )
}
