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
export const insertAudit = (tx: Sql, record: AuditRecord): Promise<void> => insertAuditEntries(tx, [record])

/** The same for many at once. */
export async function insertAuditEntries(tx: Sql, records: readonly AuditRecord[]): Promise<void> {
  const column = (cell: (record: AuditRecord) => unknown) => records.map(cell)
  await tx.query({
    name: 'audit_insert',
    text: `INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject, before, after)
      SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::jsonb[])`,
    values: [
      column(() => uuidv7()),
      column(({ at }) => at),
      column(({ actorUid }) => actorUid),
      column(({ actorRole }) => actorRole),
      column(({ action }) => action),
      column(({ subject }) => subject),
      column(({ before }) => before && JSON.stringify(before)),
      column(({ after }) => after && JSON.stringify(after)),
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

/** An entry by its id, or by subject and moment, and whether something happened to its subject since. */
export async function findAuditEntry(
  tx: Sql,
  which: { auditId: string } | { subject: string; at: string },
): Promise<(Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'> & { isLast: boolean }) | null> {
  const filter = new Filter()
  if ('auditId' in which) filter.where(which.auditId, id => `e.id = ${id}`)
  else {
    filter.where(which.subject, subject => `e.subject = ${subject}`)
    filter.where(which.at, at => `e.at = ${at}`)
  }
  const [row] = await tx.query<Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'> & { isLast: boolean }>({
    text: `SELECT e.action, e.subject, e.before, e.after, NOT EXISTS (SELECT 1 FROM audit_entry later
        WHERE later.subject = e.subject AND (later.at, later.id) > (e.at, e.id)) AS "isLast"
      FROM audit_entry e WHERE ${filter} ORDER BY e.id DESC LIMIT 1`,
    values: filter.values,
  })
  return row ?? null
}

/** What a subject was like at a moment, as its entries tell; undefined when nothing was written about it since or before. */
export async function findSubjectAt(
  db: Sql,
  { subject, key, at }: { subject: string /** Only entries that say something of this. */; key?: string; at: Date },
): Promise<Record<string, unknown> | null | undefined> {
  const about = `subject = $1 AND ($3::text IS NULL OR before ? $3 OR after ? $3)`
  const [row] = await db.query<{ state: Record<string, unknown> | null }>({
    text: `(SELECT after AS state FROM audit_entry WHERE ${about} AND at <= $2 ORDER BY at DESC, id DESC LIMIT 1)
      UNION ALL (SELECT before FROM audit_entry WHERE ${about} AND at > $2 ORDER BY at, id LIMIT 1) LIMIT 1`,
    values: [subject, at, key ?? null],
  })
  return row?.state
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
