import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lazySheet } from './lazy-part.tsx'
import type { SheetProps } from './sheet-dialog.tsx'

const loadDialog = () => import('./sheet-dialog.tsx')
const SheetDialog = lazySheet(loadDialog)

let isPreloading = false
const FIRST_MOVES = ['pointerover', 'touchstart', 'keydown'] as const

/** Loads the dialog's code when the person first does something. A visit without that never loads it. */
function preloadAtFirstMove() {
  if (isPreloading) return
  isPreloading = true
  const load = () => {
    for (const move of FIRST_MOVES) window.removeEventListener(move, load)
    // A failure is ignored here: opening the sheet tries again and tells what is wrong.
    loadDialog().catch(() => undefined)
  }
  for (const move of FIRST_MOVES) window.addEventListener(move, load, { passive: true })
}

/** A sheet at the bottom, or a dialog in the middle from 640 px on. Its code is loaded apart from its page. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  const opener = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (props.open) opener.current = document.activeElement as HTMLElement | null
  }, [props.open])
  useEffect(preloadAtFirstMove, [])
  if (!wanted) return null
  return <SheetDialog {...props} opener={opener} />
}
