import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ComponentType, lazy, type ReactNode, StrictMode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTrail } from '../testing.tsx'
import {
  Link,
  Navigate,
  NavLink,
  Route,
  Router,
  Routes,
  useIsStep,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from './router.tsx'

// Through the browser's own history, as on the phone.
beforeEach(() => history.replaceState(null, '', '/start'))
afterEach(() => history.replaceState(null, '', '/'))

let go: ReturnType<typeof useNavigate>
let change: ReturnType<typeof useSearchParams>[1]
function Place() {
  const { pathname, search, hash, state } = useLocation()
  const isStep = useIsStep()
  go = useNavigate()
  change = useSearchParams()[1]
  return (
    <output>{[pathname + search + hash, JSON.stringify(state), isStep && 'step'].filter(Boolean).join(' ')}</output>
  )
}
const place = () => screen.getByRole('status').textContent
const open = (page: ReactNode = null) =>
  render(
    <Router>
      {page}
      <Place />
    </Router>,
  )
const goTo = (...where: Parameters<typeof go>) => act(() => go(...where))
/** The browser's own Back and Forward, which tell afterwards. */
const step = (by: number) =>
  act(async () => {
    const told = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
    history.go(by)
    await told
  })
const click = (name: string, keys: MouseEventInit = {}) => {
  // Who is left to the browser must not leave the test's page.
  const stop = (event: Event) => {
    wasLeft = !event.defaultPrevented
    event.preventDefault()
  }
  let wasLeft = false
  window.addEventListener('click', stop, { once: true })
  fireEvent.click(screen.getByRole('link', { name }), { button: 0, ...keys })
  return { wasLeft }
}

test('goes on, and gives along what the next page is told', () => {
  open()
  expect(place()).toBe('/start null step')
  goTo('/game?q=rov', { state: { from: 'start' } })
  expect(place()).toBe('/game?q=rov {"from":"start"}')
  expect(location.pathname + location.search).toBe('/game?q=rov')
  goTo({ pathname: '/terms', search: '?a=1' })
  expect(place()).toBe('/terms?a=1 null')
})

test('counts the pages of this visit in the browser’s history; a page in place of another counts as one', () => {
  open()
  goTo('/a')
  goTo('/b')
  expect(history.state.idx).toBe(2)
  goTo('/c', { replace: true })
  expect([history.state.idx, place()]).toEqual([2, '/c null'])
})

test('"?page=2" stays on the page, "." is the page without its parameters', () => {
  open()
  goTo('/purchase/history?type=done')
  goTo('?page=2')
  expect(place()).toBe('/purchase/history?page=2 null')
  goTo('.')
  expect(place()).toBe('/purchase/history null')
})

test('parameters are changed in place or as a step, and taken away with the last of them', () => {
  open()
  goTo('/history')
  act(() => change({ q: 'ก & ข' }))
  expect(new URLSearchParams(location.search).get('q')).toBe('ก & ข')
  act(() => change(new URLSearchParams(), { replace: true }))
  expect([place(), history.state.idx]).toEqual(['/history null', 2])
})

test.each([
  ['/game/rov', 'game rov'],
  ['/game/rov/', 'game rov'],
  ['/GAME/rov', 'game rov'],
  ['/game/%E0%B9%80%E0%B8%81%E0%B8%A1%20a%2Fb', 'game เกม a/b'],
  ['/game/50%', 'game 50%'],
  ['/game/%E0%B9', 'game %E0%B9'],
  ['/game', 'games'],
  ['/game/', 'games'],
  ['/game/rov/more', 'nothing'],
  ['/games', 'nothing'],
  ['/', 'nothing'],
  ['/dashboard', 'staff'],
  ['/dashboard/orders/5', 'staff'],
  ['/dashboards', 'nothing'],
])('%s shows %s', (path, shown) => {
  const Game = () => `game ${useParams().code}`
  const trail = createTrail('/start')
  trail.push(path, null)
  render(
    <Router trail={trail}>
      <Routes>
        <Route path="/game" element="games" />
        <Route path="/game/:code" element={<Game />} />
        <Route path="/dashboard/*" element="staff" />
        <Route path="*" element="nothing" />
      </Routes>
    </Router>,
  )
  expect(document.body.textContent).toBe(shown)
})

test('a place that no page fits shows nothing, where no page is for all the rest', () => {
  open(
    <Routes>
      <Route path="/game" element="games" />
    </Routes>,
  )
  expect(document.body.textContent).toBe('/start null step')
})

test('an address that begins with two slashes leads nowhere else', () => {
  history.replaceState(null, '', '/start')
  open()
  history.pushState(null, '', `${location.origin}//other.test/game`)
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  expect(place()).toBe('/other.test/game null step')
})

test('a link goes by a plain click alone; the rest is left to the browser', () => {
  open(<Link to="/game">เกม</Link>)
  for (const keys of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }]) {
    expect([click('เกม', keys).wasLeft, location.pathname]).toEqual([true, '/start'])
  }
  expect([click('เกม').wasLeft, place()]).toEqual([false, '/game null'])
})

test('a link for another tab, and one whose click somebody has taken, are left alone', () => {
  open(
    <>
      <Link to="/game" target="_blank">
        แท็บใหม่
      </Link>
      <Link to="/game" onClick={event => event.preventDefault()}>
        ไม่ไป
      </Link>
    </>,
  )
  expect(click('แท็บใหม่').wasLeft).toBe(true)
  click('ไม่ไป')
  expect(location.pathname).toBe('/start')
})

test('a link to where one is takes its own place, one elsewhere is a step, unless it says otherwise', () => {
  open(
    <>
      <Link to="/start">ที่นี่</Link>
      <Link to="/game">เกม</Link>
      <Link to="?page=2" replace state={{ a: 1 }}>
        หน้า 2
      </Link>
    </>,
  )
  click('ที่นี่')
  expect(history.state.idx).toBe(0)
  click('เกม')
  expect(history.state.idx).toBe(1)
  expect(screen.getByRole('link', { name: 'หน้า 2' }).getAttribute('href')).toBe('/game?page=2')
  click('หน้า 2')
  expect([history.state.idx, place()]).toEqual([1, '/game?page=2 {"a":1}'])
})

test.each([
  ['/purchase', false, 'page'],
  ['/purchase/history', false, 'page'],
  ['/purchase/history', true, null],
  ['/purchases', false, null],
])('at %s, a link to /purchase (end: %s) is current: %s', (path, end, current) => {
  history.replaceState(null, '', path)
  open(
    <NavLink to="/purchase" end={end}>
      คำสั่งซื้อ
    </NavLink>,
  )
  expect(screen.getByRole('link').getAttribute('aria-current')).toBe(current)
})

test('Back and Forward lead through what was seen, with what each was told, and say that they are steps', async () => {
  open()
  goTo('/a?x=1', { state: { a: 1 } })
  goTo('/b')
  await step(-1)
  expect(place()).toBe('/a?x=1 {"a":1} step')
  await step(1)
  expect(place()).toBe('/b null step')
  await step(-2)
  expect(place()).toBe('/start null step')
})

test('what a page was told is still there after a reload', () => {
  const { unmount } = open()
  goTo('/terms', { state: { goesOn: true } })
  unmount()
  open()
  expect(place()).toBe('/terms {"goesOn":true} step')
})

test('an entry that something else made (a hash, an open sheet) is a place like any', async () => {
  open()
  goTo('/game', { state: { a: 1 } })
  history.pushState({ ...history.state, sheet: 'x' }, '')
  await step(-1)
  expect(place()).toBe('/game {"a":1} step')
  act(() => {
    history.pushState(null, '', '#main')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  expect(place()).toBe('/game#main null step')
})

test('a page that leads on takes no entry of its own, and is led on from once, also when React draws it twice', () => {
  render(
    <StrictMode>
      <Router>
        <Routes>
          <Route path="/start" element={<Navigate to="/game?from=start" replace state={{ a: 1 }} />} />
          <Route path="/game" element="games" />
        </Routes>
        <Place />
      </Router>
    </StrictMode>,
  )
  expect([place(), history.state.idx]).toEqual(['/game?from=start {"a":1}', 0])
})

test('the page that is seen stays until the code of the next one is there', async () => {
  let arrive: (module: { default: ComponentType }) => void = () => undefined
  const Later = lazy(() => new Promise<{ default: ComponentType }>(resolve => (arrive = resolve)))
  open(
    <Suspense fallback="waits">
      <Routes>
        <Route path="/start" element="seen" />
        <Route path="/later" element={<Later />} />
      </Routes>
    </Suspense>,
  )
  goTo('/later')
  expect([location.pathname, document.body.textContent]).toEqual(['/later', 'seen/start null step'])
  await act(async () => arrive({ default: () => 'later' }))
  expect(document.body.textContent).toBe('later/later null')
})

test('after the page is left, steps are nobody’s', async () => {
  const trail = createTrail('/start')
  trail.push('/game', null)
  let listeners = 0
  const { unmount } = render(
    <Router
      trail={{
        ...trail,
        onStep: listener => {
          listeners += 1
          const stop = trail.onStep(listener)
          return () => {
            listeners -= 1
            stop()
          }
        },
      }}
    >
      <Place />
    </Router>,
  )
  expect(listeners).toBe(1)
  goTo(-1)
  expect(place()).toBe('/start null step')
  unmount()
  expect(listeners).toBe(0)
})

test('what needs a router says so', () => {
  const original = console.error
  console.error = () => undefined
  expect(() => render(<Place />)).toThrow('this needs a Router')
  console.error = original
})
