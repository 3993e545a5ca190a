import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { instant, page, paging } from '../wire.ts'

const day = z.iso.date()

const auditFilters = {
  /** Part of the actor's name, email or uid. */
  actor: line(100).optional(),
  /** Start of the action, e.g. "account." or "account.setRole". */
  action: line(100).optional(),
  /** Start of the subject, e.g. "account:" or "account:demo-agent". */
  subject: line(200).optional(),
  /** All entries of one save. */
  change: z.uuid().optional(),
  /** Bangkok days, both included. */
  from: day.optional(),
  to: day.optional(),
}
export const auditQuery = z.object({ ...paging, ...auditFilters })

const auditEntry = z.object({
  id: z.uuid(),
  at: instant,
  actorUid: z.string(),
  actorName: z.string().nullable(),
  actorRole: z.string(),
  action: z.string(),
  subject: z.string(),
  /** The current name of the subject; null when it has none. */
  subjectName: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** The id of the catalogue save that wrote this, and the number of its entries. */
  changeId: z.uuid().nullable(),
  changeSize: z.int(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const listAudit = endpoint({
  method: 'GET',
  path: '/romons.users/api/audit',
  summary: 'Every back-office write, newest first',
  allow: 'audit.view',
  query: auditQuery,
  reply: page(auditEntry).extend({
    /** The current names of things that the rows name by id: `noun:id` -> name. */
    names: z.record(z.string(), z.string()),
  }),
})

export const exportAudit = endpoint({
  method: 'GET',
  path: '/romons.users/api/audit/export',
  summary: 'CSV of the entries the filter selects, each with its sentence',
  allow: 'audit.view',
  query: z.object(auditFilters),
  reply: z.any(),
  replyKind: 'csv',
})

/** A later write about something that an undo would change. */
const laterWrite = z.object({
  subject: z.string(),
  subjectName: z.string().nullable(),
  action: z.string(),
  actorName: z.string().nullable(),
  at: instant,
})
export type LaterWrite = z.output<typeof laterWrite>

export const undoChange = endpoint({
  method: 'POST',
  path: '/romons.users/api/audit/undo',
  summary:
    'Takes back all that one save of the catalogue or the settings wrote, if nothing of it was changed since; all or nothing',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  /** Names a change by one of its entries, or by the Change-Id that its save answered. */
  body: z.union([z.strictObject({ auditId: z.uuid() }), z.strictObject({ changeId: z.uuid() })]),
  /** The number of entries that were undone. */
  reply: z.object({ undone: z.int() }),
  /**
   * UNDO_NOT_POSSIBLE: not a change of the catalogue. UNDO_CHANGED_SINCE: `details.since` holds the last write about
   * each of the first 50 changed things, `details.total` their number.
   */
  errors: [
    'NOT_FOUND',
    'UNDO_NOT_POSSIBLE',
    'UNDO_CHANGED_SINCE',
    'FORBIDDEN',
    'SECOND_WORD_NEEDED',
    // The errors of the saves that an undo consists of.
    'GAME_CODE_TAKEN',
    'GAME_CODE_OF_OTHER',
    'PRICE_BELOW_DISCOUNT',
    'DISCOUNT_ABOVE_PRICE',
    'LAST_RECEIVING_ACCOUNT',
    'TAG_IN_USE',
    'PACKAGE_NOT_FOUND',
  ],
})
