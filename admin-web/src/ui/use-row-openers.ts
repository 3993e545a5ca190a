import { useEffect } from 'react'

/** What a click is meant for, when it is among the cells of a row. */
const OWN_CONTROLS = 'a, button, input, label, .ant-select, .ant-table-selection-column, td.pick'

/** A link that somebody may not follow is drawn as text, and opens nothing. */
const OPENER = 'a.row-opener, button.row-opener'

const MIDDLE = 1

/**
 * A click anywhere on a row is a click on what opens it, which has the class "row-opener": its link, or its button where
 * it has no page. The middle button opens the link in another tab. Keys and screen readers use that itself. It is used once, for the whole site.
 */
export function useRowOpeners(): void {
  useEffect(() => {
    const open = ({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const isMiddle = button === MIDDLE
      if (button > MIDDLE || !(target instanceof Element) || target.closest(OWN_CONTROLS)) return
      const row = target.closest('tr')
      const opener = row?.querySelector<HTMLElement>(OPENER)
      // Whoever has just marked a number to copy it does not want to leave.
      const marked = getSelection()
      if (!opener || (marked && !marked.isCollapsed && row?.contains(marked.anchorNode))) return
      // What has no page can't be opened in a tab of its own.
      if (isMiddle && !(opener instanceof HTMLAnchorElement)) return
      const keys = { ctrlKey: ctrlKey || isMiddle, metaKey, shiftKey }
      opener.focus({ preventScroll: true })
      opener.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...keys }))
    }
    document.addEventListener('click', open)
    document.addEventListener('auxclick', open)
    return () => {
      document.removeEventListener('click', open)
      document.removeEventListener('auxclick', open)
    }
  }, [])
}
