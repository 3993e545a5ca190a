import { isUnavailable, sqlState } from './database.ts'

/**
 * How long a running batch holds the next one back. After that the next one starts, so that a batch waiting for a lock
 * does not stop the others.
 */
const PATIENCE_MS = 20

/** How long a batch waits for more requests in busy times, so that more of them share the cost of one statement. */
const GATHERING_MS = 1

/** Large enough to share the cost of a statement, small enough that nobody waits long for the others. */
const MOST_TOGETHER = 32

interface Options<Ask, Answer> {
  /**
   * Does everything that is asked or nothing, and returns one answer for each, in the same order. It must be safe to
   * repeat.
   */
  send: (asks: Ask[]) => Promise<Answer[]>
  most?: number
  /** The keys over which requests could block each other; two that share a key never go into the same batch. */
  keysOf?: (ask: Ask) => string[]
}

interface Waiting<Ask, Answer> {
  ask: Ask
  keys: string[]
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Tells whether a single request may have caused the failure: by its values, its keys, or a row that somebody has
 * locked.
 */
const isOnesOwn = (error: unknown): boolean => /^(55P03|40)/.test(sqlState(error) ?? '') || !isUnavailable(error)

/**
 * Sends requests of the same moment with one statement and one commit. Requests that arrive while a batch is running
 * form the next one; a single request goes at once. When a batch fails, each of its requests is tried alone, so that an
 * error reaches only the request that caused it.
 */
export function batched<Ask, Answer>(options: Options<Ask, Answer>): (ask: Ask) => Promise<Answer> {
  const { send, most = MOST_TOGETHER, keysOf = () => [] } = options
  let waiting: Waiting<Ask, Answer>[] = []
  let isUnderWay = false
  /** Whether the last batch held several requests; then others are likely to arrive right now. */
  let isBusy = false

  /** Takes the oldest requests, but skips any that shares a key with an earlier one. */
  function nextBatch(): Waiting<Ask, Answer>[] {
    const taken = new Set<string>()
    const batch: Waiting<Ask, Answer>[] = []
    const left: Waiting<Ask, Answer>[] = []
    for (const each of waiting) {
      const isFree = batch.length < most && !each.keys.some(key => taken.has(key))
      for (const key of each.keys) taken.add(key)
      ;(isFree ? batch : left).push(each)
    }
    waiting = left
    return batch
  }

  /** Never rejects: each request gets its own answer or error. */
  async function travel(batch: Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await send(batch.map(({ ask }) => ask))
      batch.forEach(({ resolve }, at) => {
        resolve(answers[at]!)
      })
    } catch (error) {
      if (batch.length > 1 && isOnesOwn(error)) await Promise.all(batch.map(each => travel([each])))
      else for (const { reject } of batch) reject(error)
    }
  }

  function depart(): void {
    const batch = nextBatch()
    isBusy = batch.length > 1
    let isAwaited = true
    const goOn = () => {
      if (!isAwaited) return
      isAwaited = false
      clearTimeout(patience)
      isUnderWay = false
      go()
    }
    const patience = setTimeout(goOn, PATIENCE_MS)
    void travel(batch).then(goOn)
  }

  function go(): void {
    if (isUnderWay || waiting.length === 0) return
    isUnderWay = true
    if (isBusy) setTimeout(depart, GATHERING_MS)
    else depart()
  }

  return ask =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, keys: keysOf(ask), resolve, reject })
      go()
    })
}
