import { GATEWAY_METHODS, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { OrderEvent } from '@shop/shared/order/order.ts'
import type { Payee } from '@shop/shared/order/payee.ts'
import type { Player, TypedField } from '@shop/shared/order/player.ts'
import { type OrderStatus, RUNNING_STATUSES } from '@shop/shared/order/status.ts'
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { game, gamePackage, receivingAccount, type StoredAccount } from '../catalogue/tables.ts'
import { instant, listSql, satang } from '../database/columns.ts'
import { slip } from '../upload/tables.ts'
import { credit, wallet } from '../wallet/tables.ts'

/** The facts that an order shows as they were when it was placed, whatever the back office changes later. */
export interface OrderSnapshot {
  gameName: string
  gamePicture: string
  packageName: string
  usualMinutes: { from: number; to: number }
  /** The account that its transfer goes to; null for wallet orders. */
  receivingAccount: StoredAccount | null
  fields: TypedField[]
  termsVersion: string
  /** The package's warning that the buyer agreed to; missing where it had none. */
  acceptedWarning?: string
}

/** The statuses of orders that are still under way for their buyers, as an SQL list. */
export const RUNNING_STATUS_LIST = listSql(RUNNING_STATUSES)

/**
 * The buyer of an order that waits for its payment, else null. How many orders wait changes within seconds, long before
 * the planner's statistics know. Only the index of this very expression can serve a condition on it, so the statements
 * that ask whether a buyer has such an order never read those of all others. @param o the table or its alias
 */
export const waitingBuyer = (o: string): string => `(CASE WHEN ${o}.status = 'waiting_payment' THEN ${o}.buyer_key END)`

/** The player whom an unpaid, unreported order of a guest names, else null; an expression for the same reason. */
export const slottedPlayer = (o: string): string =>
  `(CASE WHEN ${o}.status = 'waiting_payment' AND ${o}.transfer_reported_at IS NULL AND ${o}.guest_slot IS NOT NULL
    THEN ${playerOfGame(`${o}.game_id`, `${o}.player_id`)} END)`

/** A player of one game as one text. */
export const playerOfGame = (gameId: string, playerId: string): string => `${gameId}::text || ' ' || ${playerId}`

/** Numbers orders when they are paid. A sequence makes nobody wait; numbers of rolled-back transactions are missing. */
export const orderQueueNo = pgSequence('order_queue_no')

export const orders = pgTable(
  'orders',
  {
    id: uuid().primaryKey(),
    orderNo: text('order_no').notNull(),
    /** 128 random bits; whoever has the tracking link may see the order. */
    trackToken: text('track_token').notNull().unique('orders_track_token'),
    status: text().$type<OrderStatus>().notNull(),
    version: integer().notNull(),
    /** `u:<uid>` or `g:<hash of the guest key>`. */
    buyerKey: text('buyer_key').notNull(),
    buyerUid: text('buyer_uid'),
    /** 1..3; limits how many unpaid, unreported guest orders name the same player. */
    guestSlot: smallint('guest_slot'),
    gameId: integer('game_id')
      .notNull()
      .references(() => game.id),
    packageId: integer('package_id')
      .notNull()
      .references(() => gamePackage.id),
    playerId: text('player_id').notNull(),
    playerName: text('player_name'),
    snapshot: jsonb().$type<OrderSnapshot>().notNull(),
    payment: text().$type<PaymentCode>().notNull(),
    quantity: integer().notNull(),
    priceSatang: satang('price_satang').notNull(),
    tailSatang: satang('tail_satang').notNull(),
    /** The shop's cost of its pieces when it was placed; null when unknown. */
    costSatang: satang('cost_satang'),
    receivingAccountId: integer('receiving_account_id').references(() => receivingAccount.id),
    walletId: uuid('wallet_id').references(() => wallet.id),
    creditId: uuid('credit_id').references(() => credit.id),
    /** The part of its price that shop credit pays beside another method; 0 without, and when credit pays it all. */
    creditSatang: satang('credit_satang').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    expireAfter: instant('expire_after'),
    transferReportedAt: instant('transfer_reported_at'),
    slipId: uuid('slip_id').references(() => slip.id),
    paidAt: instant('paid_at'),
    /** Assigned when the order is first paid, and never changed. */
    queueNo: integer('queue_no'),
    claimedBy: text('claimed_by'),
    claimedAt: instant('claimed_at'),
    /** The end of the claim's lease, after which the order is free again; null without a claim. */
    claimUntil: instant('claim_until'),
    endedAt: instant('ended_at'),
    deliveryReference: text('delivery_reference'),
    reason: text(),
    /** For a failed order: the player that its buyer proposes instead. */
    proposedPlayer: jsonb('proposed_player').$type<Player>(),
  },
  t => [
    check('orders_amounts', sql`${t.priceSatang} >= 0 AND ${t.tailSatang} BETWEEN 0 AND 99 AND ${t.quantity} >= 1`),
    check(
      'orders_payment',
      sql`(${t.payment} = 'bank' AND ${t.receivingAccountId} IS NOT NULL AND ${t.tailSatang} >= 1)
       OR (${t.payment} = 'wallet' AND ${t.walletId} IS NOT NULL AND ${t.tailSatang} = 0)
       OR (${t.payment} IN (${sql.raw(listSql(GATEWAY_METHODS))}) AND ${t.receivingAccountId} IS NULL
         AND ${t.walletId} IS NULL AND ${t.tailSatang} = 0)
       OR (${t.payment} = 'credit' AND ${t.creditId} IS NOT NULL AND ${t.receivingAccountId} IS NULL
         AND ${t.walletId} IS NULL AND ${t.tailSatang} = 0)`,
    ),
    check(
      'orders_credit',
      sql`${t.creditSatang} = 0 OR (${t.creditSatang} BETWEEN 1 AND ${t.priceSatang} - 1 AND ${t.creditId} IS NOT NULL
        AND ${t.payment} NOT IN ('wallet', 'credit'))`,
    ),
    check('orders_numbered', sql`${t.paidAt} IS NULL OR ${t.queueNo} IS NOT NULL`),
    check('orders_claim', sql`${t.claimUntil} IS NULL OR (${t.status} = 'processing' AND ${t.claimedBy} IS NOT NULL)`),
    // Allows one unpaid order per buyer; one whose transfer was reported no longer blocks the next purchase.
    // With this operator class the index also serves `LIKE 'KT2611%'`, whatever the database's collation is.
    uniqueIndex('orders_order_no').on(t.orderNo.op('text_pattern_ops')),
    uniqueIndex('orders_one_unpaid')
      .on(t.buyerKey)
      .where(sql`${t.status} = 'waiting_payment' AND ${t.transferReportedAt} IS NULL`),
    index('orders_waiting_buyer')
      .on(sql.raw(waitingBuyer('orders')))
      .where(sql.raw(`${waitingBuyer('orders')} IS NOT NULL`))
      .concurrently(),
    uniqueIndex('orders_guest_slot')
      .on(t.gameId, t.playerId, t.guestSlot)
      .where(sql`${t.status} = 'waiting_payment' AND ${t.transferReportedAt} IS NULL AND ${t.guestSlot} IS NOT NULL`),
    index('orders_slotted_player')
      .on(sql.raw(slottedPlayer('orders')))
      .where(sql.raw(`${slottedPlayer('orders')} IS NOT NULL`))
      .concurrently(),
    index('orders_buyer').on(t.buyerKey, t.createdAt, t.id),
    // Counts and lists what a buyer sees under one tab, however many other orders they have.
    index('orders_buyer_status').on(t.buyerKey, t.status, t.createdAt, t.id),
    index('orders_created').on(t.createdAt, t.id),
    index('orders_status_created').on(t.status, t.createdAt, t.id),
    // Only orders that wait for their payment have such a moment.
    index('orders_expire_after').on(t.expireAfter).where(sql`${t.expireAfter} IS NOT NULL`).concurrently(),
    index('orders_late_report')
      .on(t.createdAt, t.id)
      .where(sql`${t.status} = 'expired' AND ${t.transferReportedAt} IS NOT NULL`),
    // What staff look through on every page, however many others wait in a rush.
    index('orders_reported')
      .on(t.transferReportedAt)
      .where(sql`${t.status} = 'waiting_payment' AND ${t.transferReportedAt} IS NOT NULL`)
      .concurrently(),
    // Finds a buyer's running orders, however many orders they have; `IS_RUNNING` in own-store.ts must be the same
    // condition.
    index('orders_running')
      .on(t.buyerKey, t.createdAt)
      .where(sql`${t.status} IN (${sql.raw(RUNNING_STATUS_LIST)})
        OR (${t.status} = 'expired' AND ${t.transferReportedAt} IS NOT NULL)`),
    index('orders_proposed')
      .on(t.createdAt, t.id)
      .where(sql`${t.status} = 'failed' AND ${t.proposedPlayer} IS NOT NULL`),
    // What the shop holds the money of without having delivered, however many orders there are.
    index('orders_failed').on(t.endedAt, t.id).where(sql`${t.status} = 'failed'`).concurrently(),
    // Finds the orders to be delivered, however many have ended.
    index('orders_queue').on(t.paidAt, t.id).where(sql`${t.status} IN ('paid', 'processing')`),
    // The orders of a slip: asked for each one that is swept away, also by its foreign key.
    index('orders_slip').on(t.slipId).where(sql`${t.slipId} IS NOT NULL`).concurrently(),
    index('orders_lease').on(t.claimUntil).where(sql`${t.claimUntil} IS NOT NULL`),
    index('orders_delivered').on(t.gameId, t.endedAt).where(sql`${t.status} = 'success'`),
    // Sorts orders by what they bring; as `worthSql` has it.
    index('orders_total').on(sql`(${t.priceSatang} + ${t.tailSatang})`, t.createdAt, t.id),
    // Looks up orders by the exact amount of a statement line; as `dueSql` has it.
    index('orders_due')
      .on(sql`(${t.priceSatang} + ${t.tailSatang} - ${t.creditSatang})`, t.createdAt, t.id)
      .concurrently(),
    uniqueIndex('orders_queue_no').on(t.queueNo).where(sql`${t.queueNo} IS NOT NULL`),
    // As `PAID_AT` has it: unpaid orders come first. There are no nulls, so that a list can continue after any row.
    index('orders_paid').on(sql`(coalesce(${t.paidAt}, '-infinity'))`, t.id),
    // Orders that moved no money and so have no ledger entry, for the wallets' history.
    index('orders_free').on(t.createdAt, t.id).where(sql`${t.walletId} IS NOT NULL AND ${t.priceSatang} = 0`),
    index('orders_game_created').on(t.gameId, t.createdAt, t.id),
    // The text of an order that staff search; `inOrderWords` in listing.ts must use the same expression.
    index('orders_words').using(
      'gin',
      sql`replace(${t.orderNo} || ' ' || ${t.playerId} || ' ' || coalesce(${t.playerName}, ''), '-', 'ǀ') gin_trgm_ops`,
    ),
    // The last five digits of an order's number and of its player's id; `hasEnd` in listing.ts must use the same expression.
    index('orders_ends').using('gin', sql`(ARRAY[right(${t.orderNo}, 5), right(${t.playerId}, 5)])`).concurrently(),
    // A month's orders by queue number; `MONTH` in history-store.ts must use the same expression.
    index('orders_month_queue')
      .on(sql`(date_trunc('month', ${t.createdAt} AT TIME ZONE 'Asia/Bangkok'))`, t.queueNo)
      .where(sql`${t.queueNo} IS NOT NULL`),
  ],
)

/** Who changed what about an order, when and why. Append-only; `version` is the order's version after the change. */
export const orderEvent = pgTable(
  'order_event',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    version: integer().notNull(),
    kind: text().$type<OrderEvent['kind']>().notNull(),
    fromStatus: text('from_status').$type<OrderStatus>(),
    toStatus: text('to_status').$type<OrderStatus>().notNull(),
    actorUid: text('actor_uid'),
    actorRole: text('actor_role').$type<OrderEvent['actor']['role']>().notNull(),
    reason: text(),
    at: instant('at').notNull(),
  },
  t => [
    primaryKey({ columns: [t.orderId, t.version] }),
    // The latest changes that are told on the first page, and those of one day; `IS_TOLD` in backlog/today-store.ts must
    // be the same condition.
    index('order_event_told')
      .on(t.at)
      .where(sql`${t.kind} IN ('created', 'status')
      AND ${t.toStatus} IN ('paid', 'success', 'failed', 'refunding', 'refunded')`),
  ],
)

/**
 * What the buyer of a failed order asked for: their money, and where to. It is there only while the order is failed; the
 * account goes to the refund once that is decided.
 */
export const refundRequest = pgTable('refund_request', {
  orderId: uuid('order_id')
    .primaryKey()
    .references(() => orders.id),
  askedAt: instant('asked_at').notNull(),
  payee: jsonb().$type<Payee>(),
  payeeAt: instant('payee_at'),
  /** As in `owed_refund`. */
  payeeHash: text('payee_hash'),
  payeeReason: text('payee_reason'),
  paidSlipId: uuid('paid_slip_id'),
})

/**
 * Transfer amounts in use. The primary key makes sure that an amount on an account belongs to one order only.
 * `reusableAt` null: taken while its order can be paid; in the past: free to be given out again.
 */
export const reservedAmount = pgTable(
  'reserved_amount',
  {
    id: uuid().notNull(),
    receivingAccountId: integer('receiving_account_id')
      .notNull()
      .references(() => receivingAccount.id),
    amountSatang: satang('amount_satang').notNull(),
    priceSatang: satang('price_satang').notNull(),
    buyerKey: text('buyer_key').notNull(),
    /** null for a hold that no order uses yet. */
    orderId: uuid('order_id'),
    reusableAt: instant('reusable_at'),
  },
  t => [
    primaryKey({ columns: [t.receivingAccountId, t.amountSatang] }),
    index('reserved_amount_order').on(t.orderId),
    index('reserved_amount_held').on(t.buyerKey).where(sql`${t.orderId} IS NULL`),
    index('reserved_amount_reusable').on(t.reusableAt).where(sql`${t.reusableAt} IS NOT NULL`),
  ],
)
