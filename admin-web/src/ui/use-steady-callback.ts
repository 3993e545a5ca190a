import { useCallback, useRef } from 'react'

/**
 * Returns a function that stays the same and runs the newest `act`, so that rows which are given it as a handler are not
 * drawn again with every change around them. It is for handlers of events, never for what is called while drawing.
 */
export function useSteadyCallback<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act)
  latest.current = act
  return useCallback((...args: Args) => latest.current(...args), [])
}
