import { NO_PLAYER, PLAYER_FIELD, type PlayerValues, playerValuesOf } from '@shop/shared/catalogue/catalogue.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { isText, listOf, orNone, orNull, read, recordOf, shapeOf, write } from '../storage.ts'

/** A player with all inputs of the game: in some games the same number is somebody else on another server. */
export interface SavedPlayer extends PlayerValues {
  playerName: string | null
}
const KEPT_PER_GAME = 5

const isByGame = recordOf(
  listOf(
    shapeOf<SavedPlayer>({
      playerId: isText,
      playerName: orNull(isText),
      field2: orNone(isText),
      field3: orNone(isText),
      field4: orNone(isText),
      field5: orNone(isText),
    }),
  ),
)

export function listSavedPlayers(gameCode: string): SavedPlayer[] {
  return read('players', isByGame)?.[gameCode] ?? []
}

export const isSamePlayer = (one: PlayerValues, other: PlayerValues): boolean =>
  Object.values(PLAYER_FIELD).every(input => (one[input] ?? '') === (other[input] ?? ''))

/** Remembers a player for whom something was bought, the latest first. */
export function savePlayer(gameCode: string, player: SavedPlayer): void {
  const kept = { ...playerValuesOf(player), playerName: player.playerName }
  const others = listSavedPlayers(gameCode).filter(each => !isSamePlayer(each, kept))
  write('players', { ...read('players', isByGame), [gameCode]: [kept, ...others].slice(0, KEPT_PER_GAME) })
}

/** Deliveries among which the players of an account are looked for; a reseller's last ones name many players. */
const LOOKED_THROUGH = 30

/** The last deliveries of a game to the account; nothing is read for a guest. */
export function useDeliveries(game: { id: number } | undefined) {
  const { me } = useSession()
  const query = { game: game && [game.id], status: ['success' as const], pageSize: LOOKED_THROUGH }
  return useQuery({ ...api.query(listOwnOrders, { query }), enabled: me !== null && game !== undefined })
}

/** The players of a game for whom this browser bought, then those of the account's deliveries from other devices. */
export function useSavedPlayers(game: { id: number; code: string }): SavedPlayer[] {
  const { data } = useDeliveries(game)
  const delivered = (data?.rows ?? []).map(({ fields, playerId, playerName }): SavedPlayer => {
    const values = Object.fromEntries(fields.map(({ name, value }) => [PLAYER_FIELD[name], value]))
    return { ...values, playerId, playerName }
  })
  const all = [...listSavedPlayers(game.code), ...delivered].filter(({ playerId }) => playerId !== NO_PLAYER)
  const different = all.filter((player, index) => all.findIndex(each => isSamePlayer(each, player)) === index)
  return different.slice(0, KEPT_PER_GAME)
}
