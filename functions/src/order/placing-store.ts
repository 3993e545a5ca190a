import type { PaymentCode, PriceRow } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderOutcome } from '@shop/shared/order/order.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import type { Once } from '../http/idempotency.ts'
import { type Settings, settingsFrom } from '../settings/store.ts'
import { ledgerCtes, ledgerValues } from '../wallet/store.ts'
import { type OrderRecord, type OrderSnapshot, type ReceivingAccountRow, receivingAccountOf } from './store.ts'

/** All that deciding about a new bank order needs, read in one round trip. */
export interface PlacingFacts {
  kept: { requestHash: string; reply: { orderNo: string } } | null
  settings: Settings
  game: (OrderRecord['game'] & { id: number; fieldLabels: string[] }) | null
  package: { id: number; gameId: number; name: string } | null
  price: PriceRow | null
  receivingAccount: OrderRecord['receivingAccount']
  /** The buyer's unpaid, unreported orders. */
  unpaidOrderNos: string[]
  /** The buyer's reported orders that still wait for staff. */
  reportedCount: number
  /** Slots unpaid guest orders hold for this player. */
  guestSlots: number[]
}

type FactsRow = Omit<PlacingFacts, 'settings' | 'receivingAccount'> & {
  options: Record<string, string> | null
  receivingAccount: ReceivingAccountRow | null
}

const FACTS_SQL = `SELECT
  (SELECT json_build_object('requestHash', request_hash, 'reply', reply) FROM idempotency_key WHERE scope = $1 AND key = $2) AS kept,
  (SELECT json_object_agg(name, value) FROM option) AS options,
  (SELECT json_build_object('id', id, 'code', code, 'name', name, 'picture', picture, 'fieldLabels', field_labels,
      'usualMinutes', json_build_object('from', usual_minutes_from, 'to', usual_minutes_to))
    FROM game WHERE id = $3 AND is_active) AS game,
  (SELECT json_build_object('id', id, 'gameId', game_id, 'name', name) FROM package WHERE id = $4 AND is_active) AS package,
  (SELECT json_build_object('priceSatang', price_satang, 'startDay', start_day, 'endDay', end_day, 'isActive', is_active)
    FROM package_price WHERE package_id = $4 AND payment = $5) AS price,
  (SELECT json_build_object('id', id, 'code', bank_code, 'logo', logo, 'accountName', account_name, 'accountNo', account_no,
      'branch', branch, 'promptPayId', prompt_pay_id) FROM receiving_account WHERE id = $6 AND is_active) AS "receivingAccount",
  (SELECT coalesce(json_agg(order_no), '[]') FROM orders
    WHERE buyer_key = $7 AND status = 'waiting_payment' AND transfer_reported_at IS NULL) AS "unpaidOrderNos",
  (SELECT count(*)::int FROM orders
    WHERE buyer_key = $7 AND status = 'waiting_payment' AND transfer_reported_at IS NOT NULL) AS "reportedCount",
  (SELECT coalesce(json_agg(guest_slot), '[]') FROM orders
    WHERE game_id = $3 AND player_id = $8 AND guest_slot IS NOT NULL AND status = 'waiting_payment') AS "guestSlots"`

export async function findPlacingFacts(
  db: Sql,
  ask: {
    once: Pick<Once, 'scope' | 'key'>
    gameId: number
    packageId: number
    payment: PaymentCode
    receivingAccountId: number | null
    buyerKey: string
    playerId: string
  },
): Promise<PlacingFacts> {
  const { once, gameId, packageId, payment, receivingAccountId, buyerKey, playerId } = ask
  const [row] = await db.query<FactsRow>({
    name: 'order_placing_facts',
    text: FACTS_SQL,
    values: [once.scope, once.key, gameId, packageId, payment, receivingAccountId, buyerKey, playerId],
  })
  const { options, receivingAccount, ...facts } = row!
  return {
    ...facts,
    receivingAccount: receivingAccountOf(receivingAccount),
    settings: settingsFrom(options ?? {}),
  }
}

const INSERT_CTES = `made AS (
    INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, guest_slot, game_id, package_id,
      player_id, player_name, snapshot, payment, quantity, price_satang, point_satang, receiving_account_id, wallet_id,
      created_at, expires_at, expire_after, paid_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
    RETURNING id
  ), happened AS (
    INSERT INTO order_event (order_id, version, kind, from_status, to_status, actor_uid, actor_role, reason, at)
    SELECT id, $5, $24, NULL, $4, $25, $26, NULL, $20 FROM made
  ), kept AS (
    INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at)
    SELECT $27, $28, $29, jsonb_build_object('orderNo', $2::text), $20 FROM made
  )`
const PARAMETERS = 29

/** A right PIN ends the count of wrong ones, in the statement that spends. */
const PIN_CTE =
  'pin_cleared AS (UPDATE pin SET wrong_tries = 0, locked_until = NULL WHERE uid = $7 AND wrong_tries > 0)'

/**
 * Stores a new order with its first event, the reply its idempotency key keeps and the money it moves,
 * in one statement.
 */
export async function insertOrder(
  tx: Sql,
  placed: {
    outcome: OrderOutcome
    trackToken: string
    buyerKey: string
    guestSlot: number | null
    snapshot: OrderSnapshot
    once: Once
  },
): Promise<void> {
  const { order, event, ledger } = placed.outcome
  const ctes = [INSERT_CTES]
  if (order.payment === 'wallet') ctes.push(PIN_CTE)
  if (ledger) ctes.push(ledgerCtes(PARAMETERS + 1))
  await tx.query({
    name: `order_insert_${order.payment}${ledger ? '_posted' : ''}`,
    text: `WITH ${ctes.join(', ')} SELECT 1`,
    values: [
      ...[order.id, order.orderNo, placed.trackToken, order.status, order.version, placed.buyerKey, order.buyerUid],
      ...[placed.guestSlot, order.gameId, order.packageId, order.playerId, order.playerName],
      ...[JSON.stringify(placed.snapshot), order.payment, order.quantity, order.priceSatang, order.pointSatang],
      ...[order.receivingAccountId, order.walletId, order.createdAt, order.expiresAt, order.expireAfter, order.paidAt],
      ...[event.kind, event.actor.uid, event.actor.role, placed.once.scope, placed.once.key, placed.once.requestHash],
      ...(ledger ? ledgerValues({ ...ledger, id: uuidv7(), subjectId: order.id, at: event.at }) : []),
    ],
  })
}
