import type { Sql } from '../database/database.ts'
import { worthSql } from '../transfer/order-money.ts'
import { keysOf, type Whose } from './store.ts'

/**
 * What a person gets of what the shop keeps of them, by the names in the file. Each is a query over $1 (uids), $2 (owner
 * keys) in an order without equals, because it is read page by page; notes of staff and other people's data are not among it.
 */
const COPIED: Record<string, string> = {
  account: `SELECT uid, username, given_name, family_name, phone, email, email_verified, status, role, providers, created_at
    FROM account WHERE uid = ANY($1) ORDER BY uid`,
  lineIdentity:
    'SELECT provider, subject, linked_at FROM linked_identity WHERE uid = ANY($1) ORDER BY provider, subject',
  bankAccount: 'SELECT bank_code, bank_account FROM agent_bank WHERE uid = ANY($1) ORDER BY uid',
  acceptedTerms:
    'SELECT version, accepted_at FROM terms_acceptance WHERE owner_key = ANY($2) ORDER BY accepted_at, version',
  orders: `SELECT order_no, status, created_at, paid_at, ended_at, snapshot->>'gameName' AS game, snapshot->>'packageName' AS package,
      quantity, payment, ${worthSql('orders')} AS amount_satang, credit_satang, player_id, player_name, snapshot->'fields' AS player_fields,
      proposed_player, delivery_reference, snapshot->>'termsVersion' AS terms_version, slip_id
    FROM orders WHERE buyer_key = ANY($2) ORDER BY created_at, id`,
  orderSteps: `SELECT o.order_no, e.kind, e.from_status, e.to_status, e.at FROM orders o JOIN order_event e ON e.order_id = o.id
    WHERE o.buyer_key = ANY($2) ORDER BY e.at, o.id, e.version`,
  refunds: `SELECT o.order_no, r.amount_satang, r.created_at, r.sent_at, r.reference, r.payee, r.payee_reason
    FROM orders o JOIN owed_refund r ON r.order_id = o.id
    WHERE o.buyer_key = ANY($2) AND r.from_credit_id IS NULL AND r.undone_at IS NULL ORDER BY r.created_at, r.id`,
  slips: `SELECT id, created_at, width, height, byte_size, sending_bank, bank_reference
    FROM slip WHERE uploader_key = ANY($2) ORDER BY created_at, id`,
  slipChecks: `SELECT c.slip_id, c.created_at, c.state, k.provider, k.asked_at, k.amount_satang, k.transferred_at, k.payer_name, k.payer_mask
    FROM slip_check c LEFT JOIN slip_ask k ON k.check_id = c.id WHERE c.owner_key = ANY($2) ORDER BY c.created_at, c.id, k.id`,
  wallet: 'SELECT created_at, balance_satang FROM wallet WHERE uid = ANY($1) ORDER BY id',
  walletMoves: `SELECT t.kind, e.at, e.amount_satang FROM wallet w JOIN ledger_entry e ON e.account = 'wallet:' || w.id
    JOIN ledger_transaction t ON t.id = e.transaction_id WHERE w.uid = ANY($1) ORDER BY e.at, t.id, e.amount_satang`,
  credit: 'SELECT created_at, balance_satang FROM credit WHERE uid = ANY($1) ORDER BY id',
  creditMoves: `SELECT t.kind, e.at, e.amount_satang FROM credit c JOIN ledger_entry e ON e.account = 'credit:' || c.id
    JOIN ledger_transaction t ON t.id = e.transaction_id WHERE c.uid = ANY($1) ORDER BY e.at, t.id, e.amount_satang`,
  creditWithdrawals: `SELECT r.amount_satang, r.created_at, r.sent_at, r.reference, r.payee
    FROM credit c JOIN owed_refund r ON r.from_credit_id = c.id WHERE c.uid = ANY($1) AND r.undone_at IS NULL ORDER BY r.created_at, r.id`,
  topUps: `SELECT t.no, t.amount_satang, t.payment, t.status, t.created_at, t.decided_at, t.slip_id
    FROM wallet w JOIN top_up t ON t.wallet_id = w.id WHERE w.uid = ANY($1) ORDER BY t.created_at, t.id`,
  news: 'SELECT kind, at, facts, email, line_id FROM owner_news WHERE uid = ANY($1) ORDER BY at, id',
  mails:
    'SELECT recipient, subject, text, state, created_at, settled_at FROM mail_message WHERE uid = ANY($1) ORDER BY id',
  lineMessages: `SELECT kind, messages, state, created_at, settled_at FROM chat_message
    WHERE recipient IN (SELECT subject FROM linked_identity WHERE uid = ANY($1)
      UNION SELECT substr(uid, 6) FROM unnest($1::text[]) AS u(uid) WHERE uid LIKE 'line:%') ORDER BY id`,
  apiKeys: `SELECT id, name, mode, scopes, addresses, daily_limit_satang, created_at, ended_at FROM reseller_key
    WHERE uid = ANY($1) ORDER BY created_at, id`,
  apiReferences: `SELECT o.order_no, r.ref, r.key_id FROM reseller_order r JOIN orders o ON o.id = r.order_id
    WHERE r.uid = ANY($1) ORDER BY r.order_id`,
  webhooks: 'SELECT url, mode, created_at FROM webhook_endpoint WHERE uid = ANY($1) ORDER BY created_at, id',
  erasureRequests: 'SELECT state, asked_at, approved_at, ended_at FROM erasure WHERE uids[1] = ANY($1) ORDER BY id',
}

/** Rows of one kind that are in memory at once. */
const PAGE_ROWS = 5000

/** Writes everything that the shop keeps of a person as JSON, page after page, so that it never is in memory at once. */
export function copyOf(db: Sql, whose: Whose, now: Date): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces = writeCopy(db, whose, now)
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

async function* writeCopy(db: Sql, whose: Whose, now: Date): AsyncGenerator<string> {
  yield `{"writtenAt":${JSON.stringify(now.toISOString())}`
  for (const [name, query] of Object.entries(COPIED)) {
    yield `,\n${JSON.stringify(name)}:[`
    for (let read = 0, got = PAGE_ROWS; got === PAGE_ROWS; read += got) {
      const rows = await readRows(db, query, whose, read)
      got = rows.length
      if (got > 0) yield `${read > 0 ? ',' : ''}\n${rows.map(row => JSON.stringify(row)).join(',\n')}`
    }
    yield ']'
  }
  yield '}\n'
}

/** A query that has only one of the two values still has to say the other's type. */
function readRows(db: Sql, query: string, whose: Whose, from: number): Promise<Record<string, unknown>[]> {
  const text = `WITH asked AS (SELECT $1::text[] AS uids, $2::text[] AS keys)
    SELECT copied.* FROM (${query}) AS copied, asked LIMIT ${PAGE_ROWS} OFFSET $3`
  return db.query({ text, values: [whose.uids, keysOf(whose), from] })
}
