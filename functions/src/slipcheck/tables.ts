import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { AnswerKind, SlipReply } from '@shop/shared/slipcheck/reply.ts'
import type { SlipCheckState, SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import type { Verdict } from '@shop/shared/slipcheck/verdict.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, satang } from '../database/columns.ts'
import { slip } from '../upload/tables.ts'

/** A slip that was handed in for an order or a top-up, and how far its check is. The newest of a subject counts. */
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
    /** Whose daily number of checks it counts towards: `u:<uid>` or `g:<hash of the guest key>`. */
    ownerKey: text('owner_key').notNull(),
    /** The same of a guest's address, as a keyed hash that is another every day; null for who is signed in, and later. */
    addressKey: text('address_key'),
    state: text().$type<SlipCheckState>().notNull(),
    /** Why it is with staff; null otherwise. */
    reason: text().$type<StaffReason>(),
    createdAt: instant('created_at').notNull(),
    decidedAt: instant('decided_at'),
    /** When this check, and nobody else, marked its order paid: from then on it must meet its statement line. */
    approvedAt: instant('approved_at'),
  },
  t => [
    index('slip_check_subject').on(t.subjectId, t.id),
    index('slip_check_slip').on(t.slipId),
    index('slip_check_owner').on(t.ownerKey, t.createdAt),
    index('slip_check_address').on(t.addressKey, t.createdAt).where(sql`${t.addressKey} IS NOT NULL`),
    index('slip_check_approved').on(t.approvedAt).where(sql`${t.approvedAt} IS NOT NULL`),
  ],
)

/** One question to a provider. The row is there before the question is sent: a reply that was lost is known as such. */
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
    /** Whether the outcome was only shown. */
    isShadow: boolean('is_shadow').notNull().default(false),
    /** The reply as it came, for 180 days. */
    raw: jsonb(),
  },
  t => [
    index('slip_ask_check').on(t.checkId, t.id),
    index('slip_ask_at').on(t.askedAt),
    index('slip_ask_raw').on(t.askedAt).where(sql`${t.raw} IS NOT NULL`),
  ],
)

/** One row for each provider. Whoever is about to ask locks it: what is left of a quota is counted by one at a time. */
export const slipProvider = pgTable('slip_provider', {
  provider: text().primaryKey(),
  /** It refused us: nobody asks it until then. */
  stoppedUntil: instant('stopped_until'),
  stoppedCode: text('stopped_code'),
})
