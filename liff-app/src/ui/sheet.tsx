import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Work is under way: Escape, the scrim, Back and the close button do nothing. */
  busy?: boolean
  /** Takes the focus on opening; else the title does. */
  firstField?: RefObject<HTMLElement | null>
  children: ReactNode
}

const loadDialog = () => import('./sheet-dialog.tsx')
const SheetDialog = lazy(loadDialog)

/**
 * A bottom sheet; a centred dialog from 640 px. Its code arrives when the browser is idle, so that no page waits for
 * a dialog that may never open.
 */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  const opener = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (props.open) opener.current = document.activeElement as HTMLElement | null
  }, [props.open])
  useEffect(() => {
    const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1000))
    // A failed preload is no news: opening the sheet tries again and shows what is wrong.
    whenIdle(() => void loadDialog().catch(() => undefined))
  }, [])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <SheetDialog {...props} opener={opener} />
    </Suspense>
  )
}
