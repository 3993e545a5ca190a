import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { SheetProps } from './sheet-dialog.tsx'

const loadDialog = () => import('./sheet-dialog.tsx')
const SheetDialog = lazy(loadDialog)

let isPreloading = false
const FIRST_MOVES = ['pointerover', 'touchstart', 'keydown'] as const

/** Fetches the dialog's code at the person's first move, before a tap can ask for it; a mere visit never loads it. */
function preloadAtFirstMove() {
  if (isPreloading) return
  isPreloading = true
  const load = () => {
    for (const move of FIRST_MOVES) window.removeEventListener(move, load)
    // A failed preload is no news: opening the sheet tries again and shows what is wrong.
    loadDialog().catch(() => undefined)
  }
  for (const move of FIRST_MOVES) window.addEventListener(move, load, { passive: true })
}

/** A bottom sheet; a centred dialog from 640 px. No page waits for the code of a dialog that may never open. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  const opener = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (props.open) opener.current = document.activeElement as HTMLElement | null
  }, [props.open])
  useEffect(preloadAtFirstMove, [])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <SheetDialog {...props} opener={opener} />
    </Suspense>
  )
}
