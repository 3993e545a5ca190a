import {
  Children,
  type ComponentProps,
  createContext,
  isValidElement,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'

// The shop's pages and the way between them, by the names that React Router gave: 2 kB instead of its 13, see decision 0009.

/** An address of this shop: "/game/rov?q=1"; "?page=2" keeps the path, "." is the path alone. */
export type To = string | { pathname: string; search?: string }

interface Place {
  pathname: string
  /** With its "?", or ''. */
  search: string
  hash: string
  /** What the page before gave along. */
  state: unknown
}

/** Where somebody has been. */
export interface Trail {
  place: () => Place
  push: (href: string, state: unknown) => void
  replace: (href: string, state: unknown) => void
  go: (steps: number) => void
  /** Hears of steps back and forward; gives the way to stop. */
  onStep: (listener: () => void) => () => void
}

/** The browser's own. `idx` counts the entries of this visit: above 0 the page before is the shop's, too. */
const browserTrail: Trail = {
  place: () => ({
    // "//game" would begin another shop's address wherever it is led back to.
    pathname: location.pathname.replace(/^\/+/, '/'),
    search: location.search,
    hash: location.hash,
    state: history.state?.usr ?? null,
  }),
  push: (href, usr) => history.pushState({ usr, idx: (history.state?.idx ?? 0) + 1 }, '', href),
  replace: (href, usr) => history.replaceState({ usr, idx: history.state?.idx ?? 0 }, '', href),
  go: steps => history.go(steps),
  onStep: listener => {
    window.addEventListener('popstate', listener)
    return () => window.removeEventListener('popstate', listener)
  },
}

interface HowToGo {
  /** Takes the place of the page that is left. */
  replace?: boolean
  state?: unknown
}

/** A number is steps in the browser's history. */
type Navigate = (to: To | number, how?: HowToGo) => void

interface Routing {
  place: Place
  /** By Back, Forward or the first load, not by a link. */
  isStep: boolean
  navigate: Navigate
}

const RoutingContext = createContext<Routing | null>(null)
const ParamsContext = createContext<Record<string, string | undefined>>({})

function useRouting(): Routing {
  const routing = useContext(RoutingContext)
  if (!routing) throw new Error('this needs a Router')
  return routing
}

function hrefOf(to: To, pathname: string): string {
  if (typeof to !== 'string') return to.pathname + (to.search ?? '')
  if (to === '.') return pathname
  return to.startsWith('?') ? pathname + to : to
}

/** The page in the browser's address; a step to a page whose code is still to come keeps the page that is seen. */
export function Router({ trail = browserTrail, children }: { trail?: Trail; children: ReactNode }) {
  const [at, setAt] = useState(() => ({ place: trail.place(), isStep: true }))
  useEffect(() => trail.onStep(() => startTransition(() => setAt({ place: trail.place(), isStep: true }))), [trail])
  const navigate = useMemo<Navigate>(
    () =>
      (to, { replace, state } = {}) => {
        if (typeof to === 'number') return trail.go(to)
        trail[replace ? 'replace' : 'push'](hrefOf(to, trail.place().pathname), state)
        startTransition(() => setAt({ place: trail.place(), isStep: false }))
      },
    [trail],
  )
  const routing = useMemo(() => ({ ...at, navigate }), [at, navigate])
  return <RoutingContext value={routing}>{children}</RoutingContext>
}

export const useLocation = (): Place => useRouting().place

export const useNavigate = (): Navigate => useRouting().navigate

/** Whether the page was reached by Back or Forward, or is the visit's first. */
export const useIsStep = (): boolean => useRouting().isStep

/** What the page's path holds in the places of its `:names`. */
export const useParams = () => useContext(ParamsContext)

/** The address's parameters, and the way to change them. */
export function useSearchParams() {
  const { place, navigate } = useRouting()
  const params = useMemo(() => new URLSearchParams(place.search), [place.search])
  const change = (next: URLSearchParams | Record<string, string>, how?: HowToGo) => {
    const search = String(new URLSearchParams(next))
    navigate(search ? `?${search}` : '.', how)
  }
  return [params, change] as const
}

/** Goes on to another page as soon as it stands somewhere. */
export function Navigate({ to, replace, state }: { to: string } & HowToGo) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each way; a state made anew is the same way
  useEffect(() => navigate(to, { replace, state }), [navigate, to, replace])
  return null
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, HowToGo {
  to: To
}

const isPlainClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || altKey || ctrlKey || shiftKey)

/** A link to a page of the shop. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const { place, navigate } = useRouting()
  const href = hrefOf(to, place.pathname)
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
    event.preventDefault()
    const isHere = href === place.pathname + place.search + place.hash
    navigate(href, { replace: replace ?? isHere, state })
  }
  return <a {...rest} href={href} onClick={click} />
}

/** A link that says when it leads to where one is; without `end`, also to what lies below. */
export function NavLink({ to, end, ...rest }: LinkProps & { to: string; end?: boolean }) {
  const { pathname } = useLocation()
  const isHere = pathname === to || (!end && pathname.startsWith(`${to}/`))
  return <Link {...rest} to={to} aria-current={isHere ? 'page' : undefined} />
}

interface RouteProps {
  /** "/game/:code"; "/dashboard/*" and all below; "*" is everything. */
  path: string
  element: ReactNode
}

/** One page of `Routes`. */
export const Route = (_: RouteProps) => null

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/?\*$/, '(?:/.*)?').replace(/:(\w+)/g, '(?<$1>[^/]+)')}/*$`, 'i')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The first page whose path fits the address. */
export function Routes({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  for (const route of Children.toArray(children)) {
    if (!isValidElement<RouteProps>(route)) continue
    const found = patternOf(route.props.path).exec(pathname)
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)])
    return <ParamsContext value={Object.fromEntries(params)}>{route.props.element}</ParamsContext>
  }
  return null
}
