import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'
import { Sheet } from './sheet.tsx'

interface ConfirmProps {
  open: boolean
  title: string
  text: ReactNode
  confirmLabel: string
  /** On the button that leaves everything as it is. */
  keepLabel?: string
  busy?: boolean
  /** The last try failed; the dialog stays open and gives the server's reason, or `failure` where it has none. */
  error?: Error | null
  failure?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks once before something that can't be taken back. */
export function ConfirmDialog(props: ConfirmProps) {
  const isExplained = props.error instanceof AppError && props.error.status < 500
  return (
    <Sheet open={props.open} onClose={props.onClose} title={props.title} busy={props.busy}>
      <div className="text-ink-2">{props.text}</div>
      <Problem className="mt-3">{props.error && (isExplained ? messageOf(props.error) : props.failure)}</Problem>
      <div className="mt-5 flex flex-wrap gap-2 [&>*]:flex-1">
        <Button kind="secondary" onClick={() => !props.busy && props.onClose()}>
          {props.keepLabel ?? 'ปิด'}
        </Button>
        <Button kind="destructive" busy={props.busy} busyLabel="กรุณารอสักครู่" onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </Sheet>
  )
}
