import { AppError } from '@shop/shared/errors.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueries, type QueryOptions } from './query-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const FRESH_MS = 30_000
const FIVE_MINUTES = 300_000
const isOnline = (answer: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(answer)
const comeOnline = () => {
  isOnline(true)
  window.dispatchEvent(new Event('online'))
}
const see = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const away = () => new AppError('UNAVAILABLE')

/** A server that answers when the test says so, whether or not anybody still listens. */
function createServer() {
  const asked: {
    answer: (data: unknown) => Promise<unknown>
    refuse: (error: Error) => Promise<unknown>
    signal: AbortSignal
  }[] = []
  const queryFn = vi.fn(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise<unknown>((resolve, reject) => {
        asked.push({
          answer: data =>
            pass()
              .then(() => resolve(data))
              .then(() => pass()),
          refuse: error =>
            pass()
              .then(() => reject(error))
              .then(() => pass()),
          signal,
        })
      }),
  )
  return { asked, queryFn }
}

function open(more: Partial<QueryOptions<unknown>> = {}) {
  const queries = createQueries({ freshMs: FRESH_MS })
  const { asked, queryFn } = createServer()
  const options: QueryOptions<unknown> = { queryKey: ['wallet'], queryFn, ...more }
  const entry = queries.entryOf(options)
  const shown: unknown[] = []
  /** A screen that shows it; like any, it asks when it comes and what it has is old. */
  const show = (wanted: QueryOptions<unknown> | null = options) =>
    queries.watch(entry, { getOptions: () => wanted, onChange: () => shown.push(entry.state.data) })
  const ask = (again?: boolean) => {
    const answer = queries.ask(entry, options, again)
    answer.catch(() => undefined)
    return answer
  }
  return { queries, asked, options, entry, shown, show, ask }
}

test('two who want the same ask once, and both get the answer', async () => {
  const { asked, ask } = open()
  const both = Promise.all([ask(), ask()])
  await asked[0]!.answer({ balance: 5 })
  expect([asked.length, await both]).toEqual([1, [{ balance: 5 }, { balance: 5 }]])
})

test('keys tell questions apart by what is in them', () => {
  const { queries, entry } = open()
  expect(queries.entryOf({ queryKey: ['wallet'] })).toBe(entry)
  expect(queries.entryOf({ queryKey: ['wallet', { page: 1 }] })).not.toBe(
    queries.entryOf({ queryKey: ['wallet', { page: 2 }] }),
  )
})

test('an answer that says the same is the same object, one that differs anywhere is not', async () => {
  const { asked, ask, entry } = open()
  const kept: unknown[] = []
  for (const answer of [
    { rows: [{ a: 1 }] },
    { rows: [{ a: 1 }] },
    { rows: [{ a: 1, b: undefined }] },
    { rows: { 0: { a: 1 } } },
  ]) {
    void ask()
    await asked.at(-1)!.answer(answer)
    kept.push(entry.state.data)
  }
  expect([kept[1] === kept[0], kept[2] === kept[1], kept[3] === kept[2]]).toEqual([true, false, false])
})

test('asked again: the former request is given up, and its late answer is nobody’s', async () => {
  const { asked, ask, entry } = open()
  const first = ask()
  const second = ask(true)
  expect(asked[0]!.signal.aborted).toBe(true)
  await asked[1]!.answer('new')
  await asked[0]!.answer('old')
  expect([await first, await second, entry.state.data]).toEqual(['new', 'new', 'new'])
})

test('the failure of a request that was given up is nobody’s either', async () => {
  const { asked, ask, entry } = open()
  const first = ask()
  void ask(true)
  await asked[0]!.refuse(away())
  expect(entry.state).toMatchObject({ error: null, isFetching: true })
  await asked[1]!.answer('new')
  expect([await first, entry.state.error]).toEqual(['new', null])
})

test('a failure leaves the older answer and says so; the next answer takes it away', async () => {
  const { asked, ask, entry } = open({ retry: false })
  void ask()
  await asked[0]!.answer('old')
  void ask()
  await asked[1]!.refuse(away())
  expect(entry.state).toMatchObject({ data: 'old', error: { code: 'UNAVAILABLE' }, isFetching: false })
  void ask()
  expect(entry.state).toMatchObject({ error: { code: 'UNAVAILABLE' }, isFetching: true })
  await asked[2]!.answer('new')
  expect(entry.state).toMatchObject({ data: 'new', error: null })
})

test('where nothing came yet, trying again takes the failure away at once', async () => {
  const { asked, ask, entry } = open({ retry: false })
  void ask()
  await asked[0]!.refuse(away())
  void ask()
  expect(entry.state).toMatchObject({ error: null, isFetching: true })
})

test('a server that is away is asked three times, after one and two seconds; a refusal is an answer', async () => {
  const { asked, ask, entry } = open()
  const answer = ask()
  await asked[0]!.refuse(away())
  await pass(999)
  expect(asked).toHaveLength(1)
  await pass(1)
  await asked[1]!.refuse(away())
  await pass(2000)
  expect(entry.state).toMatchObject({ error: null, isFetching: true })
  await asked[2]!.refuse(away())
  await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(asked).toHaveLength(3)
  void ask()
  await asked[3]!.refuse(new AppError('ORDER_NOT_FOUND'))
  await pass(10_000)
  expect([asked.length, entry.state.error]).toMatchObject([4, { code: 'ORDER_NOT_FOUND' }])
})

test('nobody asks a third time for what was given up between two tries', async () => {
  const { asked, ask, queries } = open()
  const answer = ask()
  await asked[0]!.refuse(away())
  const forgotten = expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  void queries.resetQueries()
  await forgotten
  await pass(10_000)
  expect(asked).toHaveLength(1)
})

test('without a network it waits and asks when there is one, once', async () => {
  isOnline(false)
  const { asked, ask, show, entry } = open()
  show()
  const answer = ask()
  await pass(60_000)
  expect([asked.length, entry.state.isFetching]).toEqual([0, true])
  comeOnline()
  await pass()
  await asked[0]!.answer('here')
  expect([await answer, asked.length]).toEqual(['here', 1])
})

test('what was forgotten while it waited for a network is not asked when there is one', async () => {
  isOnline(false)
  const { asked, ask, queries } = open()
  const forgotten = expect(ask()).rejects.toMatchObject({ name: 'AbortError' })
  void queries.resetQueries()
  await forgotten
  comeOnline()
  await pass()
  expect(asked).toHaveLength(0)
})

test('at a tap it asks without a network, too, even where another waits for one', async () => {
  isOnline(false)
  const { asked, ask, queries, options } = open()
  const waiting = ask()
  const tapped = queries.fetchQuery({ ...options, networkMode: 'always', retry: false })
  const both = Promise.allSettled([waiting, tapped])
  expect(asked).toHaveLength(1)
  await asked[0]!.refuse(away())
  expect(await both).toMatchObject([{ reason: { code: 'UNAVAILABLE' } }, { reason: { code: 'UNAVAILABLE' } }])
})

test('fetchQuery gives what is new enough, asks for the rest, and does not try twice', async () => {
  const { asked, queries, options } = open()
  const first = queries.fetchQuery(options)
  await asked[0]!.answer('first')
  expect([await first, await queries.fetchQuery(options), asked.length]).toEqual(['first', 'first', 1])
  await pass(FRESH_MS)
  const failing = expect(queries.fetchQuery(options)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await asked[1]!.refuse(away())
  await failing
  void queries.fetchQuery({ ...options, staleTime: 0 })
  expect(asked).toHaveLength(3)
})

test('invalidated: what is shown is asked for again at once, the rest when it is next wanted', async () => {
  const { asked, queries, options, show, ask, entry } = open()
  void ask()
  await asked[0]!.answer('old')
  await queries.invalidateQueries()
  expect([asked.length, queries.isStale(entry, options)]).toEqual([1, true])
  show(null)
  await queries.invalidateQueries()
  expect(asked).toHaveLength(1)
  show()
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'order' })
  expect(asked).toHaveLength(1)
  let isDone = false
  void queries.invalidateQueries().then(() => {
    isDone = true
  })
  await pass()
  expect([asked.length, isDone]).toEqual([2, false])
  await asked[1]!.answer('new')
  expect([isDone, entry.state.data, queries.isStale(entry, options)]).toEqual([true, 'new', false])
})

test.each(['first', 'next'])('an answer on its way when it is invalidated is old: the %s one', async which => {
  const { asked, queries, options, show, ask, entry } = open()
  if (which === 'next') {
    void ask()
    await asked[0]!.answer('older')
  }
  void ask()
  const stop = show()
  void queries.invalidateQueries()
  stop()
  await asked.at(-2)!.answer('from before')
  await asked.at(-1)!.answer('new')
  expect([entry.state.data, queries.isStale(entry, options)]).toEqual(['new', false])
})

test('one that nobody shows when it is invalidated on its way stays old, and who wants it next does not wait for it', async () => {
  const { asked, queries, options, ask, entry } = open()
  void ask()
  await queries.invalidateQueries()
  expect(asked).toHaveLength(1)
  await asked[0]!.answer('from before')
  expect([entry.state.data, queries.isStale(entry, options)]).toEqual(['from before', true])
  void ask()
  void queries.invalidateQueries()
  const wanted = ask()
  await asked[2]!.answer('new')
  expect([await wanted, queries.isStale(entry, options)]).toEqual(['new', false])
})

test('a failure of the renewal does not make the old answer new', async () => {
  const { asked, queries, options, show, ask, entry } = open({ retry: false })
  void ask()
  await asked[0]!.answer('old')
  show()
  void queries.invalidateQueries()
  await asked[1]!.refuse(away())
  expect(queries.isStale(entry, options)).toBe(true)
})

test('without a network, invalidating ends at once: nobody waits for it', async () => {
  const { queries, show } = open()
  show()
  isOnline(false)
  await expect(queries.invalidateQueries()).resolves.toBeUndefined()
})

test('reset: nothing of the former person is shown again, however late it comes', async () => {
  const { asked, queries, show, ask, entry, shown } = open()
  void ask()
  await asked[0]!.answer('hers')
  show()
  const hers = expect(ask()).rejects.toMatchObject({ name: 'AbortError' })
  void queries.resetQueries()
  expect([entry.state.data, asked[1]!.signal.aborted, asked.length]).toEqual([undefined, true, 3])
  await asked[1]!.answer('hers, late')
  await hers
  expect(entry.state.data).toBeUndefined()
  await asked[2]!.answer('his')
  expect(shown.slice(-1)).toEqual(['his'])
  expect(shown.slice(1)).not.toContain('hers')
  expect(shown).not.toContain('hers, late')
})

test('reset forgets failures, and what nobody shows stays unasked', async () => {
  const { asked, queries, ask, entry } = open({ retry: false })
  void ask()
  await asked[0]!.refuse(away())
  await queries.resetQueries()
  expect([entry.state.error, entry.state.isFetching, asked.length]).toEqual([null, false, 1])
})

test('an answer that nobody shows is forgotten after five minutes, one that is shown never', async () => {
  const { asked, queries, options, show, ask, entry } = open()
  void ask()
  await asked[0]!.answer('kept')
  const stop = show()
  await pass(2 * FIVE_MINUTES)
  stop()
  await pass(FIVE_MINUTES - 1)
  expect(queries.entryOf(options)).toBe(entry)
  await pass(1)
  const next = queries.entryOf(options)
  expect([next === entry, next.state.data]).toEqual([false, undefined])
})

test('who comes back within five minutes keeps it; one forgotten long ago does not take its successor along', async () => {
  const { queries, options, show, entry } = open()
  show()()
  await pass(FIVE_MINUTES - 1)
  const stop = show()
  await pass(FIVE_MINUTES)
  expect(queries.entryOf(options)).toBe(entry)
  stop()
  await pass(FIVE_MINUTES)
  const next = queries.entryOf(options)
  show()()
  queries.watch(next, { getOptions: () => null, onChange: () => undefined })
  await pass(2 * FIVE_MINUTES)
  expect(queries.entryOf(options)).toBe(next)
})

test.each([
  ['seen again', () => see('visible')],
  ['online again', comeOnline],
])('a page that is %s asks for what is old and shown, and for nothing else', async (_, comeBack) => {
  const { asked, queries, show, ask } = open()
  void ask()
  await asked[0]!.answer('kept')
  show()
  queries.entryOf({ queryKey: ['nobody shows it'] })
  await pass(FRESH_MS - 1)
  comeBack()
  expect(asked).toHaveLength(1)
  await pass(1)
  see('hidden')
  expect(asked).toHaveLength(1)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  comeBack()
  comeBack()
  expect(asked).toHaveLength(2)
})

test('what is being sent is counted, and heard of', () => {
  const { queries } = open()
  const heard: number[] = []
  const stop = queries.onSending(() => heard.push(queries.getSending()))
  queries.countSending(1)
  queries.countSending(1)
  queries.countSending(-1)
  stop()
  queries.countSending(-1)
  expect([heard, queries.getSending()]).toEqual([[1, 2, 1], 0])
})
