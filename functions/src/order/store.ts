import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { PaymentCode, PriceRow } from '@shop/shared/catalogue/catalogue.ts'
import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Order, OrderEvent, OrderOutcome } from '@shop/shared/order/order.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { postLedger } from '../wallet/store.ts'

/** What is kept of names and labels as they were when the order was made. */
export interface OrderSnapshot {
  packageName: string
  fields: { name: 'field1' | 'field2' | 'field3' | 'field4' | 'field5'; label: string; value: string }[]
  termsVersion: string
}

/** An order with all that its pages show. */
export interface OrderRecord {
  order: Order
  trackToken: string
  buyerKey: string
  snapshot: OrderSnapshot
  game: { code: string; name: string; picture: string; usualMinutes: { from: number; to: number } }
  receivingAccount: (ReceivingAccount & { promptPayId: string | null }) | null
  buyer: { name: string | null; email: string | null; tel: string | null }
  claimedByName: string | null
  events: (OrderEvent & { actorName: string | null })[]
}

/** Columns of an order, named as the domain names them. */
export const ORDER_COLUMNS = `o.id, o.order_no AS "orderNo", o.status, o.version, o.buyer_uid AS "buyerUid",
  o.game_id AS "gameId", o.package_id AS "packageId", o.player_id AS "playerId", o.player_name AS "playerName",
  o.payment, o.quantity, o.price_satang AS "priceSatang", o.point_satang AS "pointSatang",
  o.receiving_account_id AS "receivingAccountId", o.wallet_id AS "walletId", o.created_at AS "createdAt",
  o.expires_at AS "expiresAt", o.expire_after AS "expireAfter", o.transfer_reported_at AS "transferReportedAt",
  o.slip_id AS "slipId", o.paid_at AS "paidAt", o.claimed_by AS "claimedBy", o.claimed_at AS "claimedAt",
  o.ended_at AS "endedAt", o.delivery_reference AS "deliveryReference", o.reason`

/** A receiving account as JSON comes out of the database. */
export type ReceivingAccountRow = Omit<ReceivingAccount, 'bankName' | 'hasPromptPay'> & { promptPayId: string | null }

export function receivingAccountOf(row: ReceivingAccountRow | null): OrderRecord['receivingAccount'] {
  return row && { ...row, bankName: bankOf(row.code).niceName, hasPromptPay: row.promptPayId !== null }
}

interface RecordRow extends Order {
  trackToken: string
  buyerKey: string
  snapshot: OrderSnapshot
  gameCode: string
  gameName: string
  gamePicture: string
  usualFrom: number
  usualTo: number
  account: ReceivingAccountRow | null
  buyerName: string | null
  buyerEmail: string | null
  buyerTel: string | null
  claimedByName: string | null
  events: EventRow[]
}

interface EventRow extends Omit<OrderEvent, 'actor' | 'at'> {
  actorUid: string | null
  actorRole: OrderEvent['actor']['role']
  actorName: string | null
  at: string
}

const RECORD_SQL = `SELECT ${ORDER_COLUMNS}, o.track_token AS "trackToken", o.buyer_key AS "buyerKey", o.snapshot,
    g.code AS "gameCode", g.name AS "gameName", g.picture AS "gamePicture",
    g.usual_minutes_from AS "usualFrom", g.usual_minutes_to AS "usualTo",
    CASE WHEN r.id IS NULL THEN NULL ELSE json_build_object('id', r.id, 'code', r.bank_code, 'logo', r.logo,
      'accountName', r.account_name, 'accountNo', r.account_no, 'branch', r.branch, 'promptPayId', r.prompt_pay_id) END AS account,
    ${personName('b')} AS "buyerName", b.email AS "buyerEmail", b.tel AS "buyerTel", ${personName('c')} AS "claimedByName",
    (SELECT json_agg(json_build_object('kind', e.kind, 'from', e.from_status, 'to', e.to_status, 'actorUid', e.actor_uid,
        'actorRole', e.actor_role, 'actorName', ${personName('p')}, 'reason', e.reason, 'at', e.at) ORDER BY e.version)
      FROM order_event e LEFT JOIN account p ON p.uid = e.actor_uid WHERE e.order_id = o.id) AS events
  FROM orders o
  JOIN game g ON g.id = o.game_id
  LEFT JOIN receiving_account r ON r.id = o.receiving_account_id
  LEFT JOIN account b ON b.uid = o.buyer_uid
  LEFT JOIN account c ON c.uid = o.claimed_by`

function recordOf(row: RecordRow): OrderRecord {
  const { trackToken, buyerKey, snapshot, gameCode, gameName, gamePicture, usualFrom, usualTo, account, events } = row
  const { buyerName, buyerEmail, buyerTel, claimedByName, ...rest } = row
  const order = Object.fromEntries(ORDER_KEYS.map(key => [key, rest[key]])) as unknown as Order
  return {
    order,
    trackToken,
    buyerKey,
    snapshot,
    game: { code: gameCode, name: gameName, picture: gamePicture, usualMinutes: { from: usualFrom, to: usualTo } },
    receivingAccount: receivingAccountOf(account),
    buyer: { name: buyerName, email: buyerEmail, tel: buyerTel },
    claimedByName,
    events: events.map(({ actorUid, actorRole, at, ...event }) => ({
      ...event,
      actor: { uid: actorUid, role: actorRole },
      at: new Date(at),
    })),
  }
}

const ORDER_KEYS = [...ORDER_COLUMNS.matchAll(/AS "(\w+)"|o\.(id|status|version|payment|quantity|reason)\b/g)].map(
  match => (match[1] ?? match[2]) as keyof Order,
)

export async function findOrder(
  db: Sql,
  by: { orderNo: string } | { trackToken: string },
): Promise<OrderRecord | null> {
  const [column, value] = 'orderNo' in by ? ['order_no', by.orderNo] : ['track_token', by.trackToken]
  const [row] = await db.query<RecordRow>({
    name: `order_by_${column}`,
    text: `${RECORD_SQL} WHERE o.${column} = $1`,
    values: [value],
  })
  return row ? recordOf(row) : null
}

/** Locks an order for a change in this transaction. */
export async function lockOrder(
  tx: Sql,
  orderNo: string,
): Promise<(Order & { buyerKey: string; trackToken: string }) | null> {
  const [row] = await tx.query<Order & { buyerKey: string; trackToken: string }>({
    name: 'order_lock',
    text: `SELECT ${ORDER_COLUMNS}, o.buyer_key AS "buyerKey", o.track_token AS "trackToken"
      FROM orders o WHERE o.order_no = $1 FOR UPDATE`,
    values: [orderNo],
  })
  return row ?? null
}

/** Locks orders whose time ran out; ones another job works on are skipped. */
export async function lockExpired(tx: Sql, now: Date, limit: number): Promise<Order[]> {
  return tx.query<Order>({
    name: 'order_lock_expired',
    text: `SELECT ${ORDER_COLUMNS} FROM orders o
      WHERE o.status = 'waiting_payment' AND o.expire_after <= $1 ORDER BY o.expire_after LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [now, limit],
  })
}

/** Stores a decision about an existing order: its new state, the event, the amount's release and the money. */
export async function saveOutcome(tx: Sql, { order, event, ledger, amountReusableAt }: OrderOutcome): Promise<void> {
  const saved = await tx.query({
    name: 'order_save',
    text: `WITH saved AS (
        UPDATE orders SET status = $2, version = $3, expire_after = $4, transfer_reported_at = $5, slip_id = $6,
          paid_at = $7, claimed_by = $8, claimed_at = $9, ended_at = $10, delivery_reference = $11, reason = $12
        WHERE id = $1 AND version = $3 - 1 RETURNING id
      ), happened AS (
        INSERT INTO order_event (order_id, version, kind, from_status, to_status, actor_uid, actor_role, reason, at)
        SELECT id, $3, $13, $14, $2, $15, $16, $17, $18 FROM saved
      ), released AS (
        UPDATE reserved_amount SET reusable_at = $20 FROM saved WHERE $19 AND order_id = saved.id
      )
      SELECT id FROM saved`,
    values: [
      ...[order.id, order.status, order.version, order.expireAfter, order.transferReportedAt, order.slipId],
      ...[order.paidAt, order.claimedBy, order.claimedAt, order.endedAt, order.deliveryReference, order.reason],
      ...[event.kind, event.from, event.actor.uid, event.actor.role, event.reason, event.at],
      ...[amountReusableAt !== undefined, amountReusableAt ?? null],
    ],
  })
  invariant(saved.length === 1, 'an order is saved from the version it was loaded at')
  if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: order.id, at: event.at })
}

/** A transfer amount that was just taken. */
export interface Reservation {
  id: string
  pointSatang: Satang
}

/**
 * Takes a free amount on a receiving account: price + 1 to 99 satang. The table's primary key decides who gets it.
 * @throws ACCOUNT_AMOUNTS_EXHAUSTED when all 99 are taken there; `details.accounts` names accounts that have one.
 * @throws AMOUNTS_EXHAUSTED when every account is full; says in how many minutes the first amount returns.
 */
export async function reserveAmount(
  tx: Sql,
  want: {
    receivingAccountId: number
    priceSatang: Satang
    buyerKey: string
    orderId: string | null
    reusableAt: Date | null
    now: Date
  },
): Promise<Reservation> {
  const id = uuidv7()
  for (;;) {
    const [row] = await tx.query<{ candidate: number | null; taken: number | null }>({
      name: 'amount_reserve',
      text: `WITH candidate AS (
          SELECT point FROM generate_series(1, 99) AS point
          WHERE NOT EXISTS (
            SELECT FROM reserved_amount r WHERE r.receiving_account_id = $2 AND r.amount_satang = $3::bigint + point
              AND r.amount_satang BETWEEN $3::bigint + 1 AND $3::bigint + 99
              AND (r.reusable_at IS NULL OR r.reusable_at > $7))
          ORDER BY random() LIMIT 1
        ), taken AS (
          INSERT INTO reserved_amount AS r (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at)
          SELECT $1, $2, $3::bigint + point, $3, $4, $5::uuid, $6 FROM candidate
          ON CONFLICT (receiving_account_id, amount_satang) DO UPDATE SET id = excluded.id,
            price_satang = excluded.price_satang, buyer_key = excluded.buyer_key, order_id = excluded.order_id,
            reusable_at = excluded.reusable_at
          WHERE r.reusable_at <= $7
          RETURNING amount_satang - price_satang AS point
        )
        SELECT (SELECT point FROM candidate) AS candidate, (SELECT point FROM taken) AS taken`,
      values: [id, want.receivingAccountId, want.priceSatang, want.buyerKey, want.orderId, want.reusableAt, want.now],
    })
    if (row?.taken) return { id, pointSatang: row.taken }
    // Somebody else took the candidate in the same moment: look again until none is left.
    if (!row?.candidate) throw await amountsExhausted(tx, want.priceSatang, want.now)
  }
}

async function amountsExhausted(tx: Sql, priceSatang: Satang, now: Date): Promise<AppError> {
  const accounts = await tx.query<{ id: number; taken: number; nextFreeAt: Date | null }>({
    text: `SELECT a.id, count(r.id)::int AS taken, min(coalesce(r.reusable_at, o.expire_after + interval '300 seconds')) AS "nextFreeAt"
      FROM receiving_account a
      LEFT JOIN reserved_amount r ON r.receiving_account_id = a.id AND r.amount_satang > $1 AND r.amount_satang < $1 + 100
        AND (r.reusable_at IS NULL OR r.reusable_at > $2)
      LEFT JOIN orders o ON o.id = r.order_id
      WHERE a.is_active GROUP BY a.id`,
    values: [priceSatang, now],
  })
  const free = accounts.filter(account => account.taken < 99).map(account => account.id)
  if (free.length > 0) return new AppError('ACCOUNT_AMOUNTS_EXHAUSTED', { details: { accounts: free } })
  const next = Math.min(...accounts.flatMap(account => (account.nextFreeAt ? [account.nextFreeAt.getTime()] : [])))
  const minutes = Number.isFinite(next) ? Math.max(1, Math.ceil((next - now.getTime()) / 60_000)) : 5
  return new AppError('AMOUNTS_EXHAUSTED', { values: { n: minutes } })
}

/** Gives a held amount to an order; throws HOLD_EXPIRED when it is gone, foreign, or was for another price. */
export async function adoptHold(
  tx: Sql,
  hold: { id: string; receivingAccountId: number; priceSatang: Satang; buyerKey: string; orderId: string; now: Date },
): Promise<Reservation> {
  const [row] = await tx.query<{ point: number }>({
    text: `UPDATE reserved_amount SET order_id = $5, reusable_at = NULL
      WHERE id = $1 AND receiving_account_id = $2 AND price_satang = $3 AND buyer_key = $4
        AND order_id IS NULL AND reusable_at > $6
      RETURNING amount_satang - price_satang AS point`,
    values: [hold.id, hold.receivingAccountId, hold.priceSatang, hold.buyerKey, hold.orderId, hold.now],
  })
  if (!row) throw new AppError('HOLD_EXPIRED')
  return { id: hold.id, pointSatang: row.point }
}

/** Removes amounts that are free again; the reserve statement does not depend on it. */
export async function deleteReusableAmounts(db: Sql, now: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM reserved_amount WHERE reusable_at <= $1', values: [now] })
}

/** A package's price row for one payment method with a tier's discount, and what of it exists. */
export async function findOffer(
  db: Sql,
  ask: { gameCode: string; packageId: number; paymentCode: PaymentCode; tierId: number | null },
): Promise<{ gameFound: boolean; packageFound: boolean; price: PriceRow | null; discountSatang: Satang }> {
  const [row] = await db.query<{
    gameId: number | null
    packageId: number | null
    price: PriceRow | null
    discountSatang: number | null
  }>({
    name: 'order_offer',
    text: `SELECT g.id AS "gameId", p.id AS "packageId", b.discount_satang AS "discountSatang",
        CASE WHEN r.id IS NULL THEN NULL ELSE json_build_object('priceSatang', r.price_satang, 'startDay', r.start_day,
          'endDay', r.end_day, 'isActive', r.is_active) END AS price
      FROM (VALUES (1)) AS one
      LEFT JOIN game g ON g.code = $1 AND g.is_active
      LEFT JOIN package p ON p.id = $2 AND p.game_id = g.id AND p.is_active
      LEFT JOIN package_price r ON r.package_id = p.id AND r.payment = $3
      LEFT JOIN benefit b ON b.package_id = p.id AND b.tier_id = $4 AND b.is_active AND $3 = 'wallet'`,
    values: [ask.gameCode, ask.packageId, ask.paymentCode, ask.tierId],
  })
  return {
    gameFound: row!.gameId !== null,
    packageFound: row!.packageId !== null,
    price: row!.price,
    discountSatang: row!.discountSatang ?? 0,
  }
}
