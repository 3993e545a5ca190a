import { PLAYER_FIELD, type PlayerField, type PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { playerFormatProblem, playerWarning } from '@shop/shared/catalogue/player-format.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import type { OwnOrder } from '@shop/shared/order/own-endpoints.ts'
import type { KeyboardEvent } from 'react'
import type { ChangeDraft, Draft } from '../draft.ts'
import { Button } from '../ui/button.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { PlayerHint } from './player-hint.tsx'
import { PlayerInput, type PlayerInputProps, useShownProblem } from './player-input.tsx'
import { PlayerName } from './player-name.tsx'
import { isSamePlayer, savedPlayersOf } from './saved-players.ts'
import { fieldProblemOf, fieldTargetOf, isConfirmed } from './selection.ts'
import { type PlayerChecking, usePlayerCheck } from './use-player-check.ts'

interface PlayerSectionProps {
  game: Game
  mustVerify: boolean
  /** The last ones of the game to the buyer's account. */
  deliveries: OwnOrder[]
  draft: Draft
  /** The buyer has tried to go on, so every input shows what is missing. */
  hasTried: boolean
  onChange: ChangeDraft
}

/** Asks for whom to buy, with the inputs of the game and with players for whom the buyer bought before. */
export function PlayerSection({ game, mustVerify, deliveries, ...selection }: PlayerSectionProps) {
  const check = usePlayerCheck({ game, mustVerify, ...selection })
  const [id, ...others] = game.fields
  if (!id) return null
  const warning = playerWarning(game.fields.map(({ label }) => label))
  // Several inputs share one warning; a single one has it as its help, so that nothing moves when it is wrong.
  const first = { ...selection, field: id, help: others.length === 0 ? warning : undefined }
  const missing = others.find(field => fieldProblemOf(selection.draft, field))
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-3 gap-y-1">
        {mustVerify ? (
          <div className="col-span-full">
            <CheckedField {...first} check={check} missing={missing} />
          </div>
        ) : (
          <PlainField {...first} />
        )}
        {others.map(field => (
          <PlainField key={field.name} field={field} {...selection} />
        ))}
      </div>
      {others.length > 0 && <p className="mt-1 text-ink-2 text-note">{warning}</p>}
      <PlayerHint
        label={id.label}
        text={game.playerHint}
        picture={game.playerHintPicture}
        isNeeded={check.checking === 'wrong'}
      />
      <SavedPlayers game={game} deliveries={deliveries} field={id} {...selection} />
    </>
  )
}

type OneField = Pick<PlayerInputProps, 'field' | 'draft' | 'help' | 'onChange'> & { hasTried: boolean }

function PlainField({ hasTried, ...one }: OneField) {
  return <PlayerInput {...one} shown={useShownProblem(one.draft, one.field, hasTried)} />
}

interface CheckedFieldProps extends OneField {
  check: PlayerChecking
  /** Another input without which nobody can be asked. */
  missing: PlayerField | undefined
}

/** A player id for which the game is asked: by itself after a pause and when the input is left, or by its button. */
function CheckedField({ field, draft, hasTried, help, check, missing, onChange }: CheckedFieldProps) {
  const shown = useShownProblem(draft, field, hasTried)
  const { checking } = check
  const isKnown = isConfirmed(draft)
  const start = () => {
    shown.show()
    if (check.isComplete) check.ask()
    else if (missing && !fieldProblemOf(draft, field)) focusOn(fieldTargetOf(missing.name))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') start()
  }
  const isTold = checking === 'asking' || isKnown || draft.playerCheck !== undefined
  return (
    <PlayerInput
      field={field}
      draft={draft}
      shown={shown}
      help={help}
      refusal={checking === 'wrong' ? `${errorMessage('PLAYER_NOT_FOUND')} ตรวจตัวเลขอีกครั้ง` : undefined}
      told={isTold && check.isComplete ? <PlayerName draft={draft} isAsking={checking === 'asking'} /> : undefined}
      onChange={onChange}
      onBlur={() => {
        shown.show()
        check.askOnce()
      }}
      onKeyDown={onKeyDown}
      enterKeyHint="search"
      action={
        isKnown ? undefined : (
          <Button kind="tint" size="inline" busy={checking === 'asking'} busyLabel="กำลังตรวจสอบ" onClick={start}>
            {draft.playerCheck === 'away' ? 'ลองอีกครั้ง' : 'ตรวจสอบ'}
          </Button>
        )
      }
    />
  )
}

/** What was typed for a player, in the order of the inputs. */
const valuesOf = (player: PlayerValues) => Object.values(PLAYER_FIELD).flatMap(input => player[input] || [])

function SavedPlayers({
  game,
  deliveries,
  field,
  draft,
  onChange,
}: { field: PlayerField } & Pick<PlayerSectionProps, 'game' | 'deliveries' | 'draft' | 'onChange'>) {
  const saved = savedPlayersOf(game.code, deliveries).filter(player => !isSamePlayer(player, draft))
  if (saved.length === 0) return null
  return (
    <fieldset className="mt-1 flex flex-wrap gap-2">
      <legend className="sr-only">ID ที่เคยเติม</legend>
      {saved.map(player => (
        <button
          key={valuesOf(player).join()}
          type="button"
          className="min-h-11 max-w-full rounded-full border border-card px-3.5 text-left text-small hover:bg-canvas"
          onClick={() => onChange({ playerCheck: undefined, ...player })}
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
