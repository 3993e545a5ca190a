import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useEffect, useRef } from 'react'
import { isPinClosed, PinClosedNote } from '../account/pin-closed.tsx'
import { ContactLink } from '../settings/contact-link.tsx'
import { Button } from '../ui/button.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { bringIntoView } from '../ui/focus-on.ts'
import { PinPad } from '../ui/pin-pad.tsx'
import { Problem } from '../ui/problem.tsx'
import { isUnanswered } from '../unanswered.ts'

interface PinStepProps {
  /** What the PIN is asked for. */
  facts: Fact[]
  label: string
  isBusy: boolean
  busyLabel: string
  error: Error | null
  /** What to do when no answer came. */
  lost: string
  backLabel: string
  onComplete: (pin: string) => void
  onBack: () => void
}

/** Asks for the PIN of the wallet before something is made that works without it. */
export function PinStep({ facts, label, isBusy, busyLabel, error, lost, backLabel, onComplete, onBack }: PinStepProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const isWrong = error instanceof AppError && error.code === 'PIN_WRONG'
  const problem = error && !isWrong && !isBusy && (isUnanswered(error) ? lost : messageOf(error))
  return (
    <>
      <div ref={bringIntoView} className="scroll-mt-16 rounded-control bg-canvas px-3.5 py-2.5">
        <Facts facts={facts} />
      </div>
      {isPinClosed(error) ? (
        <PinClosedNote className="mt-3" error={error} />
      ) : (
        <>
          <Problem className="mt-3">{problem}</Problem>
          <PinPad
            label={label}
            inputRef={input}
            busy={isBusy}
            error={isWrong && !isBusy ? messageOf(error) : undefined}
            help={isBusy ? busyLabel : <ContactLink>ลืม PIN</ContactLink>}
            onComplete={onComplete}
          />
        </>
      )}
      <Button kind="quiet" block className="mt-2" onClick={() => !isBusy && onBack()}>
        {backLabel}
      </Button>
    </>
  )
}
