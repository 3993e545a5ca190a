import { read, write } from '../storage.ts'

interface SavedPlayer {
  playerId: string
  playerName: string | null
}
const KEPT_PER_GAME = 5

export function listSavedPlayers(gameCode: string): SavedPlayer[] {
  return read<Record<string, SavedPlayer[]>>('players')?.[gameCode] ?? []
}

/** Remembers who was bought for, the latest first. */
export function savePlayer(gameCode: string, player: SavedPlayer): void {
  const others = listSavedPlayers(gameCode).filter(each => each.playerId !== player.playerId)
  write('players', {
    ...read<Record<string, SavedPlayer[]>>('players'),
    [gameCode]: [player, ...others].slice(0, KEPT_PER_GAME),
  })
}
