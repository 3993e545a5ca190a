import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

interface PayBarProps {
  /** The total, with a label above it. */
  label?: ReactNode
  total?: ReactNode
  /** On a wide screen the bar is `hidden`, if the page has its own buttons, or a `static` row of the page. */
  wide?: 'hidden' | 'static'
  /** One or two buttons. The last one is the primary one and takes the remaining room. */
  children: ReactNode
}

/** Whether the bar would cover more than a sixth of the window, as on a phone that lies on its side. */
function useIsTall(): [RefObject<HTMLDivElement | null>, boolean] {
  const bar = useRef<HTMLDivElement>(null)
  const [isTall, setTall] = useState(false)
  useLayoutEffect(() => {
    const look = () => setTall(bar.current!.offsetHeight > window.innerHeight / 6)
    const observer = new ResizeObserver(look)
    observer.observe(bar.current!)
    window.addEventListener('resize', look)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', look)
    }
  }, [])
  return [bar, isTall]
}

/** The bar at the bottom of a checkout page. If it would cover too much of a small window, it scrolls. */
export function PayBar({ label, total, wide = 'hidden', children }: PayBarProps) {
  const [bar, isTall] = useIsTall()
  return (
    <div
      ref={bar}
      data-bar
      data-tall={isTall || undefined}
      className={classes(
        'fixed inset-x-0 bottom-0 z-10 border-line border-t bg-white px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))]',
        'data-tall:static data-tall:-mx-4 data-tall:mt-4',
        wide === 'hidden' ? 'lg:hidden' : 'lg:static lg:mt-6 lg:border-0 lg:px-0',
      )}
    >
      <div className="@container mx-auto max-w-160">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {total && (
            <p className="flex min-w-24 flex-auto flex-col @max-[26rem]:grow-0 @max-[15rem]:basis-full @max-[15rem]:flex-row @max-[15rem]:flex-wrap @max-[15rem]:justify-between">
              <span className="text-ink-2 text-note">{label}</span>
              <span className="text-total @max-[15rem]:text-section">{total}</span>
            </p>
          )}
          <div className="flex min-w-0 flex-[2_1_10rem] flex-wrap gap-3 [&>:last-child]:flex-auto">{children}</div>
        </div>
      </div>
    </div>
  )
}
