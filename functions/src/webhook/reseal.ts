import type { Queries } from '../database/database.ts'

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
  const rows = await db.query<{ id: string; secret: string; old: string | null }>({
    text: `SELECT id, secret, old_secret AS old FROM webhook_endpoint
      WHERE NOT starts_with(secret, $1) OR NOT starts_with(old_secret, $1) ORDER BY id`,
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
      text: `UPDATE webhook_endpoint SET secret = $4, old_secret = $5
        WHERE id = $1 AND secret = $2 AND old_secret IS NOT DISTINCT FROM $3 RETURNING id`,
      values: [id, secret, old, anew(id, secret), old && anew(id, old)],
    })
    moved += saved.length
  }
  return moved
}

/** Returns how many secrets are encrypted under each key, by its name. */
export async function countSecrets(db: Queries): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; rows: number }>({
    text: `SELECT split_part(sealed, '.', 1) AS name, count(*)::int AS rows
      FROM webhook_endpoint CROSS JOIN LATERAL (VALUES (secret), (old_secret)) AS s(sealed) WHERE sealed IS NOT NULL GROUP BY 1`,
  })
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
