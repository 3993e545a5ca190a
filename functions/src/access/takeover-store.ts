import { accountTotp, pin, termsAcceptance, totpBrowser, totpSession, totpTry } from '../account/tables.ts'
import { agentBank } from '../agent/tables.ts'
import type { Sql } from '../database/database.ts'
import { sql, under } from '../database/sql.ts'
import { idempotencyKey } from '../http/tables.ts'
import { orders, reservedAmount } from '../order/tables.ts'
import { slip } from '../upload/tables.ts'

/** For each table, the column that holds the owner's key. */
const OWNED = [
  [under(orders), under(orders).buyerKey],
  [under(reservedAmount), under(reservedAmount).buyerKey],
  [under(slip), under(slip).uploaderKey],
  [under(idempotencyKey), under(idempotencyKey).scope],
  [under(termsAcceptance), under(termsAcceptance).ownerKey],
] as const

/** Tables whose rows belong to the account itself and are deleted. */
const PERSONAL = [pin, agentBank, accountTotp, totpSession, totpBrowser, totpTry].map(table => under(table))

/**
 * Moves everything made under an account to a key that nobody has, so that the account's next owner sees none of it.
 */
export async function leaveToNobody(tx: Sql, uid: string, orphanKey: string): Promise<void> {
  for (const [table, owner] of OWNED) {
    await tx.query({
      text: sql`UPDATE ${table} SET ${owner} = $2 WHERE ${owner} = $1`,
      values: [`u:${uid}`, orphanKey],
    })
  }
  for (const table of PERSONAL)
    await tx.query({ text: sql`DELETE FROM ${table} WHERE ${table.uid} = $1`, values: [uid] })
}
