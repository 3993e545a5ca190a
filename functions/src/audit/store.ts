import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { auditQuery } from '@shop/shared/audit/endpoints.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, likeStart, personName, personWords } from '../database/listing.ts'

export interface AuditRecord {
  actorUid: string
  actorRole: Caller
  action: AuditAction
  /** `noun:id`, e.g. "account:demo-agent". */
  subject: string
  /** The fields that changed, as they were and as they are; null when there was or is nothing. No secrets. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  at: Date
}

/** Records a back-office write; call it in the transaction that makes the change. */
export async function insertAudit(tx: Sql, record: AuditRecord): Promise<void> {
  const { actorUid, actorRole, action, subject, before, after, at } = record
  await tx.query({
    name: 'audit_insert',
    text: `INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject, before, after)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      ...[uuidv7(), at, actorUid, actorRole, action, subject],
      ...[before && JSON.stringify(before), after && JSON.stringify(after)],
    ],
  })
}

/** Which of these accounts were given a password or PIN by somebody since a moment: they know it, until it is changed. */
export async function findResetBy(db: Sql, actorUid: string, uids: readonly string[], since: Date): Promise<string[]> {
  // The first tier comes with the first PIN.
  const rows = await db.query<{ uid: string }>({
    text: `SELECT DISTINCT substr(subject, length('account:') + 1) AS uid FROM audit_entry
      WHERE actor_uid = $1 AND at > $2 AND subject = ANY($3)
        AND (action IN ('account.resetPassword', 'account.resetPin', 'agent.create')
          OR (action = 'agent.mapTier' AND before->>'tierId' IS NULL))`,
    values: [actorUid, since, uids.map(uid => `account:${uid}`)],
  })
  return rows.map(row => row.uid)
}

export interface AuditRow {
  id: string
  at: Date
  actorUid: string
  actorName: string | null
  actorRole: string
  action: string
  subject: string
  before: unknown
  after: unknown
}

/** A page of entries, newest first. */
export async function findAudit(
  db: Sql,
  query: z.output<typeof auditQuery>,
): Promise<{ rows: AuditRow[]; total: number }> {
  const filter = new Filter()
  filter.where(
    query.actor || null,
    actor => `e.actor_uid IN (SELECT p.uid FROM account p WHERE p.uid || ' ' || ${personWords('p')} ILIKE ${actor})`,
    likePart,
  )
  filter.where(query.action || null, action => `e.action LIKE ${action}`, likeStart)
  filter.where(query.subject || null, subject => `e.subject LIKE ${subject}`, likeStart)
  filter.where(query.from, from => `e.at >= ${from}`, startOfBangkokDay)
  filter.where(
    query.to,
    to => `e.at < ${to}`,
    to => new Date(startOfBangkokDay(to).getTime() + DAY_MS),
  )
  const select = `SELECT e.id, e.at, e.actor_uid AS "actorUid", e.actor_role AS "actorRole", e.action, e.subject, e.before,
      e.after, ${personName('a')} AS "actorName"
    FROM page e LEFT JOIN account a ON a.uid = e.actor_uid`
  return findPage(db, { from: 'audit_entry e', filter, order: 'e.at DESC, e.id DESC', select }, query)
}
