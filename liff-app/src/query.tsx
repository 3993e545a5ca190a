import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Entry, isSame, type Queries, type QueryOptions, type QueryState } from './query-store.ts'

// What screens ask the server and send to it, by the names that TanStack Query gave: 3 kB instead of its 10, see decision 0009.

const QueriesContext = createContext<Queries | null>(null)

export const QueriesProvider = ({ queries, children }: { queries: Queries; children: ReactNode }) => (
  <QueriesContext value={queries}>{children}</QueriesContext>
)

export function useQueries(): Queries {
  const queries = useContext(QueriesContext)
  if (!queries) throw new Error('this needs a QueriesProvider')
  return queries
}

interface UseQueryOptions<T, S> extends QueryOptions<T> {
  enabled?: boolean
  /** What is shown of the answer; the page is drawn again only when that is another. */
  select?: (data: T) => S
  /** Asks again and again while the page is seen; false is never. */
  refetchInterval?: number | ((query: { state: { data: T | undefined } }) => number | false)
  /** The answer to the question before stands until this one is answered. */
  keepsPrevious?: boolean
}

export interface QueryResult<S> {
  data: S | undefined
  error: Error | null
  /** There is neither an answer nor a failure. */
  isPending: boolean
  /** The first answer is on its way. */
  isLoading: boolean
  isFetching: boolean
  isError: boolean
  /** It failed and there is nothing from before. */
  isLoadingError: boolean
  /** `data` is the answer to the question before. */
  isPlaceholderData: boolean
  /** This device's `Date.now()` at the answer. */
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

type Facts<S> = Omit<QueryResult<S>, 'refetch'>

function factsOf<S>(
  { error, isFetching, updatedAt }: QueryState,
  data: S | undefined,
  before: S | undefined,
): Facts<S> {
  const isPlaceholderData = data === undefined && error === null && before !== undefined
  const shown = isPlaceholderData ? before : data
  const isPending = shown === undefined && error === null
  return {
    data: shown,
    error,
    isPending,
    isLoading: isPending && isFetching,
    isFetching,
    isError: error !== null,
    isLoadingError: error !== null && data === undefined,
    isPlaceholderData,
    dataUpdatedAt: updatedAt,
  }
}

/** The result of a selection, made once for each answer; one that says the same stays the same. */
function useSelected<T, S>(select: ((data: T) => S) | undefined) {
  const last = useRef<{ select: unknown; from: unknown; to: S }>(undefined)
  return (from: unknown): S | undefined => {
    if (from === undefined || !select) return from as S | undefined
    const { current } = last
    if (current?.select === select && current.from === from) return current.to
    const to = select(from as T)
    last.current = { select, from, to: current && isSame(current.to, to) ? current.to : to }
    return last.current.to
  }
}

/** An answer of the server; who shows it is drawn again only when something changes that they read of it. */
export function useQuery<T, S = T>(options: UseQueryOptions<T, S>): QueryResult<S> {
  const queries = useQueries()
  const entry = queries.entryOf(options)
  const { enabled = true, keepsPrevious, refetchInterval } = options
  const selected = useSelected(options.select)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const asked = useRef<Entry>(undefined)
  const before = useRef<{ entry: Entry; data: S }>(undefined)

  const getFacts = (): Facts<S> => {
    const willAsk = enabled && asked.current !== entry && queries.isStale(entry, options)
    const { data, error } = entry.state
    const state = willAsk ? { ...entry.state, isFetching: true, error: data === undefined ? null : error } : entry.state
    // Not when its answer was forgotten: it was somebody else's.
    const isKept = keepsPrevious && before.current?.entry.state.data !== undefined
    return factsOf(state, selected(data), isKept ? before.current?.data : undefined)
  }
  const facts = getFacts()
  const read = new Map<string, unknown>()
  // As they are on the page: a drawing that React gave up on asks and says nothing.
  const shown = useRef({ read, getFacts })
  useLayoutEffect(() => {
    shown.current = { read, getFacts }
    if (facts.data !== undefined && !facts.isPlaceholderData) before.current = { entry, data: facts.data }
  })

  // The options of the drawing with which the question came: the same question is always asked in the same way.
  const question = options as QueryOptions<unknown>
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const drawIfOther = () => {
      const { read, getFacts } = shown.current
      const now = Object.entries(getFacts())
      if (now.some(([name, value]) => read.has(name) && !Object.is(read.get(name), value))) draw()
    }
    const leave = queries.watch(entry, { getOptions: () => (enabled ? question : null), onChange: drawIfOther })
    // It may have come between the drawing and now, or been forgotten.
    if (queries.entryOf(question) === entry) drawIfOther()
    else draw()
    return leave
  }, [queries, entry, enabled])

  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!enabled) return
    const isOld = queries.isStale(entry, question)
    asked.current = entry
    if (isOld) queries.ask(entry, question).catch(() => undefined)
    return () => {
      asked.current = undefined
    }
  }, [queries, entry, enabled])

  const everyMs =
    typeof refetchInterval === 'function'
      ? refetchInterval({ state: entry.state as QueryState<T> })
      : (refetchInterval ?? false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!enabled || everyMs === false) return
    const timer = setInterval(() => {
      if (document.visibilityState !== 'hidden') queries.ask(entry, question).catch(() => undefined)
    }, everyMs)
    return () => clearInterval(timer)
  }, [queries, entry, enabled, everyMs])

  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const refetch = useCallback(() => queries.ask(entry, question, true).catch(() => undefined), [queries, entry])
  return noting({ ...facts, refetch }, read)
}

/** The same, remembering what was read of it. */
function noting<R extends object>(result: R, read: Map<string, unknown>): R {
  const noted = {} as R
  for (const [name, value] of Object.entries(result)) {
    const get = () => {
      read.set(name, value)
      return value
    }
    Object.defineProperty(noted, name, { get, enumerable: true })
  }
  return noted
}

interface MutationOptions<D, V> {
  mutationFn: (variables: V) => Promise<D>
  onMutate?: () => void
  /** What follows; the mutation is pending until it has ended, too. */
  onSuccess?: (data: D, variables: V) => unknown
  onError?: (error: Error, variables: V) => unknown
  onSettled?: () => void
}

type MutationState<D, V> =
  | { isPending: false; isSuccess: false; isError: false; data: undefined; error: null; variables: undefined }
  | { isPending: true; isSuccess: false; isError: false; data: undefined; error: null; variables: V }
  | { isPending: false; isSuccess: true; isError: false; data: D; error: null; variables: V }
  | { isPending: false; isSuccess: false; isError: true; data: undefined; error: Error; variables: V }

const IDLE = {
  isPending: false,
  isSuccess: false,
  isError: false,
  data: undefined,
  error: null,
  variables: undefined,
} as const

/** Something that is sent at a tap, with or without a network: a failure in words is better than silence. */
export function useMutation<D = unknown, V = void>(options: MutationOptions<D, V>) {
  const queries = useQueries()
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const [state, setState] = useState<MutationState<D, V>>(IDLE)
  const runs = useRef(0)
  const mutateAsync = useCallback(
    async (variables: V): Promise<D> => {
      runs.current += 1
      const run = runs.current
      const show = (next: MutationState<D, V>) => run === runs.current && setState(next)
      show({ ...IDLE, isPending: true, variables })
      queries.countSending(1)
      try {
        latest.current.onMutate?.()
        const data = await latest.current.mutationFn(variables)
        await latest.current.onSuccess?.(data, variables)
        latest.current.onSettled?.()
        show({ ...IDLE, isSuccess: true, data, variables })
        return data
      } catch (cause) {
        const error = cause as Error
        try {
          await latest.current.onError?.(error, variables)
          latest.current.onSettled?.()
        } finally {
          // Whatever becomes of what follows, it has failed.
          show({ ...IDLE, isError: true, error, variables })
        }
        throw error
      } finally {
        queries.countSending(-1)
      }
    },
    [queries],
  )
  const mutate = useCallback(
    (variables: V) => {
      mutateAsync(variables).catch(() => undefined)
    },
    [mutateAsync],
  )
  const reset = useCallback(() => {
    runs.current += 1
    setState(IDLE)
  }, [])
  return { ...state, mutate, mutateAsync, reset }
}

/** Whether anything is being sent. */
export function useIsSending(): boolean {
  const queries = useQueries()
  return useSyncExternalStore(queries.onSending, queries.getSending) > 0
}
