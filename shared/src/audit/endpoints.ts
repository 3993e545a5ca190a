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
