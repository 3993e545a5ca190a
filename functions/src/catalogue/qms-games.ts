import { AppError } from '@shop/shared/errors.ts'
import * as z from 'zod'
import { askJson } from '../http/ask-json.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    qmsGames: QmsGames
  }
}

/** The queue system with its list of games, under its own names. */
export interface QmsGames {
  /** @throws UNAVAILABLE when the queue system does not answer */
  list(): Promise<{ game_id: string; game_sdesc: string }[]>
}

/** Stands in for the queue system in a shop without one. */
export const noQmsGames: QmsGames = { list: async () => [] }

const TIMEOUT_MS = 5000
const answer = z.array(z.object({ game_id: z.coerce.string(), game_sdesc: z.string() }))

/** The queue system over HTTP: `GET {baseUrl}/games` answers `[{ game_id, game_sdesc }]`. */
export function createHttpQmsGames({ baseUrl }: { baseUrl: string }): QmsGames {
  return {
    async list() {
      const reply = await askJson(`${baseUrl}/games`, { timeoutMs: TIMEOUT_MS })
      const parsed = answer.safeParse(reply?.status === 200 ? reply.body : null)
      if (!parsed.success) throw new AppError('UNAVAILABLE')
      return parsed.data
    },
  }
}
