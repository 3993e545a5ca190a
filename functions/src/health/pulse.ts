import { AppError } from '@shop/shared/errors.ts'
import type { LineLogin } from '../account/line-login.ts'
import type { PlayerProvider } from '../catalogue/player-lookup.ts'
import type { Sql } from '../database/database.ts'
import { factsOf, log } from '../http/log.ts'
import type { pulse } from './tables.ts'

/** What is the same as a moment ago is not written again within this time. */
const FRESH_MS = 60_000

type Work<T> = () => Promise<T>
/** Runs some work and keeps whether it succeeded. The work's own result or error is passed on. */
export type Beat = <T>(name: string, work: Work<T>, isFault?: (error: unknown) => boolean) => Promise<T>

/** For who only looks: nothing is kept. */
export const unkept: Beat = (_, work) => work()

const SAVE = {
  success: `INSERT INTO pulse (name, succeeded_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET succeeded_at = excluded.succeeded_at, failing_since = NULL`,
  failure: `INSERT INTO pulse AS p (name, failed_at, failing_since) VALUES ($1, $2, $2)
    ON CONFLICT (name) DO UPDATE SET failed_at = excluded.failed_at,
      failing_since = coalesce(p.failing_since, excluded.failing_since)`,
}

/** Keeping the pulse never disturbs the work: when it can't be written, only the log says so. */
export function openPulse(db: Sql, now: () => Date): Beat {
  const last = new Map<string, { end: keyof typeof SAVE; at: number }>()
  const keep = async (name: string, end: keyof typeof SAVE) => {
    const at = now()
    const before = last.get(name)
    if (before?.end === end && at.getTime() - before.at < FRESH_MS) return
    last.set(name, { end, at: at.getTime() })
    try {
      await db.query({ name: `pulse_${end}`, text: SAVE[end], values: [name, at] })
    } catch (error) {
      last.delete(name)
      log('WARNING', 'pulse not kept', { of: name, cause: factsOf(error) })
    }
  }
  return async (name, work, isFault = () => true) => {
    try {
      const done = await work()
      await keep(name, 'success')
      return done
    } catch (error) {
      await keep(name, isFault(error) ? 'failure' : 'success')
      throw error
    }
  }
}

const isOneOf =
  (...codes: string[]) =>
  (error: unknown) =>
    !(error instanceof AppError) || codes.includes(error.code)

/** A provider that did not answer is at fault; one that does not know a player works. */
export const withPulseOfPlayers = (provider: PlayerProvider, beat: Beat): PlayerProvider => ({
  findPlayer: (gameCode, playerId) =>
    beat(
      'playerLookup',
      () => provider.findPlayer(gameCode, playerId),
      isOneOf('PLAYER_LOOKUP_TIMED_OUT', 'UNAVAILABLE'),
    ),
})

/** A proof that LINE refuses says that LINE works. */
export function withPulseOfLogin(login: LineLogin, beat: Beat): LineLogin {
  const beating = <T>(work: Work<T>) => beat('lineLogin', work, isOneOf('LINE_UNAVAILABLE'))
  return {
    ...login,
    verifyLiffToken: idToken => beating(() => login.verifyLiffToken(idToken)),
    redeemCode: proof => beating(() => login.redeemCode(proof)),
  }
}

export type PulseRow = typeof pulse.$inferSelect

export async function findPulses(db: Sql): Promise<Map<string, PulseRow>> {
  const rows = await db.query<PulseRow>({
    text: `SELECT name, succeeded_at AS "succeededAt", failed_at AS "failedAt", failing_since AS "failingSince" FROM pulse`,
  })
  return new Map(rows.map(row => [row.name, row]))
}
