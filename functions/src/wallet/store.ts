import { entriesOf, type LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { Sql } from '../database/database.ts'

/**
 * Posts a transaction: its entries and, in the same statement, the balance of every wallet it touches.
 * A wallet that would go below zero violates `wallet_balance_not_negative`.
 */
export async function postLedger(tx: Sql, transaction: LedgerTransaction): Promise<void> {
  const { id, kind, subjectId, reason, reversesId, at, postings } = transaction
  const entries = entriesOf(postings)
  await tx.query({
    name: 'ledger_post',
    text: `WITH entry AS (
        SELECT line, account, amount FROM unnest($7::text[], $8::bigint[]) WITH ORDINALITY AS e (account, amount, line)
      ), made AS (
        INSERT INTO ledger_transaction (id, kind, subject_id, reason, reverses_id, at) VALUES ($1, $2, $3, $4, $5, $6)
      ), written AS (
        INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
        SELECT $1, line, account, amount, $6 FROM entry
      )
      UPDATE wallet SET balance_satang = balance_satang + moved.amount
      FROM (
        SELECT substr(account, 8)::uuid AS id, sum(amount) AS amount FROM entry WHERE account LIKE 'wallet:%' GROUP BY 1
      ) moved
      WHERE wallet.id = moved.id`,
    values: [
      id,
      kind,
      subjectId,
      reason,
      reversesId,
      at,
      entries.map(entry => entry.account),
      entries.map(entry => entry.amountSatang),
    ],
  })
}
