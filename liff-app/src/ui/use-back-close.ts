import { useEffect, useId, useRef } from 'react'

const MARK = 'sheet'

/**
 * Lets the browser's Back close what is open instead of leaving the page. Links inside should navigate with `replace`,
 * so that they replace the history entry that is made here.
 * @param stays whether it stays open whatever `onClose` does, so that the next Back is heard, too
 */
export function useBackClose(open: boolean, stays: boolean, onClose: () => void): void {
  const id = useId()
  const latest = useRef({ stays, onClose })
  latest.current = { stays, onClose }
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (!open) return
    clearTimeout(leaving.current)
    const isOurs = () => history.state?.[MARK] === id
    const enter = () => history.pushState({ ...history.state, [MARK]: id }, '')
    if (!isOurs()) enter()
    const onBack = () => {
      if (isOurs()) return
      if (latest.current.stays) enter()
      latest.current.onClose()
    }
    window.addEventListener('popstate', onBack)
    return () => {
      window.removeEventListener('popstate', onBack)
      // After a navigation from inside, the entry is that of another page and must stay.
      leaving.current = setTimeout(() => isOurs() && history.back())
    }
  }, [open, id])
}
