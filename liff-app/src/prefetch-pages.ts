/** The time between two looks at whether the page can be used, and the wait in place of an idle moment. */
const LOOK_MS = 500

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

/** Whether the network is good enough to load code that may never be needed. */
function hasRoom(): boolean {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Connection }).connection ?? {}
  return !saveData && !effectiveType.includes('2g')
}

/** Whether somebody has tapped or typed in the last seconds: running what comes would delay the answer to the next tap. */
const isTouched = () => navigator.userActivation?.isActive

const isUsable = () => document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')

/** Runs the work in an idle moment; Safari can't tell of one, so there it waits a moment. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, LOOK_MS)

/**
 * Loads the code of later pages one after another, as soon as the page that was opened can be used, while nobody taps.
 * @param isUrgent the first one is for the page that is shown: it waits for no pause, and who saves data has it too
 */
export function prefetchPages([next, ...rest]: (() => Promise<unknown>)[], isUrgent = false): void {
  if (!next || !(isUrgent || hasRoom())) return
  if (!isUsable() || (isTouched() && !isUrgent))
    return void setTimeout(prefetchPages, LOOK_MS, [next, ...rest], isUrgent)
  // A failure is ignored here: opening the page tries again and tells what is wrong.
  whenIdle(() =>
    next().then(
      () => prefetchPages(rest),
      () => undefined,
    ),
  )
}
