import { PLAYER_FIELD, type PlayerField, type PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import { checkPlayer, type Game } from '@shop/shared/catalogue/endpoints.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { api } from '../api.ts'
import type { Draft } from '../draft.ts'
import { Button } from '../ui/button.tsx'
import { VerifiedBox } from '../ui/verified-box.tsx'
import { PlayerHint } from './player-hint.tsx'
import { PlayerInput, type PlayerInputProps, useShownProblem, warningOf } from './player-input.tsx'
import { isSamePlayer, useSavedPlayers } from './saved-players.ts'
import { fieldProblemOf, withFieldValue } from './selection.ts'

interface PlayerSectionProps {
  game: Game
  mustVerify: boolean
  draft: Draft
  /** The buyer has tried to go on, so every input shows what is missing. */
  hasTried: boolean
  onChange: (draft: Draft) => void
}

/** Asks for whom to buy, with the inputs of the game and with players for whom the buyer bought before. */
export function PlayerSection({ game, mustVerify, ...selection }: PlayerSectionProps) {
  const [isUnknown, setUnknown] = useState(false)
  const [id, ...others] = game.fields
  if (!id) return null
  const warning = warningOf(game.fields.map(({ label }) => label))
  // Several inputs share one warning; a single one has it as its help, so that nothing moves when it is wrong.
  const first = { ...selection, field: id, help: others.length === 0 ? warning : undefined }
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-3 gap-y-1">
        {mustVerify ? (
          <div className="col-span-full">
            <VerifiedField {...first} onUnknown={setUnknown} />
          </div>
        ) : (
          <PlainField {...first} />
        )}
        {others.map(field => (
          <PlainField key={field.name} field={field} {...selection} />
        ))}
      </div>
      {others.length > 0 && <p className="mt-1 text-ink-2 text-note">{warning}</p>}
      <PlayerHint label={id.label} text={game.playerHint} picture={game.playerHintPicture} isNeeded={isUnknown} />
      <SavedPlayers game={game} field={id} {...selection} />
    </>
  )
}

type OneField = Pick<PlayerInputProps, 'field' | 'draft' | 'help' | 'onChange'> & { hasTried: boolean }

function PlainField({ hasTried, ...one }: OneField) {
  return <PlayerInput {...one} shown={useShownProblem(one.draft, one.field, hasTried)} />
}

const isCode = (error: unknown, code: ErrorCode) => error instanceof AppError && error.code === code

/** `onUnknown` hears whether the game knows the id that was asked for last. */
type CheckedField = OneField & { onUnknown: (isUnknown: boolean) => void }

/** A player id that its game must confirm before the purchase goes on. It is asked when the input is left, too. */
function VerifiedField({ field, draft, hasTried, help, onChange, onUnknown }: CheckedField) {
  const shown = useShownProblem(draft, field, hasTried)
  const problem = fieldProblemOf(draft, field)
  const { gameCode } = draft
  const check = useMutation({
    mutationFn: (playerId: string) => api.call(checkPlayer, { params: { gameCode, playerId } }),
    onSuccess: player => onChange({ ...draft, playerId: player.uid, playerName: player.name }),
    onSettled: (_, error) => onUnknown(isCode(error, 'PLAYER_NOT_FOUND')),
  })
  if (draft.playerName && !problem) {
    return (
      <VerifiedBox
        label={field.label}
        name={draft.playerName}
        detail={draft.playerId}
        onEdit={() => {
          check.reset()
          onChange(withFieldValue(draft, field.name, draft.playerId))
        }}
      />
    )
  }
  const start = () => {
    if (problem) shown.show()
    else if (!check.isPending) check.mutate(draft.playerId.trim())
  }
  const onBlur = () => {
    shown.show()
    if (!problem && check.isIdle) start()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') start()
  }
  return (
    <PlayerInput
      field={field}
      draft={draft}
      shown={shown}
      help={help}
      refusal={check.isError ? refusalOf(check.error) : undefined}
      onChange={next => {
        check.reset()
        onChange(next)
      }}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      enterKeyHint="search"
      action={
        <Button kind="tint" size="inline" busy={check.isPending} busyLabel="กำลังตรวจสอบ" onClick={start}>
          {isCode(check.error, 'PLAYER_LOOKUP_TIMED_OUT') ? 'ลองอีกครั้ง' : 'ตรวจสอบ'}
        </Button>
      }
    />
  )
}

const refusalOf = (error: Error) =>
  isCode(error, 'PLAYER_NOT_FOUND') ? `${messageOf(error)} ตรวจตัวเลขอีกครั้ง` : messageOf(error)

/** What was typed for a player, in the order of the inputs. */
const valuesOf = (player: PlayerValues) => Object.values(PLAYER_FIELD).flatMap(input => player[input] || [])

function SavedPlayers({
  game,
  field,
  draft,
  onChange,
}: { field: PlayerField } & Pick<PlayerSectionProps, 'game' | 'draft' | 'onChange'>) {
  const saved = useSavedPlayers(game).filter(player => !isSamePlayer(player, draft))
  if (saved.length === 0) return null
  return (
    <fieldset className="mt-1 flex flex-wrap gap-2">
      <legend className="sr-only">ID ที่เคยเติม</legend>
      {saved.map(player => (
        <button
          key={valuesOf(player).join()}
          type="button"
          className="min-h-11 max-w-full rounded-full border border-card px-3.5 text-left text-small hover:bg-canvas"
          onClick={() => onChange({ ...draft, ...player })}
        >
          <span className="sr-only">ใช้ ID </span>
          <span className="font-semibold">{valuesOf(player).join(' · ')}</span>
          {player.playerName && <span className="text-ink-2"> · {player.playerName}</span>}
          {playerFormatProblem(field.format, player.playerId) && <span className="text-bad"> · รูปแบบไม่ถูกต้อง</span>}
        </button>
      ))}
    </fieldset>
  )
}
