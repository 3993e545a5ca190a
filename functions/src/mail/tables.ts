import type { OwnerNewsKind } from '@shop/shared/account/news.ts'
import type { MailState } from '@shop/shared/mail/mail.ts'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** What the shop mails. The words are made once, so that every try sends the same. */
export const mailMessage = pgTable(
  'mail_message',
  {
    /** UUIDv7; also the mail's own id. */
    id: uuid().primaryKey(),
    /** What it tells, and to whom: there is one mail for it. */
    key: text().notNull().unique('mail_message_once'),
    kind: text().$type<OwnerNewsKind>().notNull(),
    /** Whose account it is about. */
    uid: text().notNull(),
    /** An address as it was typed; a bad one ends the mail. */
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    state: text().$type<MailState>().notNull().default('waiting'),
    /** Tries at the server. */
    attempts: integer().notNull().default(0),
    /** Why the last try failed, or why it is dead. */
    reason: text(),
    /** Past it there is no other try. */
    tryUntil: instant('try_until').notNull(),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  t => [
    index('mail_message_state').on(t.state, t.id).where(sql`${t.state} <> 'sent'`),
    index('mail_message_settled').on(t.settledAt),
  ],
)
