import type { MailKind, MailState } from '@shop/shared/mail/mail.ts'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Mails of the shop. Their words are made once, so that every try sends the same. */
export const mailMessage = pgTable(
  'mail_message',
  {
    /** UUIDv7; also the mail's own id. */
    id: uuid().primaryKey(),
    /** Identifies content and receiver; only one mail is stored for it. */
    key: text().notNull().unique('mail_message_once'),
    kind: text().$type<MailKind>().notNull(),
    /** The account that the mail is about, or whose owner it goes to; '' for a guest. */
    uid: text().notNull(),
    /** The address as it was typed; the mail ends when it is invalid. */
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    state: text().$type<MailState>().notNull().default('waiting'),
    /** The number of tries at the mail server. */
    attempts: integer().notNull().default(0),
    /** Why the last try failed, or why the mail was given up. */
    reason: text(),
    /** After this moment there are no more tries. */
    tryUntil: instant('try_until').notNull(),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  t => [
    index('mail_message_state').on(t.state, t.id).where(sql`${t.state} <> 'sent'`),
    index('mail_message_settled').on(t.settledAt),
    index('mail_message_recipient').on(t.recipient, t.id).concurrently(),
  ],
)
