const FOCUSABLE =
  'input:not([type=hidden]):not(:disabled), button:not(:disabled), select, textarea, a[href], [tabindex="0"], [tabindex="-1"]'

/** Scrolls to what has just appeared, which may be below the edge of its sheet or under the bar at the bottom. */
export const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** Scrolls to what is new in a list, away from the edges of the window and from what is shown over them. */
export const bringToMiddle = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

/** Scrolls to the element with this id, and focuses it or the first element in it that can have the focus. */
export function focusOn(id: string): void {
  const target = document.getElementById(id)
  if (!target) return
  const focusable = target.matches(FOCUSABLE) ? target : target.querySelector<HTMLElement>(FOCUSABLE)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' })
  focusable?.focus({ preventScroll: true })
}
