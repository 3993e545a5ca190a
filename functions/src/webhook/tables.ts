import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import type { ChosenEvent, MessageState, WebhookEvent, WebhookOff } from '@shop/shared/webhook/webhook.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { instant } from '../database/columns.ts'

/** Where an agent's machine is told about events. */
export const webhookEndpoint = pgTable(
  'webhook_endpoint',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    uid: text()
      .notNull()
      .references(() => account.uid),
    mode: text().$type<KeyMode>().notNull(),
    url: text().notNull(),
    /** Encrypted for this row with one of VOUCHER_KEYS. */
    secret: text().notNull(),
    /** The one of before, which also signs until then. */
    oldSecret: text('old_secret'),
    oldSecretUntil: instant('old_secret_until'),
    isOn: boolean('is_on').notNull().default(true),
    /** The only events that are sent there; null for all, also those that come to be. */
    events: text().array().$type<ChosenEvent[]>(),
    offFor: text('off_for').$type<WebhookOff>(),
    /** The first failure since the last success. */
    failingSince: instant('failing_since'),
    /** After a failure nothing else is sent there before this. */
    restsUntil: instant('rests_until'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    index('webhook_endpoint_owner').on(t.uid, t.mode),
    index('webhook_endpoint_failing').on(t.failingSince).where(sql`${t.failingSince} IS NOT NULL`),
  ],
)

/** What is or was to be sent to an endpoint. */
export const webhookMessage = pgTable(
  'webhook_message',
  {
    /** The header `webhook-id` of all its deliveries, after `msg_`. */
    id: uuid().primaryKey(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoint.id, { onDelete: 'cascade' }),
    type: text().$type<WebhookEvent>().notNull(),
    /** The bytes that are signed and sent. */
    body: text().notNull(),
    state: text().$type<MessageState>().notNull().default('waiting'),
    tries: integer().notNull().default(0),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    createdAt: instant('created_at').notNull(),
    triedAt: instant('tried_at'),
    nextAt: instant('next_at'),
    settledAt: instant('settled_at'),
  },
  t => [
    index('webhook_message_log').on(t.endpointId, t.createdAt, t.id),
    index('webhook_message_settled').on(t.settledAt).where(sql`${t.settledAt} IS NOT NULL`),
    index('webhook_message_waiting').on(t.endpointId).where(sql`${t.state} = 'waiting'`),
  ],
)
