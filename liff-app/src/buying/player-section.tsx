import type { PlayerField } from '@shop/shared/catalogue/catalogue.ts'
import { checkPlayer, type Game } from '@shop/shared/catalogue/endpoints.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { api } from '../api.ts'
import type { Draft } from '../draft.ts'
import { Button } from '../ui/button.tsx'
import { VerifiedBox } from '../ui/verified-box.tsx'
import { PlayerHint } from './player-hint.tsx'
import { PlayerInput, type PlayerInputProps, useShownProblem } from './player-input.tsx'
import { listSavedPlayers } from './saved-players.ts'
import { fieldProblemOf, withFieldValue } from './selection.ts'

interface PlayerSectionProps {
  game: Game
  mustVerify: boolean
  draft: Draft
  /** The buyer has tried to go on, so every input shows what is missing. */
  hasTried: boolean
  onChange: (draft: Draft) => void
}

/** Asks for whom to buy, with the inputs of the game and with players for whom this browser bought before. */
export function PlayerSection({ game, mustVerify, ...selection }: PlayerSectionProps) {
  const [id, ...others] = game.fields
  if (!id) return null
  return (
    <div className="grid gap-2">
      <div>
        {mustVerify ? <VerifiedField field={id} {...selection} /> : <PlainField field={id} {...selection} />}
        <PlayerHint label={id.label} text={game.playerHint} picture={game.playerHintPicture} />
        <SavedPlayers field={id} {...selection} />
      </div>
      {others.map(field => (
        <PlainField key={field.name} field={field} {...selection} />
      ))}
    </div>
  )
}

type OneField = Pick<PlayerInputProps, 'field' | 'draft' | 'onChange'> & { hasTried: boolean }

function PlainField({ hasTried, ...one }: OneField) {
  return <PlayerInput {...one} shown={useShownProblem(one.draft, one.field, hasTried)} />
}

/** A player id that its game must confirm before the purchase goes on. */
function VerifiedField({ field, draft, hasTried, onChange }: OneField) {
  const shown = useShownProblem(draft, field, hasTried)
  const problem = fieldProblemOf(draft, field)
  const { gameCode } = draft
  const check = useMutation({
    mutationFn: (playerId: string) => api.call(checkPlayer, { params: { gameCode, playerId } }),
    onSuccess: player => onChange({ ...draft, playerId: player.uid, playerName: player.name }),
  })
  if (draft.playerName && !problem) {
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
  const start = () => {
    if (problem) shown.show()
    else if (!check.isPending) check.mutate(draft.playerId.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') start()
  }
  return (
    <PlayerInput
      field={field}
      draft={draft}
      shown={shown}
      placeholder="เช่น 5123456789"
      refusal={check.isError ? messageOf(check.error) : undefined}
      onChange={next => {
        check.reset()
        onChange(next)
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

function SavedPlayers({
  field,
  draft,
  onChange,
}: { field: PlayerField } & Pick<PlayerSectionProps, 'draft' | 'onChange'>) {
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
          {playerFormatProblem(field.format, playerId) && <span className="text-bad"> · รูปแบบไม่ถูกต้อง</span>}
        </button>
      ))}
    </fieldset>
  )
}
