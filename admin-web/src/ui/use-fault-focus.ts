import { useEffect, useReducer, useRef } from 'react'

/**
 * For fields that are no antd form: `leadToFault` gives the focus to the first field in `place` that is marked as wrong,
 * as soon as it is drawn so, and can be typed in again where it was switched off while it was saved.
 */
export function useFaultFocus<Place extends HTMLElement>() {
  const place = useRef<Place>(null)
  const isWanted = useRef(false)
  const [, redraw] = useReducer((before: number) => before + 1, 0)
  useEffect(() => {
    if (!isWanted.current) return
    const field = place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    isWanted.current = field?.matches(':disabled') === true
  })
  const leadToFault = () => {
    isWanted.current = true
    redraw()
  }
  return { place, leadToFault }
}
