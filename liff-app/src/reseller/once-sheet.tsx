import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { bringIntoView } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** A secret that the server tells once. */
export interface Secret {
  /** What it is: "คีย์". */
  name: string
  text: string
  /** What to do with it. */
  use: ReactNode
}

interface OnceSheetProps {
  open: boolean
  title: string
  busy: boolean
  /** The steps have fields side by side where there is room. */
  isWide?: boolean
  /** null until it is made. */
  secret: Secret | null
  onClose: () => void
  /** Its owner has kept the secret, so the sheet is to go away with it. */
  onKept: () => void
  /** The steps to the secret. */
  children: ReactNode
}

/**
 * A sheet that makes something with a secret and shows that as its last step. The secret is in the memory of the sheet
 * alone; from then on closing it asks first.
 */
export function OnceSheet({ open, title, busy, isWide, secret, onClose, onKept, children }: OnceSheetProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Sheet
      open={open}
      onClose={secret ? () => setAsking(true) : onClose}
      title={secret ? `เก็บ${secret.name}ของคุณ` : title}
      busy={busy}
      isWide={isWide && !secret}
      asksFirst={secret !== null}
    >
      {secret ? (
        <>
          <SecretText secret={secret} />
          {isAsking ? (
            <Question name={secret.name} onKept={onKept} onStay={() => setAsking(false)} />
          ) : (
            <Button block className="mt-4" onClick={onKept}>
              ฉันเก็บ{secret.name}แล้ว
            </Button>
          )}
        </>
      ) : (
        children
      )}
    </Sheet>
  )
}

const focusHere = (element: HTMLElement | null) => element?.focus()

function SecretText({ secret: { name, text, use } }: { secret: Secret }) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
  return (
    <>
      <p ref={focusHere} tabIndex={-1} className="scroll-mt-16 text-ink-2 outline-none">
        {name}นี้แสดงครั้งเดียว คัดลอกไปเก็บในที่ปลอดภัยก่อนปิด
      </p>
      <OneText text={text} label={`คัดลอก ${name}`} />
      {use}
    </>
  )
}

/** A text to be copied, such as a secret or a command. */
export const OneText = ({ text, label }: { text: string; label: string }) => (
  <div className="mt-2 grid gap-2 rounded-control bg-canvas px-3.5 py-3">
    <p translate="no" className="wrap-anywhere select-all font-mono text-small">
      {text}
    </p>
    <div>
      <CopyButton text={text} label={label} isSecret />
    </div>
  </div>
)

/** Asks before the secret is gone. It takes the place of the button that closes. */
const Question = ({ name, onKept, onStay }: { name: string; onKept: () => void; onStay: () => void }) => (
  <div ref={bringIntoView} className="mt-4 grid scroll-mb-4 gap-3">
    <Note kind="warn" role="alert">
      ปิดแล้วดู{name}นี้อีกไม่ได้ เก็บไว้แล้วหรือยัง?
    </Note>
    <div className="flex flex-wrap gap-2 [&>*]:flex-1">
      <Button kind="secondary" onClick={onStay}>
        ยังไม่ได้เก็บ
      </Button>
      <Button onClick={onKept}>เก็บแล้ว ปิด</Button>
    </div>
  </div>
)
