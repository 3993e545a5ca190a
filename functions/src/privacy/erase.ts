import { createHash } from 'node:crypto'
import { subjectOfLine } from '@shop/shared/account/account.ts'
import { ERASED_NAME, ERASURE_WAIT_MINUTES, LAST_WORDS_HOURS } from '@shop/shared/privacy/erasure.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { account, linkedIdentity, ownerNews } from '../account/tables.ts'
import { agentBank } from '../agent/tables.ts'
import { auditEntry } from '../audit/tables.ts'
import { chatMessage } from '../chat/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, outer, pick, row, sql, Text, under } from '../database/sql.ts'
import { mailMessage } from '../mail/tables.ts'
import { orders } from '../order/tables.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { outbox } from '../outbox/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { owedRefund, statementLine } from '../statement/tables.ts'
import { slip } from '../upload/tables.ts'
import { voucher } from '../voucher/tables.ts'
import { credit, topUp, wallet } from '../wallet/tables.ts'
import { KEPT_TABLES, type Kept } from './personal.ts'
import { areClosed, type ErasureRow, findBarriers, findErasure, keysOf, saveClosing, type Whose } from './store.ts'
import { erasure } from './tables.ts'

/** What an erased person is looked for by: ids of their things, and words that name them. */
interface ErasedSets {
  request: string
  standIn: string
  uids: string[]
  keys: string[]
  lineIds: string[]
  words: string[]
  orders: string[]
  orderNos: string[]
  topUps: string[]
  refunds: string[]
  lines: string[]
  checks: string[]
  slips: string[]
  subjects: string[]
}

const TYPES = {
  request: 'uuid',
  standIn: 'text',
  uids: 'text[]',
  keys: 'text[]',
  lineIds: 'text[]',
  words: 'text[]',
  orders: 'uuid[]',
  orderNos: 'text[]',
  topUps: 'uuid[]',
  refunds: 'uuid[]',
  lines: 'uuid[]',
  checks: 'uuid[]',
  slips: 'uuid[]',
  subjects: 'text[]',
} as const satisfies Record<keyof ErasedSets, string>

/** Runs SQL in which `:name` stands for a set. */
function run<Row = never>(tx: Sql, { text, fields }: Text<Row>, sets: Partial<ErasedSets>): Promise<Row[]> {
  const values: unknown[] = []
  const bound = text.replace(/(?<!:):([a-z]\w*)/gi, (_, name: keyof ErasedSets) => {
    values.push(sets[name])
    return `$${values.length}::${TYPES[name]}`
  })
  return tx.query({ text: new Text<Row>(bound, fields), values })
}

/** Shorter texts are parts of too many others. */
const LEAST_WORD = 6

const [o, w, u, l] = [under(orders), under(wallet), under(topUp), under(statementLine)]
const [f, c, k, i] = [under(owedRefund), under(credit), under(slipCheck), under(linkedIdentity)]
const [v, s, a, b] = [under(voucher), under(slip), under(account, 'a'), outer(agentBank, 'b')]
const [m, n] = [under(chatMessage, 'm'), under(ownerNews, 'n')]
const [letter, job, person, request] = [under(mailMessage), under(outbox, 'o'), under(account), under(erasure)]

const listed = (query: string) => as.shape<string[]>(`ARRAY(${query})`)
const SETS = sql`WITH own_orders AS MATERIALIZED (SELECT ${o.id}, ${o.orderNo}, ${o.slipId}, ${o.createdAt} FROM ${o} WHERE ${o.buyerKey} = ANY(:keys)),
      own_wallets AS MATERIALIZED (SELECT ${w.id} FROM ${w} WHERE ${w.uid} = ANY(:uids)),
      own_top_ups AS MATERIALIZED (SELECT ${u.id}, ${u.slipId} FROM ${u} WHERE ${u.walletId} IN (SELECT id FROM own_wallets)),
      own_lines AS MATERIALIZED (SELECT ${l.id} FROM ${l} WHERE ${l.orderId} IN (SELECT id FROM own_orders)
        UNION SELECT ${l.id} FROM ${l} WHERE ${l.topUpId} IN (SELECT id FROM own_top_ups)
        UNION SELECT ${l.id} FROM ${l} WHERE ${l.walletId} IN (SELECT id FROM own_wallets)),
      own_refunds AS MATERIALIZED (SELECT ${f.id}, ${f.sentSlipId} FROM ${f}
        WHERE ${f.orderId} IN (SELECT id FROM own_orders) OR ${f.lineId} IN (SELECT id FROM own_lines)
          OR ${f.fromCreditId} IN (SELECT ${c.id} FROM ${c} WHERE ${c.uid} = ANY(:uids))),
      own_checks AS MATERIALIZED (SELECT ${k.id}, ${k.slipId} FROM ${k}
        WHERE ${k.subjectId} IN (SELECT id FROM own_orders UNION ALL SELECT id FROM own_top_ups)),
      line_ids AS MATERIALIZED (SELECT ${i.subject} FROM ${i} WHERE ${i.uid} = ANY(:uids))
    SELECT ${row<Omit<ErasedSets, 'request' | 'standIn' | 'uids' | 'keys'>>({
      orders: listed('SELECT id FROM own_orders'),
      orderNos: listed('SELECT order_no FROM own_orders'),
      topUps: listed('SELECT id FROM own_top_ups'),
      lines: listed('SELECT id FROM own_lines'),
      refunds: listed('SELECT id FROM own_refunds'),
      checks: listed('SELECT id FROM own_checks'),
      slips:
        listed(`SELECT slip_id FROM own_orders WHERE slip_id IS NOT NULL UNION SELECT slip_id FROM own_top_ups WHERE slip_id IS NOT NULL
        UNION SELECT sent_slip_id FROM own_refunds WHERE sent_slip_id IS NOT NULL UNION SELECT slip_id FROM own_checks
        UNION SELECT ${v.evidenceSlipId} FROM ${v} WHERE ${v.orderId} IN (SELECT id FROM own_orders) AND ${v.evidenceSlipId} IS NOT NULL
        UNION SELECT ${s.id} FROM ${s} WHERE ${s.uploaderKey} = ANY(:keys)`),
      lineIds: listed('SELECT subject FROM line_ids'),
      subjects:
        listed(`SELECT 'account:' || uid FROM unnest(:uids) AS u(uid) UNION ALL SELECT 'order:' || order_no FROM own_orders
        UNION ALL SELECT 'topUp:' || id FROM own_top_ups UNION ALL SELECT 'owedRefund:' || id FROM own_refunds
        UNION ALL SELECT 'erasure:' || :request`),
      words:
        listed(`SELECT DISTINCT word FROM ${a} LEFT JOIN ${b} USING (uid), unnest(ARRAY[${a.uid}, ${a.email}, lower(${a.email}),
        ${a.phone}, nullif(${a.givenName}, '') || ' ' || nullif(${a.familyName}, ''), ${b.bankAccount}]) AS w(word)
        WHERE ${a.uid} = ANY(:uids) AND length(word) >= ${LEAST_WORD}`),
    })}`

async function findSets(tx: Sql, id: string, whose: Whose): Promise<ErasedSets> {
  const { uids } = whose
  const keys = keysOf(whose)
  const [found] = await run(tx, SETS, { request: id, uids, keys })
  const lineIds = [...found!.lineIds, ...uids.flatMap(uid => subjectOfLine(uid) ?? [])]
  const links = uids.map(encodeURIComponent)
  return {
    ...found!,
    request: id,
    standIn: standInOf(id),
    uids,
    keys,
    lineIds,
    words: [...new Set([...found!.words, ...lineIds, ...links])],
  }
}

/** What stays of an erased account goes by this uid, so that books and sums still belong together. */
const standInOf = (id: string): string => `erased:${id}`

const UID = (column: string) => `CASE WHEN ${column} = ANY(:uids) THEN :standIn ELSE ${column} END`
const OWNER = (column: string) => `CASE WHEN ${column} = ANY(:keys) THEN 'u:' || :standIn ELSE ${column} END`

/** Returns the SQL of what becomes of a table's columns; '' when nothing does. */
function changesOf({ persons = {} }: Kept): string {
  return Object.entries(persons)
    .flatMap(([column, fate]) => {
      if (fate === 'uid') return [`${column} = ${UID(column)}`]
      if (fate === 'ownerKey') return [`${column} = ${OWNER(column)}`]
      return typeof fate === 'object' && 'set' in fate ? [`${column} = ${fate.set}`] : []
    })
    .join(', ')
}

/** Deletes or blanks the person's rows of one table. */
async function eraseIn(tx: Sql, table: string, kept: Kept, sets: ErasedSets): Promise<void> {
  const changes = changesOf(kept)
  if (!kept.theirs) return
  if (kept.goes) await run(tx, sql`DELETE FROM ${table} WHERE ${kept.theirs}`, sets)
  else if (changes) await run(tx, sql`UPDATE ${table} SET ${changes} WHERE ${kept.theirs}`, sets)
}

/** Former staff are named wherever they acted, in rows that are not theirs. */
async function eraseDeeds(tx: Sql, sets: ErasedSets): Promise<void> {
  const e = under(auditEntry)
  const did = as.bool(
    `EXISTS (SELECT FROM ${e} WHERE ${e.actorUid} = $1 AND ${e.actorRole} NOT IN ('customer', 'agent'))`,
  )
  const [acted] = await tx.query({
    text: sql`SELECT ${row({ did })}`,
    values: [sets.standIn],
  })
  if (!acted!.did) return
  for (const [table, { persons = {} }] of KEPT_TABLES)
    for (const [column, fate] of Object.entries(persons))
      if (fate === 'uid')
        await run(tx, sql`UPDATE ${table} SET ${column} = :standIn WHERE ${column} = ANY(:uids)`, sets)
}

/** An erasure reads some tables from end to end; it is rare, and nobody waits for it. */
export const ERASING = { statementMs: 240_000 }

/**
 * Erases a person from every table, in one transaction: it has happened, or nothing has. The amounts and moments of the
 * books stay, under a stand-in. @param writtenOnce erases from what the server's role may not change
 */
export async function eraseRows(
  tx: Sql,
  id: string,
  whose: Whose,
  { writtenOnce, now }: { writtenOnce: (tx: Sql) => Promise<unknown>; now: Date },
): Promise<void> {
  const locking = sql`SELECT ${row(pick(a, 'uid'))} FROM ${a} WHERE ${a.uid} = ANY($1) ORDER BY ${a.uid} FOR UPDATE`
  await tx.query({ text: locking, values: [whose.uids] })
  const sets = await findSets(tx, id, whose)
  await tx.query({
    text: sql`INSERT INTO ${person} (${person.uid}, ${person.username}, ${person.providers}, ${person.status}, ${person.createdAt})
      VALUES ($1, $2, '{}', 'inactive', $3)
      ON CONFLICT DO NOTHING`,
    values: [sets.standIn, ERASED_NAME, now],
  })
  await writtenOnce(tx)
  // The account's own row comes last: other tables refer to it.
  for (const [table, kept] of KEPT_TABLES) if (table !== 'account') await eraseIn(tx, table, kept, sets)
  await eraseDeeds(tx, sets)
  await run(tx, sql`DELETE FROM ${person} WHERE ${person.uid} = ANY(:uids)`, sets)
  const ending = sql`UPDATE ${request} SET ${request.state} = 'done', ${request.endedAt} = $2 WHERE ${request.id} = $1`
  await tx.query({ text: ending, values: [id, now] })
}

/** Deletes the pictures of the person's slips. */
async function eraseFiles({ db, files }: Pick<Shop, 'db' | 'files'>, id: string, whose: Whose): Promise<void> {
  const { slips } = await findSets(db, id, whose)
  const rows = await db.query({
    text: sql`SELECT ${row(pick(s, 'fileKey'))} FROM ${s} WHERE ${s.id} = ANY($1) AND ${s.fileKey} <> ''`,
    values: [slips],
  })
  for (const { fileKey } of rows) await files.remove(fileKey)
}

/** The folder with one file per erased uid. It is not in the database, so a restored one does not lose it. */
export const ERASED_FOLDER = 'erased'
/** The uid of a LINE account holds LINE's id of the person, so only its hash is kept. Ids are random: nobody guesses one. */
export const hashOfUid = (uid: string): string => createHash('sha256').update(uid).digest('hex')

/** What must have happened outside of the database before the rows go. Safe to repeat: each step finds its work done. */
export async function eraseOutside(
  shop: Pick<Shop, 'db' | 'files' | 'identityProvider'>,
  id: string,
  whose: Whose,
  now: Date,
): Promise<void> {
  const note = Buffer.from(JSON.stringify({ erasedAt: now.toISOString(), guestHash: whose.guestHash }))
  for (const uid of whose.uids)
    await shop.files.write(`${ERASED_FOLDER}/${hashOfUid(uid)}.json`, note, 'application/json')
  await eraseFiles(shop, id, whose)
  for (const uid of whose.uids) await shop.identityProvider.deleteUser(uid)
}

/** Tells whether a message to the person still waits: after the erasure nobody knows where to send it. */
async function hasLastWords(db: Sql, { uids }: Whose): Promise<boolean> {
  const waits = as.bool(`EXISTS (SELECT FROM ${letter} WHERE ${letter.uid} = ANY($1) AND ${letter.state} = 'waiting')
      OR EXISTS (SELECT FROM ${n} JOIN ${m} ON ${m.recipient} = ${n.lineId} AND ${m.state} = 'waiting' WHERE ${n.uid} = ANY($1))
      OR EXISTS (SELECT FROM ${n} JOIN ${job} ON ${job.kind} = 'owner.tell' AND ${job.key} = ${n.id}::text AND ${job.state} = 'waiting'
        WHERE ${n.uid} = ANY($1))`)
  const [found] = await db.query({ text: sql`SELECT ${row({ waits })}`, values: [uids] })
  return found!.waits
}

const AGAIN_SECONDS = 300
/** Something came up after the approval; staff see what it is. */
const BARRED_SECONDS = 3600

/** From here on the identity provider gives out no token. Whom it does not know gets none anyway. */
async function closeOutside(identityProvider: Shop['identityProvider'], uid: string): Promise<void> {
  if (!(await identityProvider.findUser(uid))) return
  await identityProvider.updateUser(uid, { isDisabled: true })
  await identityProvider.revokeTokens(uid)
}

/** Returns the moment at which to look again; null when the erasure can be done. */
async function whenToLook(shop: Shop, request: ErasureRow, now: Date): Promise<Date | null> {
  const tokensEnd = addSeconds(request.closedAt!, ERASURE_WAIT_MINUTES * 60)
  if (now < tokensEnd) return tokensEnd
  const isPatient = now < addSeconds(request.approvedAt!, LAST_WORDS_HOURS * 3600)
  if (isPatient && (await hasLastWords(shop.db, request))) return addSeconds(now, AGAIN_SECONDS)
  const barriers = await findBarriers(shop.db, request, now)
  return barriers.length > 0 || !(await areClosed(shop.db, request)) ? addSeconds(now, BARRED_SECONDS) : null
}

/** Erases an account whose owner asked and that was approved; killed in between, it begins again where it was. */
export const eraseHandler: OutboxHandler<'account.erase'> = {
  concurrency: 1,
  ...ERASING,
  lockSeconds: (2 * ERASING.statementMs) / 1000,
  // It looks every few minutes and is never given up: somebody was promised it.
  mostFaults: 1_000_000,
  async run(shop, { erasureId }) {
    const request = await findErasure(shop.db, erasureId)
    if (request?.state !== 'approved') return async () => ({ to: 'done' })
    const now = shop.now()
    if (!request.closedAt) {
      for (const uid of request.uids) await closeOutside(shop.identityProvider, uid)
      return async tx => {
        await saveClosing(tx, erasureId, now)
        return { to: 'waiting', dueAt: addSeconds(now, ERASURE_WAIT_MINUTES * 60), error: null }
      }
    }
    const dueAt = await whenToLook(shop, request, now)
    if (dueAt) return async () => ({ to: 'waiting', dueAt, error: null })
    await eraseOutside(shop, erasureId, request, now)
    return async tx => {
      const done = as.shape<unknown>('erase_written_once($1)')
      const writtenOnce = () => tx.query({ text: sql`SELECT ${row({ done })}`, values: [erasureId] })
      await eraseRows(tx, erasureId, request, { writtenOnce, now })
      return { to: 'done' }
    }
  },
}
