import type { Sql } from '../database/database.ts'

/** For each table, the column that holds the owner's key. */
const OWNED = {
  orders: 'buyer_key',
  reserved_amount: 'buyer_key',
  slip: 'uploader_key',
  idempotency_key: 'scope',
  terms_acceptance: 'owner_key',
} as const

/** Tables whose rows belong to the account itself and are deleted. */
const PERSONAL = ['pin', 'agent_bank', 'account_totp', 'totp_session', 'totp_browser', 'totp_try']

/**
 * Moves everything made under an account to a key that nobody has, so that the account's next owner sees none of it.
 */
export async function leaveToNobody(tx: Sql, uid: string, orphanKey: string): Promise<void> {
  for (const [table, column] of Object.entries(OWNED)) {
    await tx.query({ text: `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, values: [`u:${uid}`, orphanKey] })
  }
  for (const table of PERSONAL) await tx.query({ text: `DELETE FROM ${table} WHERE uid = $1`, values: [uid] })
}
