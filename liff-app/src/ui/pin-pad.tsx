import { digitsIn } from '@shop/shared/typed-text.ts'
import { Delete } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { classes } from './classes.ts'

const LENGTH = 4
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
const key =
  'flex min-h-13 items-center justify-center rounded-control font-medium text-[1.5rem] leading-[1.3] active:bg-accent-tint @max-[15rem]:min-h-10'

interface PinPadProps {
  label: string
  /** Called once with the four digits. The digits are removed when `busy` ends. */
  onComplete: (pin: string) => void
  busy?: boolean
  error?: string
  /** Stands below the dots, after an error too: a "forgot PIN" link is wanted most when the PIN was wrong. */
  help?: ReactNode
  /** Receives the input, so that a sheet can focus it when it opens. */
  inputRef?: RefObject<HTMLInputElement | null>
}

/** The digit of a key, even on a Thai keyboard, whose digit keys write letters. */
const digitOn = ({ code, key }: KeyboardEvent): string =>
  /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? (key.length === 1 ? digitsIn(key) : '')

/** Takes digits from the keyboard wherever the focus is, except in another input. */
function useKeys(input: RefObject<HTMLInputElement | null>, digits: string, enter: (text: string) => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isOwn = event.target === input.current
    const isOthers = !isOwn && event.target instanceof Element && event.target.matches('input, textarea, select')
    if (isOthers || event.ctrlKey || event.metaKey || event.altKey) return
    const digit = digitOn(event)
    if (digit) {
      event.preventDefault()
      enter(digits + digit)
    } else if (event.key === 'Backspace' && !isOwn) enter(digits.slice(0, -1))
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function useDigits(busy: boolean, onComplete: (pin: string) => void) {
  const [digits, setDigits] = useState('')
  const wasBusy = useRef(busy)
  useEffect(() => {
    if (wasBusy.current && !busy) setDigits('')
    wasBusy.current = busy
  }, [busy])
  const enter = (text: string) => {
    if (busy) return
    const typed = digitsIn(text)
    // Four digits were tried already: an answer may come before anybody saw `busy`. The next digit begins anew.
    const isTried = digits.length === LENGTH && typed.startsWith(digits)
    const next = (isTried ? typed.slice(LENGTH) : typed).slice(0, LENGTH)
    setDigits(next)
    if (next.length === LENGTH) onComplete(next)
  }
  return [digits, enter] as const
}

function Dots({ filled, status }: { filled: number; status: string }) {
  return (
    <>
      <div aria-hidden="true" className="pointer-events-none flex justify-center gap-4.5">
        {KEYS.slice(0, LENGTH).map((name, index) => (
          <span
            key={name}
            className={classes(
              'size-4 rounded-full border-2',
              index < filled ? 'border-accent bg-accent' : 'border-control',
            )}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {status}
      </p>
    </>
  )
}

/** Four dots over a real password field, and a pad of keys. Keyboards, pasting and password managers work as well. */
export function PinPad({ label, onComplete, busy = false, error, help, inputRef }: PinPadProps) {
  const id = useId()
  const [digits, enter] = useDigits(busy, onComplete)
  const own = useRef<HTMLInputElement>(null)
  const input = inputRef ?? own
  useKeys(input, digits, enter)
  return (
    <fieldset aria-labelledby={`${id}-label`}>
      <label id={`${id}-label`} htmlFor={id} className="mt-3.5 block text-center font-medium">
        {label}
      </label>
      <div className="relative mx-auto mt-2 mb-1 w-36 rounded-small py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <Dots filled={digits.length} status={digits && `กรอกแล้ว ${digits.length} จาก ${LENGTH} หลัก`} />
        <input
          ref={input}
          id={id}
          type="password"
          inputMode="none"
          autoComplete="current-password"
          value={digits}
          onChange={event => enter(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-help`}
          aria-busy={busy || undefined}
          className="absolute inset-0 w-full opacity-0"
        />
      </div>
      <div id={`${id}-help`} aria-live="assertive" className="mb-1.5 min-h-[1.6em] text-center text-ink-2 text-small">
        {error && <span className="text-bad">{error}</span>}
        {error && help && ' · '}
        {help}
      </div>
      <div className="grid grid-cols-3 gap-2" onPointerDown={event => event.preventDefault()}>
        {[...KEYS, '', '0'].map(digit =>
          digit ? (
            <button
              key={digit}
              type="button"
              aria-disabled={busy || undefined}
              onClick={() => enter(digits + digit)}
              className={`${key} bg-canvas hover:bg-fill`}
            >
              <span className="trim-label">{digit}</span>
            </button>
          ) : (
            <span key="gap" />
          ),
        )}
        <button
          type="button"
          aria-label="ลบ"
          aria-disabled={busy || undefined}
          onClick={() => enter(digits.slice(0, -1))}
          className={key}
        >
          <Delete size={26} />
        </button>
      </div>
    </fieldset>
  )
}
