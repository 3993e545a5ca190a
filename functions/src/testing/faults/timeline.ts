import { JOBS, type Job, runJob } from '../../jobs/jobs.ts'
import { openDrain } from '../../start/outbox-kind.ts'
import type { TestShop } from '../shop.ts'

const STEP_SECONDS = 30
const LONGEST_SECONDS = 3600
const PULSE_KEY = 'k'.repeat(32)

/** A shop in which time passes: its jobs and its outbox run as they do in a process, and somebody looks at the pulse. */
export interface Timeline {
  /** What is at work; a fault stops it. */
  isAtWork: { jobs: boolean; outbox: boolean }
  pass(seconds: number): Promise<void>
  /** Returns what is red. */
  look(): Promise<string[]>
  /** Lets time pass until something is red, or nothing is; returns what, and after how many seconds. */
  until(isRed: boolean): Promise<{ red: string[]; after: number }>
}

export async function startTimeline(it: TestShop): Promise<Timeline> {
  const isAtWork = { jobs: true, outbox: true }
  const drain = openDrain(it.shop)
  it.shop.config = { ...it.shop.config, PULSE_KEYS: [PULSE_KEY] }
  // Timers do not follow the clock when it jumps.
  let elapsed = 0
  const ranAt = new Map<string, number>()
  const isDue = ([name, { everySeconds }]: [string, Job]) =>
    elapsed - (ranAt.get(name) ?? Number.NEGATIVE_INFINITY) >= everySeconds

  async function pass(seconds: number): Promise<void> {
    it.clock.advance(seconds)
    elapsed += seconds
    for (const [name, job] of isAtWork.jobs ? Object.entries<Job>(JOBS).filter(isDue) : []) {
      ranAt.set(name, elapsed)
      await runJob(it.shop, name, job).catch(() => {})
    }
    if (isAtWork.outbox) await drain.run().catch(() => {})
  }
  async function look(): Promise<string[]> {
    const reply = await it.request('/pulse', { headers: { authorization: `Bearer ${PULSE_KEY}` } })
    const { red } = (await reply.json()) as { red: string[] }
    if (reply.status !== (red.length > 0 ? 503 : 200)) throw new Error(`${reply.status} with ${red}`)
    return red
  }
  async function until(isRed: boolean): Promise<{ red: string[]; after: number }> {
    for (let after = STEP_SECONDS; after <= LONGEST_SECONDS; after += STEP_SECONDS) {
      await pass(STEP_SECONDS)
      const red = await look()
      if (red.length > 0 === isRed) return { red, after }
    }
    throw new Error(`the pulse did not turn ${isRed ? 'red' : 'green'}, but: ${await look()}`)
  }
  await until(false)
  return { isAtWork, pass, look, until }
}
