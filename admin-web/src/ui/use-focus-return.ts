import { useEffect } from 'react'

/** How many elements are remembered: more than any form has. */
const REMEMBERED = 200

/**
 * Puts the focus back where it was before, when the element that had it disappears with its form or dialog. Otherwise
 * people who use a keyboard would begin again at the top of the page. It is used once, for the whole site.
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
    // Forms and dialogs are children of the body, so a removed one shows up here.
    const gone = new MutationObserver(goBack)
    gone.observe(document.body, { childList: true })
    return () => {
      document.removeEventListener('focusin', note)
      gone.disconnect()
    }
  }, [])
}
