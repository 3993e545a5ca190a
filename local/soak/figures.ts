import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { AppError } from '@shop/shared/errors.ts'
import type { SoakSite } from './site.ts'

/** A call is calm when nothing was killed in this time before it. */
const CALM_MS = 10_000

/** What one minute showed. */
export interface Minute {
  calls: number
  /** Calls that were answered with 503, or not at all, and were made again. */
  again: number
  p50Ms: number
  p99Ms: number
  calmP99Ms: number
  /** Memory of the server that is never killed. */
  witnessMb: number
  connections: number
  outboxDue: number
}

/** Hears how the shop answers. */
export interface Answers {
  /** @param waitedMs since it was asked for the first time */
  answered(what: string, tookMs: number, waitedMs: number): void
  /** It will be asked again. */
  failed(what: string, error: AppError): void
  refused(who: string, error: unknown): void
}

/** Counts the calls of a minute, and what should not have been answered. */
export interface Figures extends Answers {
  killed(what: string): void
  /** Ends a minute, and prints it. */
  close(site: SoakSite): Promise<void>
  minutes: Minute[]
  /** Answers that no kill explains, with how often they came. */
  surprises: Map<string, number>
}

const HEADS = ['calls', 'again', 'p50 ms', 'p99 ms', 'calm p99', 'memory MB', 'connections', 'outbox due', 'load']

export const printHeads = (): void => console.log(`minute${HEADS.map(head => head.padStart(12)).join('')}  killed`)

export function openFigures(): Figures {
  const minutes: Minute[] = []
  const surprises = new Map<string, number>()
  let calls: { tookMs: number; isCalm: boolean }[] = []
  let [again, killed, killedAt] = [0, [] as string[], Number.NEGATIVE_INFINITY]
  const surprise = (what: string) => surprises.set(what, (surprises.get(what) ?? 0) + 1)
  return {
    minutes,
    surprises,
    answered: (_, tookMs) => calls.push({ tookMs, isCalm: performance.now() - tookMs - killedAt > CALM_MS }),
    failed(what, error) {
      again++
      // What is only away for a moment is told as 503; 500 would be a fault of ours.
      if (error.status !== 503) surprise(`${what}: ${error.code}`)
    },
    refused: (who, error) => surprise(`${who}: ${error instanceof AppError ? error.code : String(error)}`),
    killed(what) {
      killed.push(what)
      killedAt = performance.now()
    },
    async close(site) {
      const minute = { calls: calls.length, again, ...timesOf(calls), ...(await readSite(site)) }
      minutes.push(minute)
      print(minutes.length, minute, killed)
      ;[calls, again, killed] = [[], 0, []]
    },
  }
}

function timesOf(calls: { tookMs: number; isCalm: boolean }[]) {
  const at = (share: number, some = calls) => {
    const times = some.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
    return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  }
  const calm = calls.filter(({ isCalm }) => isCalm)
  return { p50Ms: at(0.5), p99Ms: at(0.99), calmP99Ms: at(0.99, calm) }
}

/** Nothing is known of the database while it recovers. */
async function readSite({ db, live }: SoakSite): Promise<Pick<Minute, 'witnessMb' | 'connections' | 'outboxDue'>> {
  const [row] = await db
    .query<{ connections: number; outboxDue: number }>({
      text: `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE usename = 'shop_app') AS connections,
        (SELECT count(*)::int FROM outbox WHERE state = 'waiting' AND due_at < now() - interval '10 seconds') AS "outboxDue"`,
    })
    .catch(() => [{ connections: Number.NaN, outboxDue: Number.NaN }])
  const witness = live().find(({ slot }) => slot === 'witness')
  return { ...row!, witnessMb: witness ? memoryOf(witness.pid) : Number.NaN }
}

function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}

function print(nth: number, minute: Minute, killed: string[]): void {
  const { calls, again, p50Ms, p99Ms, calmP99Ms, witnessMb, connections, outboxDue } = minute
  const cells = [calls, again, p50Ms, p99Ms, calmP99Ms, witnessMb, connections, outboxDue].map(n => n.toFixed(0))
  const row = [...cells, loadavg()[0]!.toFixed(1)].map(cell => cell.padStart(12)).join('')
  console.log(`${String(nth).padStart(6)}${row}  ${killed.join(', ')}`)
}

/** Says how the last third of the minutes compares with the second: the first one warms up. */
export function describeCourse(minutes: readonly Minute[]): string {
  const third = Math.floor(minutes.length / 3)
  const mean = (of: (minute: Minute) => number, part: readonly Minute[]) => {
    const known = part.map(of).filter(Number.isFinite)
    return known.reduce((sum, n) => sum + n, 0) / known.length
  }
  const [before, after] = [minutes.slice(third, 2 * third), minutes.slice(2 * third)]
  const line = (name: string, of: (minute: Minute) => number) =>
    `${name} ${mean(of, before).toFixed(0)} in the second third, ${mean(of, after).toFixed(0)} in the last`
  return [line('memory MB', m => m.witnessMb), line('calm p99 ms', m => m.calmP99Ms)].join('; ')
}
