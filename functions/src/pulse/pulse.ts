import { AppError } from '@shop/shared/errors.ts'
import type { LineLogin } from '../account/line-login.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import type { Gateway } from '../gateway/provider.ts'
import { factsOf, log } from '../http/log.ts'
import { pulse } from './tables.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Keeps how jobs and services end. */
    beat: Beat
  }
}

/** What is the same as a moment ago is not written again within this time. */
const FRESH_MS = 60_000

type Work<T> = () => Promise<T>
interface BeatOptions {
  /** Whether an error says that the work is broken; without it each does. */
  isFault?: (error: unknown) => boolean
  /** Keeps when the work began, too, so that a run without an end is seen. */
  keepsStart?: boolean
}
/** Runs some work and keeps whether it succeeded. The work's own result or error is passed on. */
export type Beat = <T>(name: string, work: Work<T>, options?: BeatOptions) => Promise<T>

/** For who only looks: nothing is kept. */
export const unkept: Beat = (_, work) => work()

const [kept, p, sent] = [under(pulse), under(pulse, 'p'), under(pulse, 'excluded')]
const SAVE = {
  start: sql`INSERT INTO ${kept} (${kept.name}, ${kept.startedAt}) VALUES ($1, $2)
    ON CONFLICT (${kept.name}) DO UPDATE SET ${excludedSql(pick(kept, 'startedAt'))}`,
  success: sql`INSERT INTO ${kept} (${kept.name}, ${kept.succeededAt}) VALUES ($1, $2)
    ON CONFLICT (${kept.name}) DO UPDATE SET ${excludedSql(pick(kept, 'succeededAt'))}, ${kept.failingSince} = NULL`,
  failure: sql`INSERT INTO ${kept} AS p (${kept.name}, ${kept.failedAt}, ${kept.failingSince}) VALUES ($1, $2, $2)
    ON CONFLICT (${kept.name}) DO UPDATE SET ${excludedSql(pick(kept, 'failedAt'))},
      ${kept.failingSince} = least(${p.failingSince}, ${sent.failingSince})`,
}

type End = 'success' | 'failure'

/** Keeping the pulse never disturbs the work: when it can't be written, only the log says so. */
export function openPulse(db: Sql, now: () => Date): Beat {
  const last = new Map<string, { end: End; at: number }>()
  /** A clock may jump in both directions. */
  const isFresh = (name: string, at: Date) => {
    const before = last.get(name)
    return before !== undefined && Math.abs(at.getTime() - before.at) < FRESH_MS
  }
  const save = async (name: string, what: keyof typeof SAVE, at: Date) => {
    try {
      await db.query({ name: `pulse_${what}`, text: SAVE[what], values: [name, at] })
    } catch (error) {
      last.delete(name)
      log('WARNING', 'pulse not kept', { of: name, cause: factsOf(error) })
    }
  }
  /** A clock that went back meanwhile must not put the end before the start. */
  const keep = async (name: string, end: End, startedAt: Date) => {
    const at = new Date(Math.max(now().getTime(), startedAt.getTime()))
    if (isFresh(name, at) && last.get(name)?.end === end) return
    last.set(name, { end, at: at.getTime() })
    await save(name, end, at)
  }
  return async (name, work, { isFault = () => true, keepsStart = false } = {}) => {
    const startedAt = now()
    // The end of a run whose start was kept is always kept, because the last end is no longer fresh.
    if (keepsStart && !isFresh(name, startedAt)) await save(name, 'start', startedAt)
    try {
      const done = await work()
      await keep(name, 'success', startedAt)
      return done
    } catch (error) {
      await keep(name, isFault(error) ? 'failure' : 'success', startedAt)
      throw error
    }
  }
}

const isOneOf =
  (...codes: string[]) =>
  (error: unknown) =>
    !(error instanceof AppError) || codes.includes(error.code)

/** A proof that LINE refuses says that LINE works. */
export function withPulseOfLogin(login: LineLogin, beat: Beat): LineLogin {
  const beating = <T>(work: Work<T>) => beat('lineLogin', work, { isFault: isOneOf('LINE_UNAVAILABLE') })
  return {
    ...login,
    verifyLiffToken: idToken => beating(() => login.verifyLiffToken(idToken)),
    redeemCode: proof => beating(() => login.redeemCode(proof)),
  }
}

/** A gateway that does not answer, or takes nothing from the shop, is at fault; one that refuses a charge works. */
export function withPulseOfGateway(gateway: Gateway, beat: Beat): Gateway {
  const beating = async <Answer extends { kind: string }>(ask: Work<Answer>): Promise<Answer> => {
    const answer = await ask()
    const isFault = answer.kind === 'silent' || answer.kind === 'barred'
    const end = isFault ? () => Promise.reject(new Error(answer.kind)) : async () => {}
    await beat('gateway', end).catch(() => {})
    return answer
  }
  return {
    ...gateway,
    create: request => beating(() => gateway.create(request)),
    read: reference => beating(() => gateway.read(reference)),
    end: reference => beating(() => gateway.end(reference)),
    list: period => beating(() => gateway.list(period)),
  }
}

export type PulseRow = typeof pulse.$inferSelect

export async function findPulses(db: Sql): Promise<Map<string, PulseRow>> {
  const rows = await db.query({ text: sql`SELECT ${row<PulseRow>(p)} FROM ${p}` })
  return new Map(rows.map(each => [each.name, each]))
}

/** Notes which jobs are expected to run from now on, so that one that never does is seen as well. */
export async function awaitJobs(db: Sql, names: readonly string[], now: Date): Promise<void> {
  await db.query({
    text: sql`INSERT INTO ${kept} (${kept.name}, ${kept.awaitedSince}) SELECT unnest($1::text[]), $2 ON CONFLICT (${kept.name}) DO NOTHING`,
    values: [names, now],
  })
}
