import { useCallback, useEffect, useReducer, useRef } from 'react'

/**
 * For fields that are no antd form: `leadToFault` gives the focus to the first field in `place` that is marked as wrong,
 * as soon as it is drawn so, and can be typed in again where it was switched off while it was saved.
 */
export function useFaultFocus<Place extends HTMLElement>() {
  const at = useRef<Place>(null)
  const isWanted = useRef(false)
  const [, redraw] = useReducer((before: number) => before + 1, 0)
  const look = useCallback(() => {
    const field = isWanted.current && at.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!field || field.matches(':disabled')) return
    isWanted.current = false
    field.focus()
  }, [])
  useEffect(look)
  /** A dialog may draw what is in it later than this hook's own component, so its marks are waited for. */
  const place = useCallback(
    (node: Place | null) => {
      at.current = node
      if (!node) return
      const marks = new MutationObserver(look)
      marks.observe(node, { subtree: true, childList: true, attributeFilter: ['aria-invalid', 'disabled'] })
      return () => marks.disconnect()
    },
    [look],
  )
  const leadToFault = () => {
    isWanted.current = true
    redraw()
  }
  return { place, leadToFault }
}
