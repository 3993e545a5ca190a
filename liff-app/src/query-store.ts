import { AppError } from '@shop/shared/errors.ts'

// The server's answers: asked for once for all that show them, kept for a while, and asked for again when they are old.

const KEPT_UNSEEN_MS = 300_000
const RETRIES = 2
const FIRST_WAIT_MS = 1000

export interface QueryOptions<T> {
  /** The same question has the same key. */
  queryKey: readonly unknown[]
  queryFn: (at: { signal: AbortSignal }) => Promise<T>
  /** How long the answer is shown without asking again; without it, as the store says. */
  staleTime?: number
  retry?: false
  /** Asks without a network, too: at a tap, a failure in words is better than silence. */
  networkMode?: 'always'
}

export interface QueryState<T = unknown> {
  data: T | undefined
  /** Of the last try; what came before may still be there. */
  error: Error | null
  /** This device's `Date.now()` at the answer; 0 before the first. */
  updatedAt: number
  isFetching: boolean
  isInvalidated: boolean
}

/** Somebody who shows an answer. */
export interface Watcher {
  /** What to ask now; null while nothing is wanted. */
  getOptions: () => QueryOptions<unknown> | null
  onChange: () => void
}

interface Running {
  controller: AbortController
  answer: Promise<unknown>
  /** It was asked before the answer was made old: what it brings is old, too. */
  isOld: boolean
  waitsForNetwork: boolean
  /** What was asked for in its place; whoever waits for this one gets that one's answer. */
  next?: Running
}

export interface Entry {
  readonly queryKey: readonly unknown[]
  state: QueryState
  watchers: Set<Watcher>
  running: Running | null
  forgetting?: ReturnType<typeof setTimeout>
}

const UNKNOWN: QueryState = { data: undefined, error: null, updatedAt: 0, isFetching: false, isInvalidated: false }

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (value !== null && typeof value === 'object' && value.constructor === Object)

/** Whether two answers say the same: who shows the one need not be drawn again for the other. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return left.length === right.size && left.every(([name, value]) => right.has(name) && isSame(value, right.get(name)))
}

/** Waits until `start` says so; rejects as soon as nobody wants the answer any more. */
const waitFor = (signal: AbortSignal, start: (done: () => void) => unknown) =>
  new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    start(resolve)
  })

const untilOnline = (done: () => void) => window.addEventListener('online', done, { once: true })

/** Only a server or network that is away is worth asking again. */
const mayPass = (error: unknown) => error instanceof AppError && error.code === 'UNAVAILABLE'

export type Queries = ReturnType<typeof createQueries>

/** @param freshMs how long answers are shown without asking again, where a query says nothing else */
export function createQueries({ freshMs, retries = RETRIES }: { freshMs: number; retries?: number }) {
  const entries = new Map<string, Entry>()
  const sendingListeners = new Set<() => void>()
  let sending = 0

  function set(entry: Entry, part: Partial<QueryState>): void {
    entry.state = { ...entry.state, ...part }
    for (const { onChange } of [...entry.watchers]) onChange()
  }

  function forgetLater(key: string, entry: Entry): void {
    clearTimeout(entry.forgetting)
    entry.forgetting = setTimeout(() => {
      if (entry.watchers.size === 0 && entries.get(key) === entry) entries.delete(key)
    }, KEPT_UNSEEN_MS)
  }

  function entryOf({ queryKey }: Pick<QueryOptions<unknown>, 'queryKey'>): Entry {
    const key = JSON.stringify(queryKey)
    const known = entries.get(key)
    if (known) return known
    const entry: Entry = { queryKey, state: UNKNOWN, watchers: new Set(), running: null }
    entries.set(key, entry)
    forgetLater(key, entry)
    return entry
  }

  async function askUntilAnswered({ queryFn, retry, networkMode }: QueryOptions<unknown>, signal: AbortSignal) {
    for (let failures = 0; ; failures += 1) {
      if (networkMode !== 'always' && !navigator.onLine) await waitFor(signal, untilOnline)
      try {
        return await queryFn({ signal })
      } catch (error) {
        if (signal.aborted || retry === false || failures >= retries || !mayPass(error)) throw error
        await waitFor(signal, done => setTimeout(done, FIRST_WAIT_MS * 2 ** failures))
      }
    }
  }

  /** Whether what is on its way answers this question, too. */
  const isAnswer = ({ isOld, waitsForNetwork }: Running, { networkMode }: QueryOptions<unknown>): boolean =>
    !isOld && !(networkMode === 'always' && waitsForNetwork && !navigator.onLine)

  /**
   * The answer, asked for now or already on its way; `again` does not wait for one that was asked for before. Rejects
   * with the failure, or with an AbortError when the answers were forgotten meanwhile.
   */
  function ask(entry: Entry, options: QueryOptions<unknown>, again = false): Promise<unknown> {
    const before = entry.running
    if (before && !again && isAnswer(before, options)) return before.answer
    const controller = new AbortController()
    const { signal } = controller
    const running: Running = {
      controller,
      answer: askUntilAnswered(options, signal).then(keep, fail),
      isOld: false,
      waitsForNetwork: options.networkMode !== 'always',
    }
    entry.running = running
    if (before) before.next = running
    before?.controller.abort()
    set(entry, { isFetching: true, ...(entry.state.data === undefined && { error: null }) })
    return running.answer

    function keep(answer: unknown): unknown {
      if (entry.running !== running) return running.next ? running.next.answer : Promise.reject(signal.reason)
      entry.running = null
      const data = isSame(entry.state.data, answer) ? entry.state.data : answer
      set(entry, { data, error: null, updatedAt: Date.now(), isFetching: false, isInvalidated: running.isOld })
      return data
    }
    function fail(error: Error): unknown {
      if (entry.running === running) {
        entry.running = null
        set(entry, { error, isFetching: false })
      } else if (running.next) return running.next.answer
      throw error
    }
  }

  const isStale = ({ state }: Entry, { staleTime = freshMs }: Pick<QueryOptions<unknown>, 'staleTime'>): boolean =>
    state.data === undefined || state.isInvalidated || Date.now() - state.updatedAt >= staleTime

  const wantedOf = (entry: Entry): QueryOptions<unknown>[] =>
    [...entry.watchers].flatMap(({ getOptions }) => getOptions() ?? [])

  const askSeen = (listed: Entry[], again = false) =>
    listed.map(entry => {
      const [wanted] = wantedOf(entry)
      const answer = wanted && ask(entry, wanted, again).catch(() => undefined)
      // Without a network nobody knows when: what has been done is done.
      return navigator.onLine ? answer : undefined
    })

  /** Somebody came back to the page, or the network did. */
  const renewOld = () => {
    if (document.visibilityState === 'hidden' || !navigator.onLine) return
    void askSeen([...entries.values()].filter(entry => wantedOf(entry).some(options => isStale(entry, options))))
  }
  document.addEventListener('visibilitychange', renewOld)
  window.addEventListener('online', renewOld)

  return {
    entryOf,
    ask,
    isStale,
    watch(entry: Entry, watcher: Watcher): () => void {
      clearTimeout(entry.forgetting)
      entry.watchers.add(watcher)
      return () => {
        entry.watchers.delete(watcher)
        if (entry.watchers.size === 0) forgetLater(JSON.stringify(entry.queryKey), entry)
      }
    },

    /** The answer as it is now, unless the kept one is new enough; one failure is enough. */
    async fetchQuery<T>(options: QueryOptions<T>): Promise<T> {
      const entry = entryOf(options)
      if (!isStale(entry, options)) return entry.state.data as T
      return (await ask(entry, { retry: false, ...options })) as T
    },

    /** Makes answers old, all or some; those that are shown are asked for again. */
    async invalidateQueries({ predicate = () => true }: { predicate?: (entry: Entry) => boolean } = {}): Promise<void> {
      const found = [...entries.values()].filter(predicate)
      for (const entry of found) {
        entry.state = { ...entry.state, isInvalidated: true }
        if (entry.running) entry.running.isOld = true
      }
      await Promise.all(askSeen(found, true))
    },

    /** Forgets every answer: somebody else looks now. What is shown is asked for again. */
    async resetQueries(): Promise<void> {
      const found = [...entries.values()]
      for (const entry of found) {
        entry.running?.controller.abort()
        entry.running = null
        set(entry, UNKNOWN)
      }
      await Promise.all(askSeen(found))
    },

    /** Counts what is being sent: `by` one more, or one less. */
    countSending(by: 1 | -1): void {
      sending += by
      for (const listener of [...sendingListeners]) listener()
    },
    getSending: () => sending,
    onSending: (listener: () => void) => {
      sendingListeners.add(listener)
      return () => void sendingListeners.delete(listener)
    },
  }
}
