import { isUnavailable, sqlState } from './database.ts'

/** How long a batch under way keeps the next one back: one that waits for a lock stops the others no longer. */
const PATIENCE_MS = 20

/** How long a batch waits for others to come along, while there are any: what a statement costs is then shared by more. */
const GATHERING_MS = 1

/** Enough to share what a statement costs, few enough that nobody waits long for the others. */
const MOST_TOGETHER = 32

interface Options<Ask, Answer> {
  /** Does all that is asked, or nothing: one answer for each, in the same order. It must bear being repeated. */
  send: (asks: Ask[]) => Promise<Answer[]>
  most?: number
  /** What could be in another's way: two that share a key never travel together. */
  keysOf?: (ask: Ask) => string[]
}

interface Waiting<Ask, Answer> {
  ask: Ask
  keys: string[]
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** Whether one of a batch alone may be to blame: its values, its keys, or a row that somebody has locked. */
const isOnesOwn = (error: unknown): boolean => /^(55P03|40)/.test(sqlState(error) ?? '') || !isUnavailable(error)

/**
 * Sends what is asked at the same time with one statement and one commit: what comes while a batch is under way forms
 * the next. Whoever comes alone goes at once. When a batch fails, each of it is tried alone, so that an error is told to
 * the one it belongs to.
 */
export function batched<Ask, Answer>(options: Options<Ask, Answer>): (ask: Ask) => Promise<Answer> {
  const { send, most = MOST_TOGETHER, keysOf = () => [] } = options
  let waiting: Waiting<Ask, Answer>[] = []
  let isUnderWay = false
  /** Whether several travelled together last time: then others are likely to come in this moment, too. */
  let isBusy = false

  /** Those that came first, but for any that an earlier one is in the way of. */
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

  /** Never rejects: whoever asked is told. */
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
