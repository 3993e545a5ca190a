import type { ApiStatus } from '@shop/shared/reseller/reseller.ts'
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { account, resellerKey } from '../account/tables.ts'
import { instant, satang } from '../database/columns.ts'
import { orders } from '../order/tables.ts'

/** What was done with a key in a Bangkok day. */
export const resellerDay = pgTable(
  'reseller_day',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => resellerKey.id),
    day: date({ mode: 'string' }).notNull(),
    calls: integer().notNull().default(0),
    errors: integer().notNull().default(0),
    orders: integer().notNull().default(0),
    spentSatang: satang('spent_satang').notNull().default(0),
    lastUsedAt: instant('last_used_at'),
    lastUsedFrom: text('last_used_from'),
  },
  t => [primaryKey({ columns: [t.keyId, t.day] }), index('reseller_day_day').on(t.day)],
)

/** A call of a machine, for its owner to see what it asked and what was answered. No secret and no body is kept. */
export const resellerCall = pgTable(
  'reseller_call',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => resellerKey.id),
    at: instant('at').notNull(),
    /** The call's name in the API's document. */
    call: text().notNull(),
    status: smallint().notNull(),
    /** The code of its error. */
    code: text(),
    /** What the caller names the order by, or the order's number. */
    ref: text(),
    address: text().notNull(),
  },
  t => [
    index('reseller_call_list').on(t.keyId, t.id),
    index('reseller_call_failed').on(t.keyId, t.id).where(sql`${t.status} >= 400`),
    index('reseller_call_at').on(t.at),
  ],
)

/** An order that a key placed, as it was asked for. */
export const resellerOrder = pgTable(
  'reseller_order',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    /** The key's. It names no row of accounts, whose lock would stand between a key's and the purchase. */
    uid: text().notNull(),
    keyId: text('key_id')
      .notNull()
      .references(() => resellerKey.id),
    /** The caller's own reference. */
    ref: text().notNull(),
    /** Tells another body with the same reference. */
    requestHash: text('request_hash').notNull(),
    /** What was ordered; the order itself is reduced when only some of it comes. */
    quantity: integer().notNull(),
    priceSatang: satang('price_satang').notNull(),
    /** When its caller canceled it. */
    canceledAt: instant('canceled_at'),
  },
  t => [
    unique('reseller_order_ref').on(t.uid, t.ref),
    // Orders have ascending ids.
    index('reseller_order_list').on(t.uid, t.orderId),
  ],
)

/** The play money of an agent's test keys. */
export const playWallet = pgTable(
  'play_wallet',
  {
    uid: text()
      .primaryKey()
      .references(() => account.uid),
    balanceSatang: satang('balance_satang').notNull(),
  },
  t => [check('play_wallet_balance_not_negative', sql`${t.balanceSatang} >= 0`)],
)

/** An order of a test key. No part of the shop but the test mode of the API reads it. */
export const playOrder = pgTable(
  'play_order',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    no: text().notNull().unique('play_order_no'),
    uid: text()
      .notNull()
      .references(() => account.uid),
    ref: text().notNull(),
    requestHash: text('request_hash').notNull(),
    packageId: integer('package_id').notNull(),
    playerId: text('player_id'),
    status: text().$type<ApiStatus>().notNull(),
    quantity: integer().notNull(),
    delivered: integer().notNull().default(0),
    priceSatang: satang('price_satang').notNull(),
    refundedSatang: satang('refunded_satang').notNull().default(0),
    /** How far it is on the way that its package goes. */
    step: smallint().notNull().default(0),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
  },
  t => [
    unique('play_order_ref').on(t.uid, t.ref),
    index('play_order_list').on(t.uid, t.id),
    index('play_order_created').on(t.createdAt),
  ],
)

/** What moved in a play wallet. */
export const playEntry = pgTable(
  'play_entry',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    orderId: uuid('order_id').references(() => playOrder.id),
    amountSatang: satang('amount_satang').notNull(),
    /** The balance after it. */
    balanceSatang: satang('balance_satang').notNull(),
    at: instant('at').notNull(),
  },
  t => [
    index('play_entry_list').on(t.uid, t.id),
    index('play_entry_at').on(t.at),
    index('play_entry_order').on(t.orderId),
  ],
)
