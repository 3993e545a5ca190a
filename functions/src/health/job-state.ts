import { addSeconds } from '@shop/shared/time.ts'
import type { Job } from '../jobs/jobs.ts'
import type { PulseRow } from '../pulse/pulse.ts'

const DAY_SECONDS = 86_400
/** A run may begin late and take a while. Whoever watches hears of a job that stopped within five minutes. */
const LATE_SECONDS = 210
/** A nightly job may take longer one night than the night before. */
const NIGHTLY_LATE_SECONDS = 3600

/** The age of a job's last success above which it no longer runs. */
export const latestSecondsOf = ({ everySeconds }: Job): number =>
  everySeconds + (everySeconds < DAY_SECONDS ? LATE_SECONDS : NIGHTLY_LATE_SECONDS)

/** Returns since when a job fails, or a run of it was cut off before it ended; null while neither is so. */
export function failingSince({ timeoutSeconds }: Job, pulse: PulseRow, now: Date): Date | null {
  const { startedAt, succeededAt, failedAt } = pulse
  const hasEnded = [succeededAt, failedAt].some(at => at !== null && startedAt !== null && at >= startedAt)
  const cutOffAt = startedAt && !hasEnded ? addSeconds(startedAt, timeoutSeconds) : null
  const isCutOff = cutOffAt !== null && cutOffAt < now
  return pulse.failingSince ?? (isCutOff ? cutOffAt : null)
}

/** Returns since when a job does not run any more; null while it does. */
export function lateSince(job: Job, { succeededAt, awaitedSince }: PulseRow, now: Date): Date | null {
  const since = succeededAt ?? awaitedSince
  return since && addSeconds(since, latestSecondsOf(job)) < now ? since : null
}
