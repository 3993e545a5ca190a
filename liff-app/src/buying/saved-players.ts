import { NO_PLAYER, PLAYER_FIELD, type PlayerValues, playerValuesOf } from '@shop/shared/catalogue/catalogue.ts'
import type { OwnOrder } from '@shop/shared/order/own-endpoints.ts'
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

/** The players of a game for whom this browser bought, then those of the account's deliveries from other devices. */
export function savedPlayersOf(gameCode: string, deliveries: OwnOrder[]): SavedPlayer[] {
  const delivered = deliveries.map(({ fields, playerId, playerName }): SavedPlayer => {
    const values = Object.fromEntries(fields.map(({ name, value }) => [PLAYER_FIELD[name], value]))
    return { ...values, playerId, playerName }
  })
  const all = [...listSavedPlayers(gameCode), ...delivered].filter(({ playerId }) => playerId !== NO_PLAYER)
  const different = all.filter((player, index) => all.findIndex(each => isSamePlayer(each, player)) === index)
  return different.slice(0, KEPT_PER_GAME)
}
