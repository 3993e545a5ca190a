import type { Sql } from '../database/database.ts'
import { keysOf, type Whose } from './store.ts'

/**
 * What a person gets of what the shop keeps of them, by the names in the file. Each is a query over $1 (uids), $2 (owner
 * keys); notes of staff and other people's data are not among it.
 */
const COPIED: Record<string, string> = {
  account: `SELECT uid, username, given_name, family_name, phone, email, email_verified, status, role, providers, created_at
    FROM account WHERE uid = ANY($1)`,
  lineIdentity: 'SELECT provider, subject, linked_at FROM linked_identity WHERE uid = ANY($1)',
  bankAccount: 'SELECT bank_code, bank_account FROM agent_bank WHERE uid = ANY($1)',
  acceptedTerms: 'SELECT version, accepted_at FROM terms_acceptance WHERE owner_key = ANY($2) ORDER BY accepted_at',
  orders: `SELECT order_no, status, created_at, paid_at, ended_at, snapshot->>'gameName' AS game, snapshot->>'packageName' AS package,
      quantity, payment, price_satang + tail_satang AS amount_satang, player_id, player_name, snapshot->'fields' AS player_fields,
      proposed_player, delivery_reference, snapshot->>'termsVersion' AS terms_version, slip_id
    FROM orders WHERE buyer_key = ANY($2) ORDER BY created_at, id`,
  orderSteps: `SELECT o.order_no, e.kind, e.from_status, e.to_status, e.at FROM orders o JOIN order_event e ON e.order_id = o.id
    WHERE o.buyer_key = ANY($2) ORDER BY e.at, o.id, e.version`,
  refunds: `SELECT o.order_no, r.amount_satang, r.created_at, r.sent_at, r.reference, r.payee
    FROM orders o JOIN owed_refund r ON r.order_id = o.id WHERE o.buyer_key = ANY($2) AND r.undone_at IS NULL ORDER BY r.created_at`,
  slips: `SELECT id, created_at, width, height, byte_size, sending_bank, bank_reference
    FROM slip WHERE uploader_key = ANY($2) ORDER BY created_at`,
  slipChecks: `SELECT c.slip_id, c.created_at, c.state, k.provider, k.asked_at, k.amount_satang, k.transferred_at, k.payer_name, k.payer_mask
    FROM slip_check c LEFT JOIN slip_ask k ON k.check_id = c.id WHERE c.owner_key = ANY($2) ORDER BY c.created_at, k.id`,
  wallet: 'SELECT created_at, balance_satang FROM wallet WHERE uid = ANY($1)',
  walletMoves: `SELECT t.kind, e.at, e.amount_satang FROM wallet w JOIN ledger_entry e ON e.account = 'wallet:' || w.id
    JOIN ledger_transaction t ON t.id = e.transaction_id WHERE w.uid = ANY($1) ORDER BY e.at, t.id`,
  topUps: `SELECT t.no, t.amount_satang, t.status, t.created_at, t.decided_at, t.slip_id
    FROM wallet w JOIN top_up t ON t.wallet_id = w.id WHERE w.uid = ANY($1) ORDER BY t.created_at`,
  news: 'SELECT kind, at, facts, email, line_id FROM owner_news WHERE uid = ANY($1) ORDER BY at',
  mails:
    'SELECT recipient, subject, text, state, created_at, settled_at FROM mail_message WHERE uid = ANY($1) ORDER BY id',
  lineMessages: `SELECT kind, messages, state, created_at, settled_at FROM chat_message
    WHERE recipient IN (SELECT subject FROM linked_identity WHERE uid = ANY($1)
      UNION SELECT substr(uid, 6) FROM unnest($1::text[]) AS u(uid) WHERE uid LIKE 'line:%') ORDER BY id`,
  erasureRequests: 'SELECT state, asked_at, approved_at, ended_at FROM erasure WHERE uids[1] = ANY($1) ORDER BY id',
}

/** So many rows of each kind are handed over; nobody's own hands made more. */
const MOST_ROWS = 100_000

/** Writes everything that the shop keeps of a person as JSON, one kind after the other, so that it never is in memory at once. */
export function copyOf(db: Sql, whose: Whose, now: Date): ReadableStream<Uint8Array> {
  const names = Object.keys(COPIED)
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const name = names[next]
      if (next === 0) controller.enqueue(encoder.encode(`{"writtenAt":${JSON.stringify(now.toISOString())}`))
      if (name === undefined) {
        controller.enqueue(encoder.encode('}\n'))
        controller.close()
        return
      }
      const rows = await readRows(db, COPIED[name]!, whose)
      controller.enqueue(encoder.encode(`,\n${JSON.stringify(name)}:${JSON.stringify(rows, null, 1)}`))
      next++
    },
  })
}

/** A query that has only one of the two values still has to say the other's type. */
function readRows(db: Sql, query: string, whose: Whose): Promise<Record<string, unknown>[]> {
  const text = `WITH asked AS (SELECT $1::text[] AS uids, $2::text[] AS keys) SELECT copied.* FROM (${query}) AS copied, asked LIMIT ${MOST_ROWS}`
  return db.query({ text, values: [whose.uids, keysOf(whose)] })
}
