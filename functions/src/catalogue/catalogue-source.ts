import { AppError } from '@shop/shared/errors.ts'
import { within } from '../asking/within.ts'
import type { Sql } from '../database/database.ts'
import { type Catalogue, findCatalogueState, loadCatalogue } from './snapshot.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** What the shop sells and says, kept in memory. */
    catalogue: CatalogueSource
  }
}

/** The catalogue as this process knows it. */
export interface CatalogueSource {
  /**
   * Returns what the database held at most `checkMs` ago, and always includes this process's own writes. @throws
   * UNAVAILABLE
   */
  latest(): Promise<Catalogue>
  /**
   * Returns the known catalogue if it has this version or a later one, else loads what the database holds now, even if
   * that version never existed. @throws UNAVAILABLE
   */
  atLeast(version: number): Promise<Catalogue>
  /** Returns the version of the known catalogue without asking the database; 0 before the first load. */
  knownVersion(): number
  /** Tells whether the shop was in safe mode at the last check. */
  isHolding(): boolean
  /** Call it after a change was committed in this process, so that every later read includes it. */
  expire(): void
}

/** No caller waits longer than this for the database. */
const WAIT_MS = 5000

const giveUp = (): never => {
  throw new AppError('UNAVAILABLE')
}

/** Times are taken from the process's own clock, which never goes back. */
export function openCatalogue(db: Sql, { checkMs }: { checkMs: number }): CatalogueSource {
  let known: Catalogue | null = null
  let holds = false
  /** The start of the check that found `known` to be what the database holds. */
  let knownAt = Number.NEGATIVE_INFINITY
  let expiredAt = Number.NEGATIVE_INFINITY
  let check: { at: number; found: Promise<Catalogue> } | null = null
  let loading: Promise<Catalogue> | null = null

  /** Only one load runs at a time, so that an older catalogue never replaces a newer one. */
  function load(): Promise<Catalogue> {
    loading ??= within(WAIT_MS, loadCatalogue(db), giveUp)
      .then(loaded => {
        known = loaded
        return loaded
      })
      .finally(() => {
        loading = null
      })
    return loading
  }

  /** A load that is already running may have begun before this version was written, so another one follows it. */
  async function reload(version: number): Promise<Catalogue> {
    const loaded = await load()
    return loaded.version >= version ? loaded : load()
  }

  async function look(at: number): Promise<Catalogue> {
    const { version, isHolding } = await within(WAIT_MS, findCatalogueState(db), giveUp)
    holds = isHolding
    const found = known?.version === version ? known : await reload(version)
    knownAt = Math.max(knownAt, at)
    return found
  }

  function begin(at: number): Promise<Catalogue> {
    const found = look(at)
    const begun = { at, found }
    check = begun
    // Neither a failure nor an answer is kept for later callers.
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
    isHolding: () => holds,
    expire() {
      expiredAt = performance.now()
    },
  }
}
