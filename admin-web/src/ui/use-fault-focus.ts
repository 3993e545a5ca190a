import { useEffect, useReducer, useRef } from 'react'

/**
 * For fields that are no antd form: `leadToFault` gives the focus to the first field in `place` that is marked as wrong,
 * as soon as it is drawn so.
 */
export function useFaultFocus<Place extends HTMLElement>() {
  const place = useRef<Place>(null)
  const [turn, leadToFault] = useReducer((before: number) => before + 1, 0)
  useEffect(() => {
    if (turn > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [turn])
  return { place, leadToFault }
}
