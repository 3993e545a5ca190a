import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@shop/shared/errors.ts'
import type { Sql } from '../database/database.ts'
import { type Catalogue, findCatalogueVersion, loadCatalogue } from './snapshot.ts'

/** The catalogue as this process knows it. */
export interface CatalogueSource {
  /** What the database held at most `checkMs` ago, and never less than what this process wrote. @throws UNAVAILABLE */
  latest(): Promise<Catalogue>
  /**
   * What is known already if it is of this version or a later one, else what the database holds now: also for a version that
   * there never was. @throws UNAVAILABLE
   */
  atLeast(version: number): Promise<Catalogue>
  /** The version of what is known, without a look; 0 before the first. */
  knownVersion(): number
  /** Told of a change that was just committed here: whoever asks from now on sees it. */
  expire(): void
}

/** Nobody waits longer for the database. */
const WAIT_MS = 5000

async function within<T>(work: Promise<T>): Promise<T> {
  const end = new AbortController()
  const late = delay(WAIT_MS, undefined, { signal: end.signal, ref: false }).then(() => {
    throw new AppError('UNAVAILABLE')
  })
  return Promise.race([work, late]).finally(() => end.abort())
}

/** Times are of the process's own clock, which only goes forward. */
export function openCatalogue(db: Sql, { checkMs }: { checkMs: number }): CatalogueSource {
  let known: Catalogue | null = null
  /** When the check began that found `known` to be what the database holds. */
  let knownAt = Number.NEGATIVE_INFINITY
  let expiredAt = Number.NEGATIVE_INFINITY
  let check: { at: number; found: Promise<Catalogue> } | null = null
  let loading: Promise<Catalogue> | null = null

  /** One at a time, so that what is known never goes back. */
  function load(): Promise<Catalogue> {
    loading ??= within(loadCatalogue(db))
      .then(loaded => {
        known = loaded
        return loaded
      })
      .finally(() => {
        loading = null
      })
    return loading
  }

  /** A load that was under way may have begun before this version was written; the next one did not. */
  async function reload(version: number): Promise<Catalogue> {
    const loaded = await load()
    return loaded.version >= version ? loaded : load()
  }

  async function look(at: number): Promise<Catalogue> {
    const version = await within(findCatalogueVersion(db))
    const found = known?.version === version ? known : await reload(version)
    knownAt = Math.max(knownAt, at)
    return found
  }

  function begin(at: number): Promise<Catalogue> {
    const found = look(at)
    const begun = { at, found }
    check = begun
    // Neither a failure nor an answer is kept for those who come later.
    const end = () => {
      if (check === begun) check = null
    }
    found.then(end, end)
    return found
  }

  return {
    async latest() {
      const now = performance.now()
      const isRecent = (at: number) => at >= now - checkMs && at > expiredAt
      if (known && isRecent(knownAt)) return known
      return check && isRecent(check.at) ? check.found : begin(now)
    },
    async atLeast(version) {
      if (known && known.version >= version) return known
      if (check) {
        const found = await check.found
        if (found.version >= version) return found
      }
      return begin(performance.now())
    },
    knownVersion: () => known?.version ?? 0,
    expire() {
      expiredAt = performance.now()
    },
  }
}
