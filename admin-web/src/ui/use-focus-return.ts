import { useEffect } from 'react'

/** More than the fields of any form. */
const REMEMBERED = 200

/**
 * When what had the focus is gone with the form or dialog around it, the focus goes back to where it was before, once for
 * the whole site; a keyboard would begin again at the top of the page.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    const visited = new Set<HTMLElement>()
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      visited.delete(target)
      visited.add(target)
      if (visited.size > REMEMBERED) visited.delete([...visited][0]!)
    }
    const goBack = () => {
      const places = [...visited]
      if (document.activeElement !== document.body || places.at(-1)?.isConnected !== false) return
      for (const place of places.reverse()) {
        place.focus({ preventScroll: true })
        if (document.activeElement === place) return
        visited.delete(place)
      }
    }
    document.addEventListener('focusin', note)
    // Forms and dialogs stand at the end of the body.
    const gone = new MutationObserver(goBack)
    gone.observe(document.body, { childList: true })
    return () => {
      document.removeEventListener('focusin', note)
      gone.disconnect()
    }
  }, [])
}
