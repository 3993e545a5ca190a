import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

const day = z.iso.date()

export const auditQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
  /** Part of the actor's name, email or uid. */
  actor: z.string().trim().max(100).optional(),
  /** Start of the action, e.g. "account." or "account.setRole". */
  action: z.string().trim().max(100).optional(),
  /** Start of the subject, e.g. "account:" or "account:demo-agent". */
  subject: z.string().trim().max(200).optional(),
  /** Bangkok days, both included. */
  from: day.optional(),
  to: day.optional(),
})

const auditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
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
  summary: 'Every back-office write, newest first; total stops counting at 10,001',
  allow: 'audit.view',
  query: auditQuery,
  reply: z.object({ rows: z.array(auditEntry), total: z.number().int() }),
})
