import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant, line, page, paging } from '../wire.ts'

const day = z.iso.date()

export const auditQuery = z.object({
  ...paging,
  /** Part of the actor's name, email or uid. */
  actor: line(100).optional(),
  /** Start of the action, e.g. "account." or "account.setRole". */
  action: line(100).optional(),
  /** Start of the subject, e.g. "account:" or "account:demo-agent". */
  subject: line(200).optional(),
  /** Bangkok days, both included. */
  from: day.optional(),
  to: day.optional(),
})

const auditEntry = z.object({
  id: z.uuid(),
  at: instant,
  actorUid: z.string(),
  actorName: z.string().nullable(),
  actorRole: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const listAudit = endpoint({
  method: 'GET',
  path: '/romons.users/api/audit',
  summary: 'Every back-office write, newest first',
  allow: 'audit.view',
  query: auditQuery,
  reply: page(auditEntry),
})

export const undoChange = endpoint({
  method: 'POST',
  path: '/romons.users/api/audit/undo',
  summary:
    'Takes back the last change of a game, package, price, banner, account or option, if nothing changed it since',
  allow: 'catalogue.manage',
  /** A change by its entry, or by what it changed and the moment that its save answered. */
  body: z.union([z.strictObject({ auditId: z.uuid() }), z.strictObject({ subject: line(200), at: instant })]),
  reply: z.object({ subject: z.string() }),
  /** UNDO_NOT_POSSIBLE: not a change of the catalogue, or something else came after. */
  errors: [
    'NOT_FOUND',
    'UNDO_NOT_POSSIBLE',
    'FORBIDDEN',
    // Of the save that it is.
    'GAME_CODE_TAKEN',
    'PRICE_BELOW_DISCOUNT',
    'LAST_RECEIVING_ACCOUNT',
  ],
})
