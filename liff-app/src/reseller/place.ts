import { KEY_MODES, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import { MESSAGE_STATES, type MessageState } from '@shop/shared/webhook/webhook.ts'
import { useSearchParams } from 'react-router-dom'

/** What the page shows, as its address has it. */
interface Place {
  mode: KeyMode
  /** The endpoint whose log is open. */
  log?: string
  /** The messages of the log that are wanted; all without it. */
  state?: MessageState
}

const [USUAL_MODE] = KEY_MODES

/** The place and the way to another one, which takes this one's place in the history. A word that makes no sense counts as not given. */
export function usePlace() {
  const [search, setSearch] = useSearchParams()
  const place: Place = {
    mode: KEY_MODES.find(mode => mode === search.get('mode')) ?? USUAL_MODE,
    log: search.get('log') ?? undefined,
    state: MESSAGE_STATES.find(state => state === search.get('state')),
  }
  const go = ({ mode, log, state }: Place) => {
    const next = { ...(mode !== USUAL_MODE && { mode }), ...(log && { log, ...(state && { state }) }) }
    setSearch(next, { replace: true })
  }
  return { place, go }
}
