import type { Caller } from '@shop/shared/permissions.ts'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Who changed what in the back office. Append-only. */
export const auditEntry = pgTable(
  'audit_entry',
  {
    id: uuid().primaryKey(),
    at: instant('at').notNull(),
    actorUid: text('actor_uid').notNull(),
    actorRole: text('actor_role').$type<Caller>().notNull(),
    /** `noun.verb`, e.g. "account.setRole". */
    action: text().notNull(),
    /** `noun:id`, e.g. "account:demo-agent". */
    subject: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    /** Set on all entries of one catalogue save, which is undone as a whole. */
    changeId: uuid('change_id'),
  },
  t => [
    index('audit_at').on(t.at, t.id),
    index('audit_actor').on(t.actorUid, t.at),
    // Both are searched by how they begin; see orders_order_no.
    index('audit_action').on(t.action.op('text_pattern_ops'), t.at),
    index('audit_subject').on(t.subject.op('text_pattern_ops'), t.at),
    index('audit_change').on(t.changeId),
  ],
)
