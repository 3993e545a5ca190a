import { PLAYER_FIELD, type PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import { checkPlayer, type Game } from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import type { ChangeDraft, Draft } from '../draft.ts'
import { isSamePlayer } from './saved-players.ts'
import { fieldProblemOf, isConfirmed } from './selection.ts'

/** Nobody is asked while the buyer may still be typing. */
const PAUSE_MS = 700

/** What was typed, as the shop is asked about it. */
const typedPlayerOf = (draft: Draft): PlayerValues => ({
  playerId: draft.playerId.trim(),
  ...Object.fromEntries(
    Object.values(PLAYER_FIELD).flatMap(input => {
      const value = draft[input]?.trim()
      return value && input !== 'playerId' ? [[input, value]] : []
    }),
  ),
})

type Checking = 'asking' | 'wrong' | null

interface PlayerCheckProps {
  game: Game
  mustVerify: boolean
  draft: Draft
  onChange: ChangeDraft
}

/**
 * Asks the game for the player once every input is complete. The answer is in the draft: a name, that the player exists,
 * or that nobody could say, which keeps nobody from buying.
 */
export function usePlayerCheck({ game, mustVerify, draft, onChange }: PlayerCheckProps) {
  // An answer about a player who is no longer the typed one changes nothing.
  const settle = (asked: PlayerValues, change: Pick<Draft, 'playerName' | 'playerCheck'>, uid = asked.playerId) =>
    onChange(now => (isSamePlayer(asked, typedPlayerOf(now)) ? { ...change, playerId: uid } : {}))
  // A press on the button also leaves the input, so that both would ask before the page shows that somebody is asked.
  const asking = useRef<PlayerValues | null>(null)
  const { mutate, ...check } = useMutation({
    onMutate: asked => {
      asking.current = asked
    },
    onSettled: () => {
      asking.current = null
    },
    mutationFn: ({ playerId, ...query }: PlayerValues) =>
      api.call(checkPlayer, { params: { gameCode: game.code, playerId }, query }),
    onSuccess: ({ uid, name }, asked) =>
      settle(asked, { playerName: name, playerCheck: name === null ? 'nameless' : undefined }, uid),
    onError: (error, asked) => {
      const isWrong = error instanceof AppError && error.code === 'PLAYER_NOT_FOUND'
      settle(asked, { playerName: null, playerCheck: isWrong ? undefined : 'away' })
    },
  })
  const typed = typedPlayerOf(draft)
  const key = JSON.stringify(typed)
  const isComplete = game.fields.every(field => !fieldProblemOf(draft, field))
  const isAsked = check.variables !== undefined && isSamePlayer(check.variables, typed)
  const isDue = mustVerify && isComplete && !isAsked && !isConfirmed(draft)
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => mutate(JSON.parse(key) as PlayerValues), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDue, key, mutate])
  const checking: Checking = !isAsked
    ? null
    : check.isPending
      ? 'asking'
      : check.isError && !draft.playerCheck
        ? 'wrong'
        : null
  const ask = () => {
    if (!asking.current || !isSamePlayer(asking.current, typed)) mutate(typed)
  }
  return {
    checking,
    isComplete,
    /** Asks at once, unless the same player was asked for already. */
    askOnce: () => isDue && ask(),
    ask,
  }
}
export type PlayerChecking = ReturnType<typeof usePlayerCheck>
