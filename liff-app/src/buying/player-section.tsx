import type { PlayerField } from '@shop/shared/catalogue/catalogue.ts'
import { findPlayer } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { api } from '../api.ts'
import type { Draft } from '../draft.ts'
import { Button } from '../ui/button.tsx'
import { Field, VerifiedBox } from '../ui/field.tsx'
import { listSavedPlayers } from './saved-players.ts'
import { fieldTargetOf, fieldValueOf, isNumericLabel, withFieldValue } from './selection.ts'

interface PlayerSectionProps {
  fields: PlayerField[]
  mustVerify: boolean
  draft: Draft
  onChange: (draft: Draft) => void
}

/** Who the goods are for: the game's own inputs, and who was bought for before. */
export function PlayerSection({ fields, mustVerify, draft, onChange }: PlayerSectionProps) {
  const [id, ...others] = fields
  if (!id) return null
  return (
    <div className="grid gap-2">
      <div>
        {mustVerify ? (
          <VerifiedField field={id} draft={draft} onChange={onChange} />
        ) : (
          <PlainField field={id} draft={draft} onChange={onChange} />
        )}
        <SavedPlayers draft={draft} onChange={onChange} />
      </div>
      {others.map(field => (
        <PlainField key={field.name} field={field} draft={draft} onChange={onChange} />
      ))}
    </div>
  )
}

type OneField = Pick<PlayerSectionProps, 'draft' | 'onChange'> & { field: PlayerField }

const MAX_LENGTH = 100
const warn = (label: string) => `กรุณากรอก ${label} ให้ถูกต้อง หากผิดจะไม่สามารถยกเลิกได้`

const inputFor = ({ name, label }: PlayerField) => ({
  id: fieldTargetOf(name),
  name,
  label,
  help: warn(label),
  maxLength: MAX_LENGTH,
  inputMode: isNumericLabel(label) ? ('numeric' as const) : ('text' as const),
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
})

function PlainField({ field, draft, onChange }: OneField) {
  return (
    <Field
      {...inputFor(field)}
      value={fieldValueOf(draft, field.name)}
      onChange={event => onChange(withFieldValue(draft, field.name, event.target.value))}
    />
  )
}

/** A player id that its game must confirm before the purchase goes on. */
function VerifiedField({ field, draft, onChange }: OneField) {
  const playerId = draft.playerId.trim()
  const check = useMutation({
    mutationFn: (id: string) => api.call(findPlayer, { params: { id } }),
    onSuccess: player => onChange({ ...draft, playerId: player.uid, playerName: player.name }),
  })
  if (draft.playerName) {
    return (
      <VerifiedBox
        label={field.label}
        name={draft.playerName}
        detail={draft.playerId}
        onEdit={() => onChange(withFieldValue(draft, field.name, draft.playerId))}
      />
    )
  }
  const timedOut = check.error instanceof AppError && check.error.code === 'PLAYER_LOOKUP_TIMED_OUT'
  const start = () => playerId && !check.isPending && check.mutate(playerId)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') start()
  }
  return (
    <Field
      {...inputFor(field)}
      placeholder="เช่น 5123456789"
      value={draft.playerId}
      error={check.isError ? messageOf(check.error) : undefined}
      onChange={event => {
        check.reset()
        onChange(withFieldValue(draft, field.name, event.target.value))
      }}
      onKeyDown={onKeyDown}
      enterKeyHint="search"
      action={
        <Button kind="tint" size="inline" busy={check.isPending} busyLabel="กำลังตรวจสอบ" onClick={start}>
          {timedOut ? 'ลองอีกครั้ง' : 'ตรวจสอบ'}
        </Button>
      }
    />
  )
}

function SavedPlayers({ draft, onChange }: Pick<PlayerSectionProps, 'draft' | 'onChange'>) {
  const saved = listSavedPlayers(draft.gameCode).filter(({ playerId }) => playerId !== draft.playerId)
  if (saved.length === 0) return null
  return (
    <fieldset className="mt-1 flex flex-wrap gap-2">
      <legend className="sr-only">ID ที่เคยเติม</legend>
      {saved.map(({ playerId, playerName }) => (
        <button
          key={playerId}
          type="button"
          className="min-h-11 max-w-full rounded-full border border-card px-3.5 text-left text-small hover:bg-canvas"
          onClick={() => onChange({ ...draft, playerId, playerName })}
        >
          <span className="sr-only">ใช้ ID </span>
          <span className="font-semibold">{playerId}</span>
          {playerName && <span className="text-ink-2"> · {playerName}</span>}
        </button>
      ))}
    </fieldset>
  )
}
