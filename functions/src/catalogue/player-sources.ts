import type { PlayerWord } from '@shop/shared/catalogue/player-check.ts'
import * as z from 'zod'
import { askJson } from '../http/ask-json.ts'
import type { PlayerSource } from './player-lookup.ts'

interface Options {
  baseUrl: string
  timeoutMs: number
}

const UNAVAILABLE: PlayerWord = { kind: 'unavailable' }

const player = z.object({ uid: z.string().min(1), name: z.string().min(1) })

/** Midasbuy: `GET {baseUrl}/players/{game}/{id}` answers `{ uid, name }` or 404. */
export const createMidasbuyPlayers =
  ({ baseUrl, timeoutMs }: Options): PlayerSource =>
  async ({ gameCode, fields: [playerId = ''] }) => {
    const url = `${baseUrl}/players/${encodeURIComponent(gameCode)}/${encodeURIComponent(playerId)}`
    const reply = await askJson(url, { timeoutMs })
    if (reply?.status === 404) return { kind: 'wrong' }
    const parsed = player.safeParse(reply?.status === 200 ? reply.body : null)
    return parsed.success ? { kind: 'found', ...parsed.data } : UNAVAILABLE
  }

/** Its page shows the word "valid"; a reply that denies it in another spelling says nothing for certain. */
const validity = z.object({
  valid: z.union([z.boolean(), z.string()]),
  name: z.string().trim().nullish(),
})
/** Statuses with which it refuses a game or a form that it does not know. */
const NOT_FOR_THEM = [400, 404, 422]

/**
 * G2Bulk's free check: `POST {baseUrl}/games/checkPlayerId` with `game`, `user_id` and `server_id` answers `valid` and
 * the name. No key is sent: it bans addresses that send wrong ones.
 */
export const createG2BulkPlayers =
  ({ baseUrl, timeoutMs }: Options): PlayerSource =>
  async ({ gameCode, fields: [playerId = '', server] }) => {
    const json = { game: gameCode, user_id: playerId, ...(server && { server_id: server }) }
    const reply = await askJson(`${baseUrl}/games/checkPlayerId`, { timeoutMs, json })
    if (reply && NOT_FOR_THEM.includes(reply.status)) return { kind: 'unknown' }
    const parsed = validity.safeParse(reply?.status === 200 ? reply.body : null)
    if (!parsed.success) return UNAVAILABLE
    const { valid, name } = parsed.data
    if (valid === true || valid === 'valid') return { kind: 'found', uid: playerId, name: name || null }
    return valid === false || valid === 'invalid' ? { kind: 'wrong' } : { kind: 'unknown' }
  }
