import { CircleCheck } from 'lucide-react'
import { Button } from './button.tsx'

/** Stands in place of a field once its value is confirmed, with a button to change it. */
export function VerifiedBox(props: { label: string; name: string; detail: string; onEdit: () => void }) {
  return (
    <div>
      <p className="mb-1 text-label">{props.label}</p>
      <div className="flex min-h-13 flex-wrap items-center gap-2 rounded-control border border-transparent bg-ok-tint py-2 pr-2 pl-3.5">
        <CircleCheck size={20} className="flex-none text-ok" />
        <p className="min-w-0 flex-1">
          <span className="block font-semibold leading-normal">{props.name}</span>
          <span className="block text-ink-2 text-note">{props.detail}</span>
        </p>
        <Button kind="quiet" size="inline" onClick={props.onEdit} aria-label={`แก้ไข ${props.label}`}>
          แก้ไข
        </Button>
      </div>
    </div>
  )
}
