import {
  type GameCheck,
  isLastWord,
  type PlayerCheck,
  type PlayerVerdict,
  type PlayerWord,
  playerVerdictOf,
} from '@shop/shared/catalogue/player-check.ts'
import { within } from '../asking/within.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    playerLookup: PlayerLookup
  }
}

/** A player of a game: what was typed into its inputs, in their order, the player id first. */
interface PlayerQuestion {
  gameCode: string
  fields: readonly string[]
}

/** Asks somebody who may know a game's players. What it throws counts as no answer. */
export type PlayerSource = (question: PlayerQuestion) => Promise<PlayerWord>
export type PlayerSources = { readonly [By in PlayerCheck]?: PlayerSource }

/** All who can be asked, together with their recent answers. */
export interface PlayerLookup {
  /**
   * Asks those of a game in their order, until one tells the player's name. @param suppliers further ones, who answer for
   * what they sell
   */
  find(asked: PlayerQuestion & { checks: readonly GameCheck[] }, suppliers?: PlayerSources): Promise<PlayerVerdict>
}

const FOUND_MS = 10 * 60_000
/** Short, since somebody may have made the player a moment ago. */
const WRONG_MS = 30_000
const KEPT_PLAYERS = 10_000

interface LookupOptions {
  /** The longest that one of them is waited for. */
  timeoutMs: number
  now: () => Date
  /** Keeps whether some work succeeded. */
  beat: (name: string, work: () => Promise<unknown>) => Promise<unknown>
}

/** The name under which the health page finds how one of them does. */
export const pulseOfCheck = (by: PlayerCheck): string => (by === 'midasbuy' ? 'playerLookup' : `playerLookup.${by}`)

/**
 * Remembers players that were found, so that the order after a check asks nobody again, and for a moment those that were
 * not. That nobody could say is not kept.
 */
export function openPlayerLookup(sources: PlayerSources, { timeoutMs, now, beat }: LookupOptions): PlayerLookup {
  const kept = new Map<string, { verdict: PlayerVerdict; until: number }>()

  const ask = async (by: PlayerCheck, source: PlayerSource, question: PlayerQuestion): Promise<PlayerWord> => {
    const word = await inTime(source(question), timeoutMs)
    const end = word.kind === 'unavailable' ? () => Promise.reject(new Error(word.kind)) : async () => {}
    await beat(pulseOfCheck(by), end).catch(() => {})
    return word
  }
  return {
    async find({ gameCode, fields, checks }, suppliers) {
      const key = JSON.stringify([gameCode, fields])
      const known = kept.get(key)
      if (known && known.until > now().getTime()) return known.verdict
      const words: PlayerWord[] = []
      for (const { by, gameCode: theirs } of checks) {
        const source = sources[by] ?? suppliers?.[by]
        if (source) words.push(await ask(by, source, { gameCode: theirs || gameCode, fields }))
        if (words.some(isLastWord)) break
      }
      const verdict = playerVerdictOf(words)
      if (verdict.kind === 'unknown' || verdict.kind === 'unavailable') return verdict
      if (kept.size >= KEPT_PLAYERS) kept.clear()
      kept.set(key, { verdict, until: now().getTime() + (verdict.kind === 'found' ? FOUND_MS : WRONG_MS) })
      return verdict
    },
  }
}

/** What comes late or fails counts as no answer. */
function inTime(asking: Promise<PlayerWord>, timeoutMs: number): Promise<PlayerWord> {
  const none = (): PlayerWord => ({ kind: 'unavailable' })
  return within(timeoutMs, asking.catch(none), none)
}
