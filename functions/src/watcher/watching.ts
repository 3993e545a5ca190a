import { setTimeout as delay } from 'node:timers/promises'
import { bangkokDay, DAY_MS, formatClock } from '@shop/shared/time.ts'
import { type OpenTrouble, openDecider } from './deciding.ts'
import { lookAround } from './looking.ts'
import { openTelling } from './telling.ts'
import type { WatcherSettings } from './variables.ts'
import { dailyWords, newsWords, startWords } from './wording.ts'

/** The day of the last sign of life that was due, in Bangkok. */
export const dayOfSign = (now: Date, at: string): string =>
  bangkokDay(formatClock(now) >= at ? now : new Date(now.getTime() - DAY_MS))

/** Watches until it is told to stop. What fails once is tried again with the next look. */
export async function watch(
  settings: WatcherSettings,
  signal: AbortSignal,
  log: (line: string) => void = line => console.log(line),
): Promise<void> {
  const { WATCH_EVERY_SECONDS: every, WATCH_FAILURES: failures, WATCH_REMIND_MINUTES: minutes } = settings
  const decide = openDecider({ failures, remindMs: minutes * 60_000 })
  const telling = openTelling(settings, log)
  let open: OpenTrouble[] = []
  let lastRed: OpenTrouble | null = null
  let signed = dayOfSign(new Date(), settings.WATCH_DAILY_AT)
  telling.put(startWords(settings))
  while (!signal.aborted) {
    const began = performance.now()
    const news = decide(await lookAround(settings), Date.now())
    if (news) {
      open = news.open
      lastRed = news.began.at(-1) ?? lastRed
      telling.put(newsWords(news, settings))
    }
    const due = dayOfSign(new Date(), settings.WATCH_DAILY_AT)
    if (due !== signed) telling.put(dailyWords(settings, lastRed, open))
    signed = due
    await telling.flush()
    const left = Math.max(0, every * 1000 - (performance.now() - began))
    await delay(left, undefined, { signal }).catch(() => {})
  }
}
