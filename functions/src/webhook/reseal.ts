import type { Queries } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { webhookEndpoint } from './tables.ts'

/** Where names stand alone. */
const endpoints = under(webhookEndpoint)

/** What hides texts from everybody who reads the database. */
export interface TextKeys {
  /** Encrypts for the row with this id, with the newest key. */
  sealText(id: string, text: string): string
  /** Returns null when none of the keys encrypted it for this row. */
  openText(id: string, sealed: string): string | null
  /** The names of the keys, the newest first; what a key encrypted begins with its name and a full stop. */
  names: readonly string[]
}

/**
 * Encrypts every secret anew that is not under the newest key, while messages are sent. One that was renewed in between
 * stays as it is. @returns of how many endpoints that were some
 */
export async function resealSecrets(db: Queries, keys: TextKeys): Promise<number> {
  const rows = await db.query({
    text: sql`SELECT ${row({ ...pick(endpoints, 'id', 'secret'), old: endpoints.oldSecret })} FROM ${endpoints}
      WHERE NOT starts_with(${endpoints.secret}, $1) OR NOT starts_with(${endpoints.oldSecret}, $1) ORDER BY ${endpoints.id}`,
    values: [`${keys.names[0]}.`],
  })
  const anew = (id: string, sealed: string): string => {
    const secret = keys.openText(id, sealed)
    if (secret === null) throw new Error('a secret is encrypted with a key that VOUCHER_KEYS no longer holds')
    return keys.sealText(id, secret)
  }
  let moved = 0
  for (const { id, secret, old } of rows) {
    const saved = await db.query({
      text: sql`UPDATE ${endpoints} SET ${endpoints.secret} = $4, ${endpoints.oldSecret} = $5
        WHERE ${endpoints.id} = $1 AND ${endpoints.secret} = $2 AND ${endpoints.oldSecret} IS NOT DISTINCT FROM $3
          RETURNING ${row(pick(endpoints, 'id'))}`,
      values: [id, secret, old, anew(id, secret), old && anew(id, old)],
    })
    moved += saved.length
  }
  return moved
}

/** Returns how many secrets are encrypted under each key, by its name. */
export async function countSecrets(db: Queries): Promise<Map<string, number>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ name: as.text(`split_part(sealed, '.', 1)`), rows: as.int('count(*)') })}
      FROM ${endpoints} CROSS JOIN LATERAL (VALUES (${endpoints.secret}), (${endpoints.oldSecret})) AS s(sealed)
        WHERE sealed IS NOT NULL GROUP BY 1`,
  })
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
