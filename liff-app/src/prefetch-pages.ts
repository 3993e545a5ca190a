/** How long an idle moment is waited for, and between looks at whether the page can be used. */
const LOOK_MS = 500

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

/** Whether this person's network has room for what they may never open. */
function hasRoom(): boolean {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Connection }).connection ?? {}
  return !saveData && !effectiveType.includes('2g')
}

const isUsable = () => document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')

/** Safari has no idle callback. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, LOOK_MS)

/** Fetches the code of later pages, one after another, once the page that was asked for can be used and nothing else is to do. */
export function prefetchPages([next, ...rest]: (() => Promise<unknown>)[]): void {
  if (!next || !hasRoom()) return
  if (!isUsable()) return void setTimeout(prefetchPages, LOOK_MS, [next, ...rest])
  // One that can't be had is no news: opening the page asks again and says what is wrong.
  whenIdle(() =>
    next().then(
      () => prefetchPages(rest),
      () => undefined,
    ),
  )
}
