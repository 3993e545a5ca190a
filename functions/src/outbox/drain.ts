import { keysOf } from '@shop/shared/table.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { factsOf, log } from '../http/log.ts'
import { asRequest, newRequestId } from '../http/request-id.ts'
import type { Shop } from '../shop/shop.ts'
import { type Job, JobLost, type Settlement, settle, takeDue } from './outbox.ts'
import type { OutboxKind, OutboxPayload } from './payload.ts'

/** How jobs of one kind are done. */
export interface OutboxHandler<K extends OutboxKind> {
  /** How many of them one process runs at once. */
  concurrency: number
  /** How long a job stays locked; must be longer than a run can take. */
  lockSeconds: number
  /** How long each statement of its end may take, where that is longer than elsewhere. */
  statementMs?: number
  /**
   * A job is given up after so many runs in a row that failed, or took their process down. That nobody outside answered is
   * no failure: `JOB_KIND` says what it means.
   */
  mostFaults: number
  /**
   * Does the work outside any transaction. The returned function stores the result in the transaction that also removes
   * the job.
   */
  run(shop: Shop, payload: OutboxPayload[K], job: Pick<Job, 'createdAt'>): Promise<(tx: Sql) => Promise<Settlement>>
  /** Records that a job was given up without a result, where anything tells it beside the job itself. */
  giveUp?(tx: Sql, payload: OutboxPayload[K], now: Date): Promise<void>
}
export type OutboxHandlers = { [K in OutboxKind]: OutboxHandler<K> }

const FIRST_RETRY_SECONDS = 5
const LAST_RETRY_SECONDS = 600
const backOffSeconds = (faults: number) => Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** (faults - 1))

/** How a run ended: as it was settled, or it failed and is repeated, or another run has the job. */
type Outcome = Settlement['to'] | 'failed' | 'lost'

/** Runs a job and settles it. */
async function runJob<K extends OutboxKind>(shop: Shop, handler: OutboxHandler<K>, job: Job<K>): Promise<Outcome> {
  const { db } = shop
  const giveUp = async (error: string) => {
    await db.transaction(async tx => {
      await settle(tx, job, { to: 'dead', error }, shop.now(), true)
      await handler.giveUp?.(tx, job.payload, shop.now())
    })
    return 'dead' as const
  }
  try {
    // The process died in its last run, and this job may be the cause.
    if (job.faults > handler.mostFaults) return await giveUp('no run ended')
    const save = await handler.run(shop, job.payload, job)
    return await db.transaction(
      async tx => {
        const settlement = await save(tx)
        await settle(tx, job, settlement, shop.now())
        return settlement.to
      },
      { statementMs: handler.statementMs },
    )
  } catch (error) {
    if (error instanceof JobLost) {
      log('WARNING', 'outbox job outlived its lock', { kind: job.kind })
      return 'lost'
    }
    const facts = factsOf(error)
    log('ERROR', 'outbox job failed', { kind: job.kind, faults: job.faults, cause: facts })
    const reason = JSON.stringify({ name: facts.name, code: facts.code })
    if (job.faults >= handler.mostFaults) return giveUp(reason)
    const dueAt = addSeconds(shop.now(), backOffSeconds(job.faults))
    await db.transaction(tx => settle(tx, job, { to: 'waiting', dueAt, error: reason }, shop.now(), true))
    return 'failed'
  }
}

/** Runs a job, and tells how long it took. */
async function timeJob<K extends OutboxKind>(shop: Shop, handler: OutboxHandler<K>, job: Job<K>): Promise<void> {
  const began = performance.now()
  const outcome = await runJob(shop, handler, job)
  const labels = { 'shop.outbox.kind': job.kind, 'shop.outcome': outcome }
  shop.metrics.took('outboxDuration', (performance.now() - began) / 1000, labels)
}

/** Runs due jobs in this process; other processes may do the same. */
export interface Drain {
  /** Starts as many due jobs as the limits allow, and resolves once they have started. */
  poke(): Promise<void>
  /** Runs due jobs until there are none left. */
  run(): Promise<void>
  /** Takes no more jobs and waits for those that are running. */
  close(): Promise<void>
}

/**
 * Lets one look at a kind run at a time. Somebody who asks meanwhile may know of a newer job, so another look follows.
 * `under` are those under way. @param startDue returns how many jobs it started; so does a look
 */
function lookingOnce(startDue: (kind: OutboxKind) => Promise<number>) {
  const under = new Map<OutboxKind, Promise<number>>()
  const askedAgain = new Set<OutboxKind>()

  async function lookAt(kind: OutboxKind): Promise<number> {
    let started = 0
    try {
      do {
        askedAgain.delete(kind)
        started += await startDue(kind)
      } while (askedAgain.has(kind))
    } finally {
      under.delete(kind)
    }
    return started
  }

  function look(kind: OutboxKind): Promise<number> {
    const begun = under.get(kind)
    if (begun) {
      askedAgain.add(kind)
      return begun
    }
    const looking = lookAt(kind)
    under.set(kind, looking)
    return looking
  }

  return { look, under }
}

export function createDrain(shop: Shop, handlers: Partial<OutboxHandlers>): Drain {
  const kinds = keysOf(handlers)
  /** How many more jobs of each kind may run. */
  const room = new Map(kinds.map(kind => [kind, handlers[kind]!.concurrency]))
  const grow = (kind: OutboxKind, by: number) => room.set(kind, room.get(kind)! + by)
  /** Running jobs, which look for the next one when they end. */
  const alive = new Set<Promise<void>>()
  let isClosed = false

  /** Returns how many it started. */
  async function startDue(kind: OutboxKind): Promise<number> {
    const [handler, limit] = [handlers[kind]!, room.get(kind)!]
    if (limit === 0 || isClosed) return 0
    const { lockSeconds } = handler
    const jobs = await takeDue(shop.db, kind, { now: shop.now(), lockSeconds, limit })
    grow(kind, -jobs.length)
    for (const job of jobs) {
      const work: Promise<void> = asRequest(job.requestId ?? newRequestId(), () => timeJob(shop, handler, job))
        .catch(warn)
        .then(() => grow(kind, 1))
        .then(() => goOn(kind).catch(warn))
        .finally(() => alive.delete(work))
      alive.add(work)
    }
    return jobs.length
  }

  const { look, under } = lookingOnce(startDue)
  const poke = () => Promise.all(kinds.map(look)).then(() => {})

  /** When a kind has no more jobs, looks for the jobs of other kinds that this one may have stored. */
  async function goOn(kind: OutboxKind): Promise<void> {
    if ((await look(kind)) === 0) await poke()
  }

  async function finish(): Promise<void> {
    while (under.size > 0 || alive.size > 0) await Promise.all([...under.values(), ...alive])
  }

  return {
    poke,
    async run() {
      await poke()
      await finish()
    },
    async close() {
      isClosed = true
      await finish()
    },
  }
}

/** A job whose end could not be stored runs again once its lock is over. */
const warn = (error: unknown) => log('ERROR', 'outbox stopped short', { cause: factsOf(error) })
