import { AppError } from '@shop/shared/errors.ts'
import { act, render, screen } from '@testing-library/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueriesProvider, useIsSending, useMutation, useQuery } from './query.tsx'
import { createQueries, type Queries } from './query-store.ts'

let queries: Queries
beforeEach(() => {
  vi.useFakeTimers()
  queries = createQueries({ freshMs: 30_000, retries: 0 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms))
const open = (page: ReactNode) => render(<QueriesProvider queries={queries}>{page}</QueriesProvider>)
const text = () => document.body.textContent

/** Answers when the test says so, each question by its name. */
function createServer() {
  const asked: string[] = []
  const waiting: { answer: (data: unknown) => void; refuse: (error: Error) => void }[] = []
  const ask = (name: string) => () => {
    asked.push(name)
    return new Promise<string>((resolve, reject) => {
      waiting.push({ answer: data => resolve(data as string), refuse: reject })
    })
  }
  const answer = (index: number, data: string) => {
    waiting[index]!.answer(data)
    return pass()
  }
  const refuse = (index: number) => {
    waiting[index]!.refuse(new AppError('UNAVAILABLE'))
    return pass()
  }
  return { asked, ask, answer, refuse }
}

interface ListProps {
  server: ReturnType<typeof createServer>
  page?: number
  enabled?: boolean
  everyMs?: number
  keepsPrevious?: boolean
}
function List({ server, page = 1, enabled, everyMs, keepsPrevious }: ListProps) {
  const list = useQuery({
    queryKey: ['list', page],
    queryFn: server.ask(`page ${page}`),
    enabled,
    refetchInterval: everyMs,
    keepsPrevious,
  })
  const { data, error, isPending, isFetching, isPlaceholderData } = list
  const marks = { pending: isPending, fetching: isFetching, before: isPlaceholderData, error: error !== null }
  const said = Object.entries(marks).flatMap(([name, is]) => (is ? name : []))
  return (
    <p>
      {[data ?? '-', ...said].join(' ')}
      <button type="button" onClick={() => void list.refetch()}>
        again
      </button>
    </p>
  )
}
const shown = () => text()?.replaceAll('again', '')

test('the first drawing already says that it asks; two readers ask once', async () => {
  const server = createServer()
  open([<List key="a" server={server} />, <List key="b" server={server} />])
  expect([shown(), server.asked]).toEqual(['- pending fetching- pending fetching', ['page 1']])
  await server.answer(0, 'one')
  expect(shown()).toBe('oneone')
})

test('drawn twice, as React does to find faults, it asks once and hears the answer', async () => {
  const server = createServer()
  open(
    <StrictMode>
      <List server={server} everyMs={1000} />
    </StrictMode>,
  )
  expect(server.asked).toEqual(['page 1'])
  await server.answer(0, 'one')
  expect(shown()).toBe('one')
  await pass(1000)
  expect(server.asked).toHaveLength(2)
})

test('one that is not wanted asks nothing until it is, and not once more while its answer is new', async () => {
  const server = createServer()
  const { rerender } = open(<List server={server} enabled={false} />)
  const want = (enabled: boolean) =>
    rerender(
      <QueriesProvider queries={queries}>
        <List server={server} enabled={enabled} />
      </QueriesProvider>,
    )
  await pass(60_000)
  expect([shown(), server.asked]).toEqual(['- pending', []])
  want(true)
  expect(shown()).toBe('- pending fetching')
  await server.answer(0, 'one')
  want(false)
  want(true)
  expect([shown(), server.asked.length]).toEqual(['one', 1])
  want(false)
  await act(() => queries.invalidateQueries())
  expect(server.asked).toHaveLength(1)
})

/** Pages of one list; the page is chosen by a button. */
function Pages(props: Omit<ListProps, 'page'>) {
  const [page, setPage] = useState(1)
  return (
    <>
      <List {...props} page={page} />
      {[1, 2].map(each => (
        <button type="button" key={each} onClick={() => setPage(each)}>{`to ${each}`}</button>
      ))}
    </>
  )
}
const press = (name: string) => act(() => screen.getByRole('button', { name }).click())
const shownOfPages = () => shown()?.replace('to 1to 2', '')

test('another question shows its own answer only: the late one of the question before changes nothing', async () => {
  const server = createServer()
  open(<Pages server={server} />)
  press('to 2')
  await server.answer(1, 'two')
  await server.answer(0, 'one')
  expect(shownOfPages()).toBe('two')
  press('to 1')
  expect([shownOfPages(), server.asked]).toEqual(['one', ['page 1', 'page 2']])
})

test('with keepsPrevious the answer before stands, marked, until this one is answered or fails', async () => {
  const server = createServer()
  open(<Pages server={server} keepsPrevious />)
  expect(shownOfPages()).toBe('- pending fetching')
  await server.answer(0, 'one')
  press('to 2')
  expect(shownOfPages()).toBe('one fetching before')
  await server.refuse(1)
  expect(shownOfPages()).toBe('- error')
  press('again')
  expect(shownOfPages()).toBe('one fetching before')
  await server.answer(2, 'two')
  expect(shownOfPages()).toBe('two')
})

test('with keepsPrevious, too, nothing stands of who was there before', async () => {
  const server = createServer()
  open(<Pages server={server} keepsPrevious />)
  await server.answer(0, 'hers')
  act(() => void queries.resetQueries())
  expect(shownOfPages()).toBe('- pending fetching')
  press('to 2')
  expect(shownOfPages()).toBe('- pending fetching')
  await server.answer(2, 'his')
  expect(shownOfPages()).toBe('his')
})

test('a failure leaves what was there and says so', async () => {
  const server = createServer()
  open(<List server={server} />)
  await server.answer(0, 'one')
  press('again')
  expect(shown()).toBe('one fetching')
  await server.refuse(1)
  expect(shown()).toBe('one error')
})

test('asks again and again while the page is seen, never twice at a time, and not after it is left', async () => {
  const server = createServer()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  const { unmount } = open(<List server={server} everyMs={5000} />)
  await pass(20_000)
  expect(server.asked).toHaveLength(1)
  await server.answer(0, 'one')
  await pass(5000)
  expect(server.asked).toHaveLength(2)
  await server.refuse(1)
  await pass(5000)
  expect(server.asked).toHaveLength(3)
  await server.answer(2, 'two')
  visibility.mockReturnValue('hidden')
  await pass(60_000)
  expect(server.asked).toHaveLength(3)
  visibility.mockReturnValue('visible')
  unmount()
  await pass(60_000)
  expect(server.asked).toHaveLength(3)
})

test('how often may hang on the answer', async () => {
  const server = createServer()
  function Order() {
    const { data } = useQuery({
      queryKey: ['order'],
      queryFn: server.ask('order'),
      refetchInterval: ({ state }) => (state.data === 'done' ? false : 1000),
    })
    return data
  }
  open(<Order />)
  await server.answer(0, 'waits')
  await pass(1000)
  await server.answer(1, 'done')
  await pass(10_000)
  expect([text(), server.asked.length]).toEqual(['done', 2])
})

test('left and opened again within five minutes, the answer is there at once and is asked for again', async () => {
  const server = createServer()
  const { unmount } = open(<List server={server} />)
  await server.answer(0, 'one')
  unmount()
  await pass(299_000)
  const again = open(<List server={server} />)
  expect([shown(), server.asked.length]).toEqual(['one fetching', 2])
  await server.answer(1, 'one')
  again.unmount()
  await pass(300_000)
  open(<List server={server} />)
  expect(shown()).toBe('- pending fetching')
})

test('a page whose answers were forgotten before it came to stand still hears of everything', async () => {
  const server = createServer()
  const entryOf = vi.spyOn(queries, 'entryOf')
  const lost = createQueries({ freshMs: 0 }).entryOf({ queryKey: ['list', 1] })
  entryOf.mockReturnValueOnce(lost)
  open(<List server={server} />)
  await server.answer(server.asked.length - 1, 'one')
  expect(shown()).toBe('one')
  act(() => void queries.invalidateQueries())
  await server.answer(server.asked.length - 1, 'two')
  expect(shown()).toBe('two')
})

test('who reads one thing of an answer is drawn again for that alone', async () => {
  const answers = [
    { version: 1, now: 'a' },
    { version: 1, now: 'b' },
    { version: 2, now: 'c' },
  ]
  const queryFn = vi.fn(async () => answers[queryFn.mock.calls.length - 1]!)
  let drawings = 0
  function Version() {
    drawings += 1
    // Made anew in each drawing, and an object: still the same when it says the same.
    const { data } = useQuery({ queryKey: ['config'], queryFn, select: ({ version }) => ({ version }) })
    return <>{`version ${data?.version}`}</>
  }
  open(<Version />)
  await pass()
  expect([text(), drawings]).toEqual(['version 1', 2])
  await act(() => queries.invalidateQueries())
  expect([queryFn.mock.calls.length, drawings]).toEqual([2, 2])
  await act(() => queries.invalidateQueries())
  expect([text(), drawings]).toEqual(['version 2', 3])
})

interface FormProps {
  send: (name: string) => Promise<string>
  onSuccess?: (answer: string) => unknown
  onError?: (error: Error) => unknown
  onSettled?: () => void
}
function Form(options: FormProps) {
  const { send, ...rest } = options
  const form = useMutation({ mutationFn: send, ...rest })
  const isSending = useIsSending()
  const state = form.isPending ? 'pending' : form.isError ? `error ${form.error.message}` : (form.data ?? 'idle')
  return (
    <>
      {[state, form.variables, isSending && 'sending'].filter(Boolean).join(' ')}
      {['a', 'b'].map(name => (
        <button type="button" key={name} aria-label={name} onClick={() => form.mutate(name)} />
      ))}
      <button type="button" aria-label="reset" onClick={form.reset} />
    </>
  )
}

test('what is sent is pending until what follows has ended, too', async () => {
  const server = createServer()
  const after = createServer()
  const onSettled = vi.fn()
  open(<Form send={name => server.ask(name)()} onSuccess={after.ask('after')} onSettled={onSettled} />)
  expect(text()).toBe('idle')
  press('a')
  expect(text()).toBe('pending a sending')
  await server.answer(0, 'done')
  expect([text(), onSettled.mock.calls.length]).toEqual(['pending a sending', 0])
  await after.answer(0, '')
  expect([text(), onSettled.mock.calls.length]).toEqual(['done a', 1])
  press('reset')
  expect(text()).toBe('idle')
})

test('a second one while the first is on its way: both are sent and followed, the second is shown', async () => {
  const server = createServer()
  const onSuccess = vi.fn()
  open(<Form send={name => server.ask(name)()} onSuccess={onSuccess} />)
  press('a')
  press('b')
  await server.answer(1, 'second')
  expect(text()).toBe('second b sending')
  await server.answer(0, 'first')
  expect([text(), onSuccess.mock.calls.map(([answer]) => answer)]).toEqual(['second b', ['second', 'first']])
})

test('after a reset, the answer that still comes is not shown', async () => {
  const server = createServer()
  open(<Form send={name => server.ask(name)()} />)
  press('a')
  press('reset')
  expect(text()).toBe('idle sending')
  await server.refuse(0)
  expect(text()).toBe('idle')
})

test.each(['mutationFn', 'onSuccess'])('a failure in %s is told, and what follows a failure follows', async where => {
  const fail = () => Promise.reject(new Error('broken'))
  const [onError, onSettled] = [vi.fn(), vi.fn()]
  const [send, onSuccess] = where === 'mutationFn' ? [fail, undefined] : [async () => 'sent', fail]
  open(<Form send={send} onSuccess={onSuccess} onError={onError} onSettled={onSettled} />)
  press('a')
  await pass()
  expect(text()).toBe('error broken a')
  expect([onError.mock.calls.length, onSettled.mock.calls.length]).toEqual([1, 1])
})

test('a failure in what follows a failure leaves nothing pending', async () => {
  const fail = () => Promise.reject(new Error('broken'))
  open(<Form send={fail} onError={fail} />)
  press('a')
  await pass()
  expect(text()).toBe('error broken a')
})

test('what follows belongs to the page as it is when the answer comes', async () => {
  const server = createServer()
  const heard: string[] = []
  const form = (who: string) => (
    <QueriesProvider queries={queries}>
      <Form send={name => server.ask(name)()} onSuccess={() => heard.push(who)} />
    </QueriesProvider>
  )
  const { rerender } = render(form('before'))
  press('a')
  rerender(form('now'))
  await server.answer(0, 'done')
  expect(heard).toEqual(['now'])
})
