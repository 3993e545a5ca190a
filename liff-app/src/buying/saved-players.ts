import { isText, listOf, orNull, read, recordOf, shapeOf, write } from '../storage.ts'

interface SavedPlayer {
  playerId: string
  playerName: string | null
}
const KEPT_PER_GAME = 5

const isByGame = recordOf(listOf(shapeOf<SavedPlayer>({ playerId: isText, playerName: orNull(isText) })))

export function listSavedPlayers(gameCode: string): SavedPlayer[] {
  return read('players', isByGame)?.[gameCode] ?? []
}

/** Remembers a player for whom something was bought, the latest first. */
export function savePlayer(gameCode: string, player: SavedPlayer): void {
  const others = listSavedPlayers(gameCode).filter(each => each.playerId !== player.playerId)
  write('players', { ...read('players', isByGame), [gameCode]: [player, ...others].slice(0, KEPT_PER_GAME) })
}
