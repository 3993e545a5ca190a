// Agents who buy without a pause, and what they see of a fault.
import { AppError } from '@shop/shared/errors.ts'
import type { Answers } from '../../soak/figures.ts'
import { buyFromWallet, type People, type Work } from '../../soak/people.ts'
import { AGENTS } from '../../soak/shop.ts'

/** Orders of those whose wallets nobody else uses; the last package is one that staff deliver. */
export const hastyBuyers = (count: number, restMs: number): Work => ({
  count,
  restMs,
  work: (people: People, nth: number) => buyFromWallet(people, AGENTS + nth, people.site.packageIds.at(-1)!),
})
/** Before a call is made again it rests for longer. */
const AGAIN_MS = 100

/** What happened to calls since a moment. */
export interface Seen {
  /** Longest time without an acknowledged purchase, in seconds. */
  gapSeconds: number
  /** For each call that had to be made again: the seconds until it was answered. */
  waits: number[]
  /** Of all attempts the longest, in seconds. */
  longestSeconds: number
  /** Codes of what was answered instead, with how often each came. */
  refused: Map<string, number>
}

export interface Ear extends Answers {
  /** Begins anew. Returns what was seen until now. */
  take(): Seen
  /** Whether somebody bought since a moment of `performance.now()`. */
  soldSince(moment: number): boolean
}

export function openEar(): Ear {
  let times = [performance.now()]
  let seen = fresh()
  function fresh(): Seen {
    return { gapSeconds: 0, waits: [], longestSeconds: 0, refused: new Map() }
  }
  const refused = (what: string) => void seen.refused.set(what, (seen.refused.get(what) ?? 0) + 1)
  return {
    answered(what, tookMs, waitedMs) {
      if (what === 'wallet') times.push(performance.now())
      seen.longestSeconds = Math.max(seen.longestSeconds, tookMs / 1000)
      if (waitedMs - tookMs > AGAIN_MS) seen.waits.push(waitedMs / 1000)
    },
    failed: (_, error) => refused(error.code),
    refused: (who, error) => refused(`${who}: ${error instanceof AppError ? error.code : String(error)}`),
    soldSince: moment => times.at(-1)! > moment,
    take() {
      const now = performance.now()
      const gaps = [...times.slice(1), now].map((at, nth) => at - times[nth]!)
      const taken = { ...seen, gapSeconds: Math.max(...gaps) / 1000 }
      times = [times.at(-1)!]
      seen = fresh()
      return taken
    },
  }
}
