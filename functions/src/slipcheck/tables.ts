import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { AnswerKind, SlipReply } from '@shop/shared/slipcheck/reply.ts'
import type { SlipCheckState, SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import type { Verdict } from '@shop/shared/slipcheck/verdict.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'
import { slip } from '../upload/tables.ts'

/**
 * A slip that was handed in for an order or a top-up, and the state of its check. The newest one of a subject counts.
 */
export const slipCheck = pgTable(
  'slip_check',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    subject: text().$type<SubjectKind>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    slipId: uuid('slip_id')
      .notNull()
      .references(() => slip.id),
    /** The owner whose daily number of checks this one counts towards: `u:<uid>` or `g:<hash of the guest key>`. */
    ownerKey: text('owner_key').notNull(),
    /**
     * A guest's address as a keyed hash that differs every day, which is counted as well; null for signed-in customers,
     * and removed later.
     */
    addressKey: text('address_key'),
    state: text().$type<SlipCheckState>().notNull(),
    /** Why staff must decide; null when they need not. */
    reason: text().$type<StaffReason>(),
    createdAt: instant('created_at').notNull(),
    decidedAt: instant('decided_at'),
    /** When this check alone marked its order paid; a matching statement line must then follow. */
    approvedAt: instant('approved_at'),
  },
  t => [
    index('slip_check_subject').on(t.subjectId, t.id),
    index('slip_check_slip').on(t.slipId),
    index('slip_check_owner').on(t.ownerKey, t.createdAt),
    index('slip_check_address').on(t.addressKey, t.createdAt).where(sql`${t.addressKey} IS NOT NULL`),
    index('slip_check_confirming').on(t.createdAt).concurrently().where(sql`${t.state} = 'confirming'`),
    index('slip_check_approved').on(t.approvedAt).where(sql`${t.approvedAt} IS NOT NULL`),
  ],
)

/**
 * One question to a provider. The row is stored before the question is sent, so that a lost reply can be recognised.
 */
export const slipAsk = pgTable(
  'slip_ask',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    checkId: uuid('check_id')
      .notNull()
      .references(() => slipCheck.id),
    provider: text().notNull(),
    askedAt: instant('asked_at').notNull(),
    tookMs: integer('took_ms'),
    httpStatus: integer('http_status'),
    code: text(),
    /** null = no answer was stored. */
    answer: text().$type<AnswerKind>(),
    sendingBank: text('sending_bank'),
    bankReference: text('bank_reference'),
    amountSatang: satang('amount_satang'),
    transferredAt: instant('transferred_at'),
    receiverMask: text('receiver_mask'),
    payerName: text('payer_name'),
    payerMask: text('payer_mask'),
    flags: jsonb().$type<SlipReply['flags']>(),
    verdict: jsonb().$type<Verdict>(),
    outcome: text(),
    /** Whether the outcome was only shown and had no effect. */
    isShadow: boolean('is_shadow').notNull().default(false),
    /** The unchanged reply; it is deleted after 180 days. */
    raw: jsonb(),
  },
  t => [
    index('slip_ask_check').on(t.checkId, t.id),
    index('slip_ask_at').on(t.askedAt),
    index('slip_ask_raw').on(t.askedAt).where(sql`${t.raw} IS NOT NULL`),
  ],
)

/**
 * One row for each provider. It is locked before every question, so that only one at a time counts against the quota.
 */
export const slipProvider = pgTable('slip_provider', {
  provider: text().primaryKey(),
  /** The provider refused us, so it is not asked before this moment. */
  stoppedUntil: instant('stopped_until'),
  stoppedCode: text('stopped_code'),
})
