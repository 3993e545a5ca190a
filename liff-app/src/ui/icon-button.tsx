import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

interface IconButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon
  /** What it does, for screen readers. */
  label: string
  size?: number
}

/** A round button of 44 px that shows nothing but an icon. */
export const IconButton = ({ icon: Icon, label, size = 20, className, ...button }: IconButtonProps) => (
  <button
    type="button"
    {...button}
    aria-label={label}
    className={classes(
      'inline-flex size-11 flex-none items-center justify-center rounded-full text-ink-2 transition-colors hover:bg-canvas',
      className,
    )}
  >
    <Icon size={size} />
  </button>
)
