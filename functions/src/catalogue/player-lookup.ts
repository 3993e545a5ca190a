import { AppError } from '@shop/shared/errors.ts'
import * as z from 'zod'

export interface Player {
  uid: string
  name: string
}

/** Asks a game's publisher who a player id belongs to. */
export interface PlayerLookup {
  /** @throws PLAYER_NOT_FOUND for an unknown id, PLAYER_LOOKUP_TIMED_OUT when no answer came in time. */
  findPlayer(gameCode: string, playerId: string): Promise<Player>
}

const answer = z.object({ uid: z.string().min(1), name: z.string().min(1) })

/** The provider over HTTP: `GET {baseUrl}/players/{game}/{id}` answers `{ uid, name }` or 404. */
export function createHttpPlayerLookup(options: { baseUrl: string; timeoutMs: number }): PlayerLookup {
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
