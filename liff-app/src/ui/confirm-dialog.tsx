import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Note } from './note.tsx'
import { Sheet } from './sheet.tsx'

interface ConfirmProps {
  open: boolean
  title: string
  text: ReactNode
  confirmLabel: string
  closeLabel?: string
  /** Red text for what can't be taken back. */
  destructive?: boolean
  busy?: boolean
  /** Why the last try failed; the dialog stays open. */
  error?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks once before something that matters. */
export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Sheet open={props.open} onClose={props.onClose} title={props.title} busy={props.busy}>
      <div className="text-ink-2">{props.text}</div>
      {props.error && (
        <div className="mt-3">
          <Note kind="bad" role="alert">
            {props.error}
          </Note>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2 [&>*]:flex-1">
        <Button kind="secondary" onClick={() => !props.busy && props.onClose()}>
          {props.closeLabel ?? 'ปิด'}
        </Button>
        <Button
          kind={props.destructive ? 'destructive' : 'primary'}
          busy={props.busy}
          busyLabel="กรุณารอสักครู่"
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </Sheet>
  )
}
