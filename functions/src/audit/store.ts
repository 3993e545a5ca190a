import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { auditQuery, LaterWrite } from '@shop/shared/audit/endpoints.ts'
import { AUDIT_REFERENCES, type AuditField, type AuditReference, referencesOf } from '@shop/shared/audit/field.ts'
import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod'
import { account, resellerKey } from '../account/tables.ts'
import { agentTier, banner, game, gamePackage, receivingAccount } from '../catalogue/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import {
  type Cursor,
  cursorOf,
  Filter,
  findPage,
  likePart,
  likeStart,
  mustFollow,
  personName,
  personWords,
  type SortKeys,
} from '../database/listing.ts'
import { as, type Expr, orNull, outer, pick, row, sql, type Text, under } from '../database/sql.ts'
import { insertManySql } from '../database/values.ts'
import { inJson } from '../http/in-json.ts'
import { feedKey, owedRefund, statementFile, statementLine } from '../statement/tables.ts'
import { voucher, voucherBatch } from '../voucher/tables.ts'
import { topUp, wallet } from '../wallet/tables.ts'
import { auditEntry } from './tables.ts'

const e = under(auditEntry, 'e')
/** The same where names stand alone. */
const entry = under(auditEntry)

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

const INSERT = sql`${insertManySql(auditEntry)}`

/** Who writes what the shop changes on its own, such as a price that follows its cost. */
export const SHOP_ITSELF = { uid: 'shop', name: 'ระบบ' } as const

/** Records many back-office writes in one statement. */
export async function insertAuditEntries(tx: Sql, records: readonly AuditRecord[]): Promise<void> {
  const rows = records.map(record => ({ ...record, id: uuidv7() }))
  await tx.query({ name: 'audit_insert', text: INSERT, values: [JSON.stringify(rows)] })
}

/** Entries `e` by which somebody learned a password or PIN of the account they are about. */
const OPENS_ACCOUNT = `(${e.action} IN ('account.resetPassword', 'account.resetPin', 'agent.create')
  OR (${e.action} = 'agent.mapTier' AND ${e.before}->>'tierId' IS NULL))`

/** Returns the SQL of when the shop last set a password or PIN of an account since a moment; null when it did not. */
export const openedAt = (uid: string, since: string): string =>
  `(SELECT max(${e.at}) FROM ${e} WHERE ${e.subject} = 'account:' || ${uid} AND ${e.at} > ${since} AND ${OPENS_ACCOUNT})`

/** Returns that moment. */
export async function findOpenedAt(db: Queries, uid: string, since: Date): Promise<Date | null> {
  const [opened] = await db.query({
    text: sql`SELECT ${row({ at: orNull(as.instant(openedAt('$1', '$2'))) })}`,
    values: [uid, since],
  })
  return opened?.at ?? null
}

/** Returns the accounts whose password or PIN this person set since a moment: they know it until it is changed. */
export async function findResetBy(
  db: Queries,
  actorUid: string,
  uids: readonly string[],
  since: Date,
): Promise<string[]> {
  // Assigning an agent's first tier also sets their first PIN.
  const rows = await db.query({
    text: sql`SELECT DISTINCT ${row({ uid: as.text(`substr(${e.subject}, length('account:') + 1)`) })} FROM ${e}
      WHERE ${e.actorUid} = $1 AND ${e.at} > $2 AND ${e.subject} = ANY($3) AND ${OPENS_ACCOUNT}`,
    values: [actorUid, since, uids.map(uid => `account:${uid}`)],
  })
  return rows.map(({ uid }) => uid)
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
    text: sql`SELECT FROM ${entry}
      WHERE ((${entry.actorUid} = $1 AND ${entry.subject} = 'account:' || $2) OR (${entry.actorUid} = $2 AND ${entry.subject} = 'account:' || $1))
        AND ((${entry.at} > $3 AND ${entry.action} IN ('account.resetPassword', 'account.resetPin', 'account.resetTotp', 'agent.create'))
          OR (${entry.at} > $4 AND ${entry.action} = 'account.setRole')) LIMIT 1`,
    values: [one, other, since.reset, since.rank],
  })
  return rows.length > 0
}

/** The two sides of an audit entry. */
export type Sides = Pick<AuditRecord, 'before' | 'after'>

const SIDES = {
  before: orNull(as.shape<AuditSide>(`${e.before}`)),
  after: orNull(as.shape<AuditSide>(`${e.after}`)),
}

/** Returns all entries of one save in the order of its writes. The save is named by its id or by one of its entries. */
export async function findChange(
  tx: Sql,
  which: { auditId: string } | { changeId: string },
): Promise<({ id: string; subject: string } & Sides)[]> {
  const condition =
    'auditId' in which
      ? `${e.id} = $1 OR ${e.changeId} = (SELECT ${entry.changeId} FROM ${entry} WHERE ${entry.id} = $1)`
      : `${e.changeId} = $1`
  return tx.query({
    text: sql`SELECT ${row<{ id: string; subject: string } & Sides>({ ...pick(e, 'id', 'subject'), ...SIDES })} FROM ${e} WHERE ${condition} ORDER BY ${e.id}`,
    values: ['auditId' in which ? which.auditId : which.changeId],
  })
}

const [tier, receiving, promoted] = [under(agentTier), under(receivingAccount), under(banner)]
const [toppedUp, line, file, fed] = [under(topUp), under(statementLine), under(statementFile), under(feedKey)]
const [key, code, batch, refund] = [under(resellerKey), under(voucher), under(voucherBatch), under(owedRefund)]
const [sold, played, g, p] = [under(gamePackage), under(game), under(game, 'g'), under(gamePackage, 'p')]
const [person, w, a] = [under(account, 'p'), under(wallet, 'w'), under(account, 'a')]

const ACCOUNT_NAME = as.text(`${receiving.accountName} || ' ' || ${receiving.accountNo}`)

/** What somebody called a batch, which may be the name of a file, and what is sold of it. */
const BATCH_NAME = as.text(
  `${batch.name} || ' · ' || (SELECT ${g.name} || ' ' || ${p.name} FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId} WHERE ${p.id} = ${batch.packageId})`,
)

/** Returns the SQL of the name of the thing that `subject` of the row under this alias is about, if it has a name. */
export function subjectName(alias: string): Expr<string | null> {
  const any = '.+'
  const ids = { int: '[0-9]{1,9}', uuid: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', text: any }
  const { subject } = under(auditEntry, alias)
  const id = `substr(${subject}, strpos(${subject}, ':') + 1)`
  const named = (table: { id: Expr<unknown> }, nouns: string, name: unknown, type: keyof typeof ids = 'int') =>
    `(SELECT ${name} FROM ${table} WHERE ${table.id} = CASE WHEN ${subject} ~ '^(${nouns}):${ids[type]}$' THEN ${id}::${type} END)`
  const name = `coalesce(${named(sold, 'package|price|discount', sold.name)}, ${named(played, 'game|packageOrder|priceRule', played.name)},
    ${named(tier, 'tier', tier.name)}, ${named(receiving, 'receivingAccount', ACCOUNT_NAME)},
    ${named(promoted, 'banner', `nullif(${promoted.description}, '')`)},
    (SELECT ${personName('p')} FROM ${person} WHERE ${subject} LIKE 'account:%' AND ${person.uid} = ${id}),
    ${named(toppedUp, 'topUp', toppedUp.no, 'uuid')}, ${named(line, 'statementLine', `${line.no}::text`, 'uuid')},
    ${named(file, 'statementFile', file.fileName, 'uuid')}, ${named(fed, 'feedKey', fed.name, 'uuid')},
    ${named(key, 'apiKey', key.name, 'text')},
    ${named(code, 'voucher', `'…' || ${code.lastFour}`, 'uuid')}, ${named(batch, 'voucherBatch', BATCH_NAME, 'uuid')},
    ${named(refund, 'owedRefund', refund.reason, 'uuid')})`
  return orNull(as.text(name))
}

/** For each kind of thing that entries name by id, where its name is stored. */
const NAMES: Record<AuditReference, Text<{ id: string; name: string }>> = {
  account: sql`SELECT ${row({ id: a.uid, name: personName('a') })} FROM ${a}`,
  tier: sql`SELECT ${row({ id: as.text(`${tier.id}`), name: tier.name })} FROM ${tier}`,
  wallet: sql`SELECT ${row({ id: as.text(`${w.id}`), name: personName('a') })} FROM ${w} JOIN ${a} ON ${a.uid} = ${w.uid}`,
  receivingAccount: sql`SELECT ${row({ id: as.text(`${receiving.id}`), name: ACCOUNT_NAME })} FROM ${receiving}`,
  game: sql`SELECT ${row({ id: as.text(`${played.id}`), name: played.name })} FROM ${played}`,
}
const NAMED = row({ id: as.text('named.id'), name: as.text('named.name') })

/** Returns the current name of each `noun:id`; things that no longer exist are left out. */
async function findNames(db: Queries, references: readonly string[]): Promise<Record<string, string>> {
  const of = Object.groupBy(new Set(references), reference => reference.slice(0, reference.indexOf(':')))
  const found = await Promise.all(
    AUDIT_REFERENCES.map(async noun => {
      const ids = (of[noun] ?? []).map(reference => reference.slice(noun.length + 1))
      if (ids.length === 0) return []
      const text = sql`SELECT ${NAMED} FROM (${NAMES[noun].text}) AS named WHERE named.id = ANY($1::text[])`
      const rows = await db.query({ text, values: [ids] })
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

const actor = outer(account, 'a')
const ACTOR_NAME = orNull(personName('a'))
const BY_ACTOR = sql`LEFT JOIN ${actor} ON ${actor.uid} = ${e.actorUid}`

/** Returns the last later write about each thing that these entries are about: the first 50, and how many there are. */
export async function findLaterWrites(
  tx: Sql,
  ids: readonly string[],
): Promise<{ since: LaterWrite[]; total: number }> {
  const [l, later] = [under(auditEntry, 'l'), under(auditEntry, 'w')]
  const rows = await tx.query({
    text: sql`SELECT ${row({ ...pick(l, 'subject', 'action', 'at'), subjectName: subjectName('l'), actorName: ACTOR_NAME, total: as.int('l.total') })}
      FROM (SELECT later.*, count(*) OVER ()::int AS total FROM (
          SELECT DISTINCT ON (${later.subject}) ${later.subject}, ${later.action}, ${later.at}, ${later.id}, ${later.actorUid}
          FROM ${e} JOIN ${later} ON ${later.subject} = ${e.subject} AND (${later.at}, ${later.id}) > (${e.at}, ${e.id})
          WHERE ${e.id} = ANY($1::uuid[]) ORDER BY ${later.subject}, ${later.at} DESC, ${later.id} DESC) later
        ORDER BY ${entry.at} DESC, ${entry.id} DESC LIMIT 50) l LEFT JOIN ${actor} ON ${actor.uid} = ${l.actorUid} ORDER BY ${l.at} DESC, ${l.id} DESC`,
    values: [ids],
  })
  return { since: rows.map(({ total: _, ...write }) => inJson(write)), total: rows[0]?.total ?? 0 }
}

/** Returns who wrote last about a subject, or added one of the others. */
export async function findLastWriter(
  tx: Sql,
  subject: AuditSubject,
  added: readonly AuditSubject[] = [],
): Promise<{ updatedByName: string | null; updatedAt: string } | null> {
  const [last] = await tx.query({
    text: sql`SELECT ${row({ updatedByName: ACTOR_NAME, updatedAt: e.at })} FROM ${e} ${BY_ACTOR}
      WHERE ${e.subject} = $1 OR (${e.subject} = ANY($2::text[]) AND ${e.before} IS NULL) ORDER BY ${e.at} DESC, ${e.id} DESC LIMIT 1`,
    values: [subject, added],
  })
  return last ? inJson(last) : null
}

/** Returns the state of a subject at a moment, reconstructed from its entries; undefined when no entry tells it. */
export async function findSubjectAt(
  db: Queries,
  /** With a `key` only entries about that field count. */
  { subject, key, at }: { subject: AuditSubject; key?: string; at: Date },
): Promise<Record<string, unknown> | null | undefined> {
  const about = `${entry.subject} = $1 AND ($3::text IS NULL OR ${entry.before} ? $3 OR ${entry.after} ? $3)`
  const state = orNull(as.shape<Record<string, unknown>>(`${entry.after}`))
  const [found] = await db.query({
    text: sql`(SELECT ${row({ state })} FROM ${entry} WHERE ${about} AND ${entry.at} <= $2 ORDER BY ${entry.at} DESC, ${entry.id} DESC LIMIT 1)
      UNION ALL (SELECT ${entry.before} FROM ${entry} WHERE ${about} AND ${entry.at} > $2 ORDER BY ${entry.at}, ${entry.id} LIMIT 1) LIMIT 1`,
    values: [subject, at, key ?? null],
  })
  return found?.state
}

/** What is read along with an entry. */
interface Beside {
  actorName: string | null
  subjectName: string | null
  changeSize: number
}
export type AuditRow = typeof auditEntry.$inferSelect & Beside & { cursor: Cursor }

type AuditFilters = Omit<z.output<typeof auditQuery>, 'page' | 'pageSize'>

function filterOf(query: AuditFilters): Filter {
  const filter = new Filter()
  filter.where(
    query.actor || null,
    actor =>
      `${e.actorUid} IN (SELECT ${person.uid} FROM ${person} WHERE ${person.uid} || ' ' || ${personWords('p')} ILIKE ${actor})`,
    likePart,
  )
  filter.where(query.action || null, action => `${e.action} LIKE ${action}`, likeStart)
  filter.where(query.subject || null, subject => `${e.subject} LIKE ${subject}`, likeStart)
  filter.where(query.change, change => `${e.changeId} = ${change}`)
  filter.where(query.from, from => `${e.at} >= ${from}`, startOfBangkokDay)
  filter.where(
    query.to,
    to => `${e.at} < ${to}`,
    to => new Date(startOfBangkokDay(to).getTime() + DAY_MS),
  )
  return filter
}

const KEYS = [
  { sql: e.at, type: 'timestamptz' },
  { sql: e.id, type: 'uuid' },
] as const satisfies SortKeys
const SELECT_PAGE = sql`SELECT ${row<AuditRow>({
  ...e,
  actorName: orNull(
    as.text(`CASE WHEN ${e.actorUid} = '${SHOP_ITSELF.uid}' THEN '${SHOP_ITSELF.name}' ELSE ${ACTOR_NAME} END`),
  ),
  subjectName: subjectName('e'),
  changeSize: as.int('coalesce(c.size, 1)'),
  cursor: as.shape<Cursor>(cursorOf(KEYS)),
})}
  FROM page e ${BY_ACTOR}
    LEFT JOIN (SELECT ${entry.changeId}, count(*)::int AS size FROM ${entry} WHERE ${entry.changeId} IN (SELECT ${entry.changeId} FROM page)
      GROUP BY ${entry.changeId}) c ON c.change_id = ${e.changeId}`
const NEWEST = `${e.at} DESC, ${e.id} DESC`

/** So many of an action are looked at for the latest of all; a save of very many may hide older ones of its action. */
const MOST_OF_ONE_ACTION = 40

/** A page of entries, newest first. */
export const findAudit = (
  db: Queries,
  query: z.output<typeof auditQuery>,
): Promise<{ rows: AuditRow[]; total: number }> =>
  findPage(db, { from: `${e}`, filter: filterOf(query), order: NEWEST, select: SELECT_PAGE }, query)

/** Returns the latest entries of some actions, newest first; of one save only the last. */
export const findLatest = (db: Queries, actions: readonly AuditAction[], most: number): Promise<AuditRow[]> =>
  db.query({
    // Each action's latest by its index: those of one that is rare would else be sought through the whole log.
    text: sql`WITH latest AS (
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
    const rows = await db.query({
      text: sql`WITH page AS (SELECT e.* FROM ${e} WHERE ${filter} ORDER BY ${NEWEST} LIMIT ${EXPORT_BATCH})
        ${SELECT_PAGE} ORDER BY ${NEWEST}`,
      values: filter.values,
    })
    const names = await findNamesOf(db, rows)
    if (rows.length > 0) yield rows.map(entry => ({ entry, names }))
    if (rows.length < EXPORT_BATCH) return
    after = rows.at(-1)!.cursor
  }
}
