import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import type { Evidence, ValueMoveKind, WordAction, WordState } from '@shop/shared/value/value.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { SentInput } from '../call/route.ts'
import { instant, satang } from '../database/columns.ts'
import type { Once } from '../http/idempotency.ts'

/** Movements of value without a customer's money: who made each, and who was the second person. Append-only. */
export const valueMove = pgTable(
  'value_move',
  {
    id: uuid().primaryKey(),
    at: instant('at').notNull(),
    actorUid: text('actor_uid').notNull(),
    actorRole: text('actor_role').$type<Caller>().notNull(),
    kind: text().$type<ValueMoveKind>().notNull(),
    amountSatang: satang('amount_satang').notNull(),
    /** `noun:id`, as in the audit log. */
    subject: text().$type<AuditSubject>().notNull(),
    note: text().notNull(),
    secondUid: text('second_uid'),
    /** The question whose agreement covered it. */
    wordId: uuid('word_id'),
    /** It needed a second person, but nobody else had the right. */
    isAlone: boolean('is_alone').notNull(),
  },
  t => [
    index('value_move_at').on(t.at, t.id),
    index('value_move_actor').on(t.actorUid, t.at),
    index('value_move_subject').on(t.subject, t.at),
  ],
)

/** Questions that wait for a second person's agreement, and their results. */
export const secondWord = pgTable(
  'second_word',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the asker, the call and its input, so that the same question waits only once. */
    digest: text().notNull(),
    askedAt: instant('asked_at').notNull(),
    askedBy: text('asked_by').notNull(),
    /** What the asker made as a guest in the same browser is theirs, too. */
    guestHash: text('guest_hash'),
    kind: text().$type<ValueMoveKind>().notNull(),
    amountSatang: satang('amount_satang').notNull(),
    subject: text().$type<AuditSubject>().notNull(),
    note: text().notNull(),
    /** Owner keys of the wallet or order it is about. */
    owners: text().array().notNull(),
    action: text().$type<WordAction>().notNull(),
    /** What the asker shows for it; null for moves that take none. */
    evidence: jsonb().$type<Evidence>(),
    /** `POST /path` of the call. */
    call: text().notNull(),
    /** The call's input; null for a call that the asker must repeat. */
    input: jsonb().$type<SentInput>(),
    once: jsonb().$type<Once>(),
    state: text().$type<WordState>().notNull(),
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    reason: text(),
    /** When the agreed action was carried out. */
    usedAt: instant('used_at'),
  },
  t => [
    uniqueIndex('second_word_once').on(t.digest).where(sql`${t.state} = 'waiting'`),
    index('second_word_state').on(t.state, t.askedAt),
    index('second_word_digest').on(t.digest, t.state),
  ],
)
