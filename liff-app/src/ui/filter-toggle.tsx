import { SlidersHorizontal } from 'lucide-react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

interface Props {
  open: boolean
  onToggle: (open: boolean) => void
  className?: string
}

/** Unfolds the filters of a list and folds them again, at the right end of its heading. */
export function FilterToggle({ open, onToggle, className }: Props) {
  return (
    <Button
      kind="quiet"
      size="small"
      className={classes('-mr-3', className)}
      icon={<SlidersHorizontal size={18} />}
      aria-expanded={open}
      onClick={() => onToggle(!open)}
    >
      ตัวกรอง
    </Button>
  )
}
