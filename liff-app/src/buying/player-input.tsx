import type { PlayerField } from '@shop/shared/catalogue/catalogue.ts'
import { type PlayerFormat, readPlayerValue } from '@shop/shared/catalogue/player-format.ts'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { ChangeDraft, Draft } from '../draft.ts'
import { Field } from '../ui/field.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { fieldChangeOf, fieldProblemOf, fieldTargetOf, fieldValueOf } from './selection.ts'

/** Longer than every format, so that a pasted id is shown as too long instead of being cut to somebody else's. */
const MAX_LENGTH = 300

const lengthOf = ({ min, max }: { min: number; max: number }) => (min === max ? String(min) : `${min}–${max}`)

/** The length to type, which stands beside the label. */
function typingHintOf(format: PlayerFormat | null): string | null {
  if (format?.kind === 'digits') return `ตัวเลข ${lengthOf(format)} หลัก`
  return format?.kind === 'text' ? `${lengthOf(format)} ตัวอักษร` : null
}

/** Ids of most games have so many digits. */
const USUAL_DIGITS = 10

/** Digits as many as an id usually has, so that an empty input shows what is asked for. */
const exampleOf = (format: PlayerFormat | null) =>
  format?.kind === 'digits'
    ? `เช่น ${'512345678901234567'.slice(0, Math.min(format.max, Math.max(format.min, USUAL_DIGITS)))}`
    : undefined

/** Shows the problem of an input once it was left or the buyer has tried to go on, but not while it is being typed. */
export function useShownProblem(draft: Draft, field: PlayerField, hasTried: boolean) {
  const [isTyping, setTyping] = useState(false)
  const isBegun = fieldValueOf(draft, field.name).trim() !== ''
  const isShown = hasTried || (isBegun && !isTyping)
  return {
    problem: (isShown && fieldProblemOf(draft, field)) || undefined,
    hide: () => setTyping(true),
    show: () => setTyping(false),
  }
}

export interface PlayerInputProps
  extends Pick<ComponentProps<typeof Field>, 'help' | 'onBlur' | 'onKeyDown' | 'enterKeyHint' | 'action'> {
  field: PlayerField
  draft: Draft
  shown: ReturnType<typeof useShownProblem>
  /** Why the game has refused what was typed. */
  refusal?: string | undefined
  /** What the game says about it, in place of the line below. */
  told?: ReactNode
  onChange: ChangeDraft
}

/**
 * One input of a game: a text field or a list of choices, depending on its format. The line below it says how long an
 * answer is, unless `help` says something else there; then the length stands beside the label.
 */
export function PlayerInput({ field, draft, shown, refusal, told, help, onChange, ...typing }: PlayerInputProps) {
  const { name, label, format } = field
  const hint = typingHintOf(format)
  const input = {
    id: fieldTargetOf(name),
    name,
    label: (
      <>
        {label} {help && hint && <span className="font-normal text-ink-2 text-note">{hint}</span>}
      </>
    ),
    help: told ?? help ?? hint,
    error: shown.problem ?? refusal,
    value: fieldValueOf(draft, name),
    onBlur: shown.show,
  }
  const change = (value: string) => onChange(fieldChangeOf(name, readPlayerValue(format, value)))
  if (format?.kind === 'choices') {
    return (
      <SelectField
        {...input}
        choices={format.choices}
        placeholder={`เลือก ${label}`}
        onChange={event => change(event.target.value)}
      />
    )
  }
  return (
    <Field
      {...input}
      {...typing}
      placeholder={exampleOf(format)}
      maxLength={MAX_LENGTH}
      inputMode={format?.kind === 'digits' ? 'numeric' : 'text'}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={event => {
        shown.hide()
        change(event.target.value)
      }}
    />
  )
}
