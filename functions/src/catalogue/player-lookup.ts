import { AppError } from '@shop/shared/errors.ts'
import * as z from 'zod'

interface Player {
  uid: string
  name: string
}

/** A game provider, which knows the player behind an id. */
export interface PlayerProvider {
  /** @throws PLAYER_NOT_FOUND for an unknown id, PLAYER_LOOKUP_TIMED_OUT when no answer came in time. */
  findPlayer(gameCode: string, playerId: string): Promise<Player>
}

/** The provider, together with its recent answers. */
export interface PlayerLookup extends PlayerProvider {
  /** Returns the player if a lookup found it in the last minutes, else null. Never asks the provider. */
  recall(gameCode: string, playerId: string): Player | null
}

const RECALL_MS = 10 * 60_000
const RECALLED_PLAYERS = 10_000

/** Remembers found players for ten minutes, so that the order after a check does not ask the provider again. */
export function rememberPlayers(provider: PlayerProvider, now: () => Date): PlayerLookup {
  const found = new Map<string, { player: Player; until: number }>()
  const keyOf = (gameCode: string, playerId: string) => JSON.stringify([gameCode, playerId])

  const recall: PlayerLookup['recall'] = (gameCode, playerId) => {
    const kept = found.get(keyOf(gameCode, playerId))
    return kept && kept.until > now().getTime() ? kept.player : null
  }
  return {
    recall,
    async findPlayer(gameCode, playerId) {
      const known = recall(gameCode, playerId)
      if (known) return known
      const player = await provider.findPlayer(gameCode, playerId)
      if (found.size >= RECALLED_PLAYERS) found.clear()
      found.set(keyOf(gameCode, playerId), { player, until: now().getTime() + RECALL_MS })
      return player
    },
  }
}

const answer = z.object({ uid: z.string().min(1), name: z.string().min(1) })

/** The provider over HTTP: `GET {baseUrl}/players/{game}/{id}` answers `{ uid, name }` or 404. */
export function createHttpPlayerLookup(options: { baseUrl: string; timeoutMs: number }): PlayerProvider {
  return {
    async findPlayer(gameCode, playerId) {
      const url = `${options.baseUrl}/players/${encodeURIComponent(gameCode)}/${encodeURIComponent(playerId)}`
      const response = await fetch(url, { signal: AbortSignal.timeout(options.timeoutMs) }).catch((cause: Error) => {
        const code = cause.name === 'TimeoutError' ? 'PLAYER_LOOKUP_TIMED_OUT' : 'UNAVAILABLE'
        throw Object.assign(new AppError(code), { cause })
      })
      if (response.status === 404) throw new AppError('PLAYER_NOT_FOUND')
      if (!response.ok) throw new AppError('UNAVAILABLE')
      const parsed = answer.safeParse(await response.json().catch(() => null))
      if (!parsed.success) throw new AppError('UNAVAILABLE')
      return parsed.data
    },
  }
}
