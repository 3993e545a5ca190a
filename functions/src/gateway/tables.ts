import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { type ChargeState, OPEN_CHARGE_STATES } from '@shop/shared/gateway/gateway.ts'
import type { GatewayName } from '@shop/shared/provider-names.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, listSql, satang } from '../database/columns.ts'
import type { Pay } from './provider.ts'

/** SQL condition for charges that a gateway may still take money for. */
export const IS_OPEN_CHARGE = `state IN (${listSql(OPEN_CHARGE_STATES)})`

/** One try to have an order or a top-up paid through a gateway. The row is stored before the gateway is asked. */
export const charge = pgTable(
  'charge',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    orderId: uuid('order_id'),
    topUpId: uuid('top_up_id'),
    gateway: text().$type<GatewayName>().notNull(),
    method: text().$type<GatewayMethod>().notNull(),
    amountSatang: satang('amount_satang').notNull(),
    surchargeSatang: satang('surcharge_satang').notNull(),
    isLive: boolean('is_live').notNull(),
    state: text().$type<ChargeState>().notNull(),
    reference: text(),
    isWanted: boolean('is_wanted').notNull(),
    /** Whoever has the order's tracking link asked for it, and not its buyer. */
    byLink: boolean('by_link').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    paidAt: instant('paid_at'),
    feeSatang: satang('fee_satang'),
    /** How the buyer pays it; null before the gateway has said so. */
    pay: jsonb().$type<Pay>(),
    /** What the gateway said that can't be; people must look. */
    contradiction: text(),
    /** Since when the gateway has given no answer about it; null once it has. */
    silentSince: instant('silent_since'),
    /** When a person said that nothing more is expected of it; news of the gateway open it again. */
    closedAt: instant('closed_at'),
  },
  t => [
    check(
      'charge_amounts',
      sql`${t.amountSatang} > 0 AND ${t.surchargeSatang} >= 0 AND ${t.surchargeSatang} < ${t.amountSatang}`,
    ),
    check('charge_owner', sql`num_nonnulls(${t.orderId}, ${t.topUpId}) = 1`),
    check('charge_paid', sql`(${t.state} = 'paid') = (${t.paidAt} IS NOT NULL)`),
    index('charge_order').on(t.orderId, t.id),
    index('charge_top_up').on(t.topUpId, t.id).where(sql`${t.topUpId} IS NOT NULL`).concurrently(),
    uniqueIndex('charge_reference').on(t.gateway, t.reference),
    index('charge_created').on(t.gateway, t.createdAt),
    // Adds up what gateways kept of the money of some days.
    index('charge_paid').on(t.paidAt, t.orderId).where(sql`${t.state} = 'paid'`).concurrently(),
    index('charge_contradiction').on(t.id).where(sql`${t.contradiction} IS NOT NULL`),
    index('charge_silent').on(t.silentSince).where(sql`${t.silentSince} IS NOT NULL`).concurrently(),
    index('charge_open').on(t.expiresAt).where(sql.raw(IS_OPEN_CHARGE)).concurrently(),
  ],
)

/**
 * What a gateway held when a Bangkok day ended, by the books, which no longer change by then. Whatever asks what it holds
 * adds up the days since.
 */
export const gatewayHeld = pgTable(
  'gateway_held',
  {
    gateway: text().$type<GatewayName>().notNull(),
    day: date().notNull(),
    heldSatang: satang('held_satang').notNull(),
  },
  t => [primaryKey({ columns: [t.gateway, t.day] })],
)
