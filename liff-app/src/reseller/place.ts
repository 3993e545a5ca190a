import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { MESSAGE_STATES, type MessageState } from '@shop/shared/webhook/webhook.ts'
import { useSearchParams } from 'react-router-dom'

/** A program is tried before it sells. */
export const MODES_IN_ORDER = ['test', 'live'] as const satisfies KeyMode[]

/** What the page shows, as its address has it. */
interface Place {
  /** Without it, what an agent uses: see `useMode`. */
  mode?: KeyMode
  /** The endpoint whose log is open. */
  log?: string
  /** The messages of the log that are wanted; all without it. */
  state?: MessageState
}

/** The place and the way to another one, which takes this one's place in the history. A word that makes no sense counts as not given. */
export function usePlace() {
  const [search, setSearch] = useSearchParams()
  const place: Place = {
    mode: MODES_IN_ORDER.find(mode => mode === search.get('mode')),
    log: search.get('log') ?? undefined,
    state: MESSAGE_STATES.find(state => state === search.get('state')),
  }
  const go = ({ mode, log, state }: Place) => {
    const next = { ...(mode && { mode }), ...(log && { log, ...(state && { state }) }) }
    setSearch(next, { replace: true })
  }
  return { place, go }
}
