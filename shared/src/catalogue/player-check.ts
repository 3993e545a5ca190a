import { SUPPLIER_NAMES, type SupplierName, supplierLabel } from '../provider-names.ts'
import { keysOf, lookUp } from '../table.ts'

/** Services that know the players of games and sell nothing to the shop. */
const SERVICE = { midasbuy: 'Midasbuy', g2bulk: 'G2Bulk' } as const
export type PlayerCheck = keyof typeof SERVICE | SupplierName

/** Which suppliers know the players of what they sell. */
const KNOWS_PLAYERS: Record<SupplierName, boolean> = { seagm: false, gamesdrop: true, kinguin: false }

/** Who can be asked whether a player exists. */
export const PLAYER_CHECKS = [...keysOf(SERVICE), ...SUPPLIER_NAMES.filter(name => KNOWS_PLAYERS[name])] as [
  PlayerCheck,
  ...PlayerCheck[],
]

export const playerCheckLabel = (by: PlayerCheck): string => lookUp(SERVICE, by) ?? supplierLabel(by)

/** Tells whether somebody is asked by a code of the game; a supplier is asked by what it sells. */
export const isAskedByCode = (by: PlayerCheck): boolean => Object.hasOwn(SERVICE, by)

/** One of those who are asked for the players of a game. A game names several, in the order in which they are asked. */
export interface GameCheck {
  by: PlayerCheck
  /** The game's code there; empty where it is the shop's own. */
  gameCode: string
}
/** A game has at most so many. */
export const MOST_CHECKS = 5

/** What one of them says about a player. */
export type PlayerWord =
  /** The player exists; the name is null where it isn't told. */
  | { kind: 'found'; uid: string; name: string | null }
  /** Sure that there is no such player. */
  | { kind: 'wrong' }
  /** Does not know the game, or can't say. */
  | { kind: 'unknown' }
  /** Does not answer. */
  | { kind: 'unavailable' }

type FoundPlayer = Extract<PlayerWord, { kind: 'found' }>
export type PlayerVerdict = FoundPlayer | { kind: 'wrong' | 'unknown' | 'unavailable' }

/** Tells whether nobody else need be asked: the buyer can be shown whom they buy for. */
export const isLastWord = (word: PlayerWord): boolean => word.kind === 'found' && word.name !== null

/**
 * Returns what all words together say. Whoever finds the player is right, even against others who don't. A player is
 * wrong only if somebody is sure and nobody finds them: silence never turns a buyer away.
 */
export function playerVerdictOf(words: readonly PlayerWord[]): PlayerVerdict {
  const found = words.filter(word => word.kind === 'found')
  const best = found.find(({ name }) => name !== null) ?? found[0]
  if (best) return best
  const worst = (['wrong', 'unavailable'] as const).find(kind => words.some(word => word.kind === kind))
  return { kind: worst ?? 'unknown' }
}

/** "G2Bulk (pubgm)" */
export const gameCheckText = ({ by, gameCode }: GameCheck): string =>
  gameCode ? `${playerCheckLabel(by)} (${gameCode})` : playerCheckLabel(by)
