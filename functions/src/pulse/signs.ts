import { keysOf } from '@shop/shared/table.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import type { PulseRow } from './pulse.ts'
import { pulse } from './tables.ts'

/**
 * Signs of life of what stands outside of the shop's own processes. Each is missed once it was there: nobody has to say
 * that the shop has it, and a shop that never had it is not red. `forget` says that it is given up.
 */
export const SIGN = {
  backup: { about: 'backups', mostSeconds: 26 * 3600 },
  standby: { about: 'a standby', mostSeconds: 60 },
  watcher: { about: 'a watcher', mostSeconds: 600 },
} as const satisfies Record<string, { about: string; mostSeconds: number }>
export type SignName = keyof typeof SIGN
export const SIGN_NAMES = keysOf(SIGN)

/** By this the shop's own watcher says what it is, when it asks for the pulse with the key. */
export const WATCHER_HEADER = 'x-watcher'

/** The name of a sign's row in `pulse`. */
export const pulseOfSign = (name: SignName): string => `sign:${name}`

/** When a sign was last seen; null where it never was. */
export const seenAt = (pulses: Map<string, PulseRow>, name: SignName): Date | null =>
  pulses.get(pulseOfSign(name))?.succeededAt ?? null

const kept = under(pulse)

export async function findSign(db: Sql, name: SignName): Promise<Date | null> {
  const rows = await db.query({
    text: sql`SELECT ${row({ at: kept.succeededAt })} FROM ${kept} WHERE ${kept.name} = $1`,
    values: [pulseOfSign(name)],
  })
  return rows[0]?.at ?? null
}

/** Keeps that a sign was seen. @throws what keeps it from being kept */
export async function keepSign(db: Sql, name: SignName, at: Date): Promise<void> {
  await db.query({
    text: sql`INSERT INTO ${kept} (${kept.name}, ${kept.succeededAt}) VALUES ($1, $2)
      ON CONFLICT (${kept.name}) DO UPDATE SET ${excludedSql(pick(kept, 'succeededAt'))}`,
    values: [pulseOfSign(name), at],
  })
}

export async function forgetSign(db: Sql, name: SignName): Promise<boolean> {
  const text = sql`DELETE FROM ${kept} WHERE ${kept.name} = $1 RETURNING ${row(pick(kept, 'name'))}`
  const rows = await db.query({ text, values: [pulseOfSign(name)] })
  return rows.length > 0
}
