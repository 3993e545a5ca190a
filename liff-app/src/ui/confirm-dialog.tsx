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
  /** The text of the button that changes nothing. */
  keepLabel?: string
  busy?: boolean
  /** Why the last try failed. The dialog tells the server's reason, or `failure` if the server gave none. */
  error?: Error | null
  failure?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that can't be undone. */
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
