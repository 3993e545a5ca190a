import type { auditQuery } from '@shop/shared/audit/endpoints.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod'
import type { Sql } from '../database/database.ts'
import { COUNT_LIMIT, likePart, likeStart, personName } from '../database/listing.ts'

export interface AuditRecord {
  actorUid: string
  actorRole: Caller
  /** `noun.verb`, e.g. "account.setRole". */
  action: string
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

/** A page of entries, newest first, and how many match, at most 10,001. */
export async function findAudit(
  db: Sql,
  filter: z.output<typeof auditQuery>,
): Promise<{ rows: AuditRow[]; total: number }> {
  const values: unknown[] = []
  const conditions: string[] = []
  const where = (condition: (placeholder: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  if (filter.actor) {
    where(
      p => `e.actor_uid IN (SELECT uid FROM account
        WHERE (uid || ' ' || username || ' ' || name || ' ' || surname || ' ' || coalesce(email, '')) ILIKE ${p})`,
      likePart(filter.actor),
    )
  }
  if (filter.action) where(p => `e.action LIKE ${p}`, likeStart(filter.action))
  if (filter.subject) where(p => `e.subject LIKE ${p}`, likeStart(filter.subject))
  if (filter.from) where(p => `e.at >= ${p}`, startOfBangkokDay(filter.from))
  if (filter.to) where(p => `e.at < ${p}`, new Date(startOfBangkokDay(filter.to).getTime() + DAY_MS))
  const matching = `FROM audit_entry e WHERE ${conditions.length > 0 ? conditions.join(' AND ') : 'true'}`

  const [rows, [count]] = await Promise.all([
    db.query<AuditRow>({
      text: `WITH page AS (SELECT e.* ${matching} ORDER BY e.at DESC, e.id DESC
          LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize})
        SELECT e.id, e.at, e.actor_uid AS "actorUid", e.actor_role AS "actorRole", e.action, e.subject, e.before, e.after,
          ${personName('a')} AS "actorName"
        FROM page e LEFT JOIN account a ON a.uid = e.actor_uid ORDER BY e.at DESC, e.id DESC`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${COUNT_LIMIT}) counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}
