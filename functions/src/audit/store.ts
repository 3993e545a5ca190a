import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { auditQuery, LaterWrite } from '@shop/shared/audit/endpoints.ts'
import { AUDIT_REFERENCES, type AuditField, type AuditReference, referencesOf } from '@shop/shared/audit/field.ts'
import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { getTableColumns } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod'
import type { Queries, Sql } from '../database/database.ts'
import {
  type Cursor,
  columns,
  cursorOf,
  Filter,
  findPage,
  likePart,
  likeStart,
  mustFollow,
  personName,
  personWords,
  type SortKeys,
  selectList,
} from '../database/listing.ts'
import { insertManySql } from '../database/values.ts'
import { inJson } from '../http/in-json.ts'
import { auditEntry } from './tables.ts'

/**
 * One side of a change: fields that have a name for staff, and fields named by the data, such as the places of rows.
 */
export type AuditSide = { readonly [F in AuditField]?: unknown }

export interface AuditRecord {
  actorUid: string
  actorRole: Caller
  action: AuditAction
  subject: AuditSubject
  /**
   * The changed fields, before and after; null when the thing did not exist on that side. Secrets are never recorded.
   */
  before: AuditSide | null
  after: AuditSide | null
  at: Date
  /** The id of the catalogue save that this write is a part of. */
  changeId?: string
}

/** Records a write by a person; call it in the transaction that makes the change. */
export const audit = (
  tx: Sql,
  { uid, role, now }: { uid: string; role: Caller; now: Date },
  write: Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'>,
): Promise<void> => insertAudit(tx, { ...write, actorUid: uid, actorRole: role, at: now })

/** Records a back-office write; call it in the transaction that makes the change. */
export const insertAudit = (tx: Sql, record: AuditRecord): Promise<void> => insertAuditEntries(tx, [record])

const INSERT = insertManySql(auditEntry)

/** Who writes what the shop changes on its own, such as a price that follows its cost. */
export const SHOP_ITSELF = { uid: 'shop', name: 'ระบบ' } as const

/** Records many back-office writes in one statement. */
export async function insertAuditEntries(tx: Sql, records: readonly AuditRecord[]): Promise<void> {
  const rows = records.map(record => ({ ...record, id: uuidv7() }))
  await tx.query({ name: 'audit_insert', text: INSERT, values: [JSON.stringify(rows)] })
}

/** Entries `e` by which somebody learned a password or PIN of the account they are about. */
const OPENS_ACCOUNT = `(e.action IN ('account.resetPassword', 'account.resetPin', 'agent.create')
  OR (e.action = 'agent.mapTier' AND e.before->>'tierId' IS NULL))`

/** Returns the SQL of when the shop last set a password or PIN of an account since a moment; null when it did not. */
export const openedAt = (uid: string, since: string): string =>
  `(SELECT max(e.at) FROM audit_entry e WHERE e.subject = 'account:' || ${uid} AND e.at > ${since} AND ${OPENS_ACCOUNT})`

/** Returns that moment. */
export async function findOpenedAt(db: Queries, uid: string, since: Date): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>({
    text: `SELECT ${openedAt('$1', '$2')} AS at`,
    values: [uid, since],
  })
  return row?.at ?? null
}

/** Returns the accounts whose password or PIN this person set since a moment: they know it until it is changed. */
export async function findResetBy(
  db: Queries,
  actorUid: string,
  uids: readonly string[],
  since: Date,
): Promise<string[]> {
  // Assigning an agent's first tier also sets their first PIN.
  const rows = await db.query<{ uid: string }>({
    text: `SELECT DISTINCT substr(e.subject, length('account:') + 1) AS uid FROM audit_entry e
      WHERE e.actor_uid = $1 AND e.at > $2 AND e.subject = ANY($3) AND ${OPENS_ACCOUNT}`,
    values: [actorUid, since, uids.map(uid => `account:${uid}`)],
  })
  return rows.map(row => row.uid)
}

/**
 * Tells whether one of two people created the other's account, reset its password, PIN or app, or gave them their rank
 * since these moments: such a person could act as both.
 */
export async function areTied(
  db: Queries,
  [one, other]: readonly [string, string],
  since: { reset: Date; rank: Date },
): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM audit_entry
      WHERE ((actor_uid = $1 AND subject = 'account:' || $2) OR (actor_uid = $2 AND subject = 'account:' || $1))
        AND ((at > $3 AND action IN ('account.resetPassword', 'account.resetPin', 'account.resetTotp', 'agent.create'))
          OR (at > $4 AND action = 'account.setRole')) LIMIT 1`,
    values: [one, other, since.reset, since.rank],
  })
  return rows.length > 0
}

/** The two sides of an audit entry. */
export type Sides = Pick<AuditRecord, 'before' | 'after'>

/** Returns all entries of one save in the order of its writes. The save is named by its id or by one of its entries. */
export async function findChange(
  tx: Sql,
  which: { auditId: string } | { changeId: string },
): Promise<({ id: string; subject: string } & Sides)[]> {
  const condition =
    'auditId' in which
      ? 'e.id = $1 OR e.change_id = (SELECT change_id FROM audit_entry WHERE id = $1)'
      : 'e.change_id = $1'
  return tx.query({
    text: `SELECT e.id, e.subject, e.before, e.after FROM audit_entry e WHERE ${condition} ORDER BY e.id`,
    values: ['auditId' in which ? which.auditId : which.changeId],
  })
}

const ACCOUNT_NAME = `account_name || ' ' || account_no`

/** What somebody called a batch, which may be the name of a file, and what is sold of it. */
const BATCH_NAME = `name || ' · ' || (SELECT g.name || ' ' || p.name FROM package p JOIN game g ON g.id = p.game_id WHERE p.id = package_id)`

/** Returns the SQL of the name of the thing that `subject` of the row under this alias is about, if it has a name. */
export const subjectName = (alias: string) => {
  const ids = { int: '[0-9]{1,9}', uuid: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', text: '.+' }
  const id = `substr(${alias}.subject, strpos(${alias}.subject, ':') + 1)`
  const named = (table: string, nouns: string, name = 'name', type: keyof typeof ids = 'int') =>
    `(SELECT ${name} FROM ${table} WHERE id = CASE WHEN ${alias}.subject ~ '^(${nouns}):${ids[type]}$' THEN ${id}::${type} END)`
  return `coalesce(${named('package', 'package|price|discount')}, ${named('game', 'game|packageOrder|priceRule')},
    ${named('agent_tier', 'tier')}, ${named('receiving_account', 'receivingAccount', ACCOUNT_NAME)},
    ${named('banner', 'banner', "nullif(description, '')")},
    (SELECT ${personName('p')} FROM account p WHERE ${alias}.subject LIKE 'account:%' AND p.uid = ${id}),
    ${named('top_up', 'topUp', 'no', 'uuid')}, ${named('statement_line', 'statementLine', 'no::text', 'uuid')},
    ${named('statement_file', 'statementFile', 'file_name', 'uuid')}, ${named('feed_key', 'feedKey', 'name', 'uuid')},
    ${named('reseller_key', 'apiKey', 'name', 'text')},
    ${named('voucher', 'voucher', "'…' || last_four", 'uuid')}, ${named('voucher_batch', 'voucherBatch', BATCH_NAME, 'uuid')},
    ${named('owed_refund', 'owedRefund', 'reason', 'uuid')})`
}

/** For each kind of thing that entries name by id, where its name is stored. */
const NAMES: Record<AuditReference, string> = {
  account: `SELECT uid AS id, ${personName('a')} AS name FROM account a`,
  tier: 'SELECT id::text, name FROM agent_tier',
  wallet: `SELECT w.id::text, ${personName('a')} AS name FROM wallet w JOIN account a ON a.uid = w.uid`,
  receivingAccount: `SELECT id::text, ${ACCOUNT_NAME} AS name FROM receiving_account`,
  game: 'SELECT id::text, name FROM game',
}

/** Returns the current name of each `noun:id`; things that no longer exist are left out. */
async function findNames(db: Queries, references: readonly string[]): Promise<Record<string, string>> {
  const of = Object.groupBy(new Set(references), reference => reference.slice(0, reference.indexOf(':')))
  const found = await Promise.all(
    AUDIT_REFERENCES.map(async noun => {
      const ids = (of[noun] ?? []).map(reference => reference.slice(noun.length + 1))
      if (ids.length === 0) return []
      const text = `SELECT id, name FROM (${NAMES[noun]}) AS named WHERE id = ANY($1::text[])`
      const rows = await db.query<{ id: string; name: string }>({ text, values: [ids] })
      return rows.map(({ id, name }) => [`${noun}:${id}`, name] as const)
    }),
  )
  return Object.fromEntries(found.flat())
}

/** Returns the current names of everything that these entries name by id. */
export const findNamesOf = (
  db: Queries,
  entries: readonly { before: unknown; after: unknown }[],
): Promise<Record<string, string>> =>
  findNames(
    db,
    entries.flatMap(({ before, after }) => [before, after].flatMap(referencesOf)),
  )

/** Returns the last later write about each thing that these entries are about: the first 50, and how many there are. */
export async function findLaterWrites(
  tx: Sql,
  ids: readonly string[],
): Promise<{ since: LaterWrite[]; total: number }> {
  const rows = await tx.query<Omit<LaterWrite, 'at'> & { at: Date; total: number }>({
    text: `SELECT l.subject, l.action, l.at, ${subjectName('l')} AS "subjectName", ${personName('a')} AS "actorName", l.total
      FROM (SELECT later.*, count(*) OVER ()::int AS total FROM (
          SELECT DISTINCT ON (w.subject) w.subject, w.action, w.at, w.id, w.actor_uid
          FROM audit_entry e JOIN audit_entry w ON w.subject = e.subject AND (w.at, w.id) > (e.at, e.id)
          WHERE e.id = ANY($1::uuid[]) ORDER BY w.subject, w.at DESC, w.id DESC) later
        ORDER BY at DESC, id DESC LIMIT 50) l LEFT JOIN account a ON a.uid = l.actor_uid ORDER BY l.at DESC, l.id DESC`,
    values: [ids],
  })
  return { since: rows.map(({ total: _, ...row }) => inJson(row)), total: rows[0]?.total ?? 0 }
}

/** Returns who wrote last about a subject, or added one of the others. */
export async function findLastWriter(
  tx: Sql,
  subject: AuditSubject,
  added: readonly AuditSubject[] = [],
): Promise<{ updatedByName: string | null; updatedAt: string } | null> {
  const [row] = await tx.query<{ updatedByName: string | null; updatedAt: Date }>({
    text: `SELECT ${personName('a')} AS "updatedByName", e.at AS "updatedAt" FROM audit_entry e LEFT JOIN account a ON a.uid = e.actor_uid
      WHERE e.subject = $1 OR (e.subject = ANY($2::text[]) AND e.before IS NULL) ORDER BY e.at DESC, e.id DESC LIMIT 1`,
    values: [subject, added],
  })
  return row ? inJson(row) : null
}

/** Returns the state of a subject at a moment, reconstructed from its entries; undefined when no entry tells it. */
export async function findSubjectAt(
  db: Queries,
  /** With a `key` only entries about that field count. */
  { subject, key, at }: { subject: AuditSubject; key?: string; at: Date },
): Promise<Record<string, unknown> | null | undefined> {
  const about = `subject = $1 AND ($3::text IS NULL OR before ? $3 OR after ? $3)`
  const [row] = await db.query<{ state: Record<string, unknown> | null }>({
    text: `(SELECT after AS state FROM audit_entry WHERE ${about} AND at <= $2 ORDER BY at DESC, id DESC LIMIT 1)
      UNION ALL (SELECT before FROM audit_entry WHERE ${about} AND at > $2 ORDER BY at, id LIMIT 1) LIMIT 1`,
    values: [subject, at, key ?? null],
  })
  return row?.state
}

/** What is read along with an entry. */
interface Beside {
  actorName: string | null
  subjectName: string | null
  changeSize: number
}
const BESIDE = columns<Beside>({
  actorName: `CASE WHEN e.actor_uid = '${SHOP_ITSELF.uid}' THEN '${SHOP_ITSELF.name}' ELSE ${personName('a')} END`,
  subjectName: subjectName('e'),
  changeSize: 'coalesce(c.size, 1)',
})
export type AuditRow = typeof auditEntry.$inferSelect & Beside & { cursor: Cursor }

type AuditFilters = Omit<z.output<typeof auditQuery>, 'page' | 'pageSize'>

function filterOf(query: AuditFilters): Filter {
  const filter = new Filter()
  filter.where(
    query.actor || null,
    actor => `e.actor_uid IN (SELECT p.uid FROM account p WHERE p.uid || ' ' || ${personWords('p')} ILIKE ${actor})`,
    likePart,
  )
  filter.where(query.action || null, action => `e.action LIKE ${action}`, likeStart)
  filter.where(query.subject || null, subject => `e.subject LIKE ${subject}`, likeStart)
  filter.where(query.change, change => `e.change_id = ${change}`)
  filter.where(query.from, from => `e.at >= ${from}`, startOfBangkokDay)
  filter.where(
    query.to,
    to => `e.at < ${to}`,
    to => new Date(startOfBangkokDay(to).getTime() + DAY_MS),
  )
  return filter
}

const KEYS = [
  { sql: 'e.at', type: 'timestamptz' },
  { sql: 'e.id', type: 'uuid' },
] as const satisfies SortKeys
const SELECT_PAGE = `SELECT ${selectList(getTableColumns(auditEntry), 'e')}, ${BESIDE}, ${cursorOf(KEYS)} AS cursor
  FROM page e LEFT JOIN account a ON a.uid = e.actor_uid
    LEFT JOIN (SELECT change_id, count(*)::int AS size FROM audit_entry WHERE change_id IN (SELECT change_id FROM page)
      GROUP BY change_id) c ON c.change_id = e.change_id`
const NEWEST = 'e.at DESC, e.id DESC'

/** So many of an action are looked at for the latest of all; a save of very many may hide older ones of its action. */
const MOST_OF_ONE_ACTION = 40

/** A page of entries, newest first. */
export const findAudit = (
  db: Queries,
  query: z.output<typeof auditQuery>,
): Promise<{ rows: AuditRow[]; total: number }> =>
  findPage(db, { from: 'audit_entry e', filter: filterOf(query), order: NEWEST, select: SELECT_PAGE }, query)

/** Returns the latest entries of some actions, newest first; of one save only the last. */
export const findLatest = (db: Queries, actions: readonly AuditAction[], most: number): Promise<AuditRow[]> =>
  db.query({
    // Each action's latest by its index: those of one that is rare would else be sought through the whole log.
    text: `WITH latest AS (
        SELECT e.* FROM unnest($1::text[]) AS named (action) CROSS JOIN LATERAL (
          SELECT * FROM audit_entry l WHERE l.action = named.action ORDER BY l.at DESC LIMIT ${MOST_OF_ONE_ACTION}) e
      ), page AS (
        SELECT * FROM (SELECT DISTINCT ON (coalesce(change_id, id)) * FROM latest ORDER BY coalesce(change_id, id), at DESC, id DESC) e
        ORDER BY ${NEWEST} LIMIT $2
      )
      ${SELECT_PAGE} ORDER BY ${NEWEST}`,
    values: [actions, most],
  })

/** The number of entries that a download holds in memory at one time. */
const EXPORT_BATCH = 1000

/** Yields all entries that the filters select, newest first, in batches with the names of what they name by id. */
export async function* readAudit(
  db: Queries,
  query: AuditFilters,
): AsyncGenerator<{ entry: AuditRow; names: Record<string, string> }[]> {
  for (let after: Cursor | null = null; ; ) {
    const filter = filterOf(query)
    if (after) mustFollow(filter, KEYS, 'desc', after)
    const rows: AuditRow[] = await db.query({
      text: `WITH page AS (SELECT e.* FROM audit_entry e WHERE ${filter} ORDER BY ${NEWEST} LIMIT ${EXPORT_BATCH})
        ${SELECT_PAGE} ORDER BY ${NEWEST}`,
      values: filter.values,
    })
    const names = await findNamesOf(db, rows)
    if (rows.length > 0) yield rows.map(entry => ({ entry, names }))
    if (rows.length < EXPORT_BATCH) return
    after = rows.at(-1)!.cursor
  }
}
