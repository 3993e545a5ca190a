import type { Sql } from '../database/database.ts'

/** By table, the column with the key of whoever made a row. */
const OWNED = {
  orders: 'buyer_key',
  reserved_amount: 'buyer_key',
  slip: 'uploader_key',
  idempotency_key: 'scope',
  terms_acceptance: 'owner_key',
} as const

/** What belongs to the account itself. */
const PERSONAL = ['pin', 'agent_bank', 'account_totp', 'totp_session', 'totp_browser', 'totp_try']

/** Leaves what was made under an account to a key that nobody has, so that its next owner sees none of it. */
export async function leaveToNobody(tx: Sql, uid: string, orphanKey: string): Promise<void> {
  for (const [table, column] of Object.entries(OWNED)) {
    await tx.query({ text: `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, values: [`u:${uid}`, orphanKey] })
  }
  for (const table of PERSONAL) await tx.query({ text: `DELETE FROM ${table} WHERE uid = $1`, values: [uid] })
}
