import { createHash } from 'node:crypto'
import { subjectOfLine } from '@shop/shared/account/account.ts'
import { ERASED_NAME, ERASURE_WAIT_MINUTES, LAST_WORDS_HOURS } from '@shop/shared/privacy/erasure.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Shop } from '../shop/shop.ts'
import { KEPT_TABLES, type Kept } from './personal.ts'
import { areClosed, type ErasureRow, findBarriers, findErasure, keysOf, saveClosing, type Whose } from './store.ts'

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
function run(tx: Sql, text: string, sets: Partial<ErasedSets>) {
  const values: unknown[] = []
  const bound = text.replace(/(?<!:):([a-z]\w*)/gi, (_, name: keyof ErasedSets) => {
    values.push(sets[name])
    return `$${values.length}::${TYPES[name]}`
  })
  return tx.query<Record<string, string[]>>({ text: bound, values })
}

/** Shorter texts are parts of too many others. */
const LEAST_WORD = 6

async function findSets(tx: Sql, id: string, whose: Whose): Promise<ErasedSets> {
  const { uids } = whose
  const keys = keysOf(whose)
  const [found] = await run(
    tx,
    `WITH own_orders AS MATERIALIZED (SELECT id, order_no, slip_id, created_at FROM orders WHERE buyer_key = ANY(:keys)),
      own_wallets AS MATERIALIZED (SELECT id FROM wallet WHERE uid = ANY(:uids)),
      own_top_ups AS MATERIALIZED (SELECT id, slip_id FROM top_up WHERE wallet_id IN (SELECT id FROM own_wallets)),
      own_lines AS MATERIALIZED (SELECT id FROM statement_line WHERE order_id IN (SELECT id FROM own_orders)
        UNION SELECT id FROM statement_line WHERE top_up_id IN (SELECT id FROM own_top_ups)
        UNION SELECT id FROM statement_line WHERE wallet_id IN (SELECT id FROM own_wallets)),
      own_refunds AS MATERIALIZED (SELECT id, sent_slip_id FROM owed_refund
        WHERE order_id IN (SELECT id FROM own_orders) OR line_id IN (SELECT id FROM own_lines)
          OR from_credit_id IN (SELECT id FROM credit WHERE uid = ANY(:uids))),
      own_checks AS MATERIALIZED (SELECT id, slip_id FROM slip_check
        WHERE subject_id IN (SELECT id FROM own_orders UNION ALL SELECT id FROM own_top_ups)),
      line_ids AS MATERIALIZED (SELECT subject FROM linked_identity WHERE uid = ANY(:uids))
    SELECT ARRAY(SELECT id FROM own_orders) AS orders,
      ARRAY(SELECT order_no FROM own_orders) AS "orderNos",
      ARRAY(SELECT id FROM own_top_ups) AS "topUps", ARRAY(SELECT id FROM own_lines) AS lines,
      ARRAY(SELECT id FROM own_refunds) AS refunds, ARRAY(SELECT id FROM own_checks) AS checks,
      ARRAY(SELECT slip_id FROM own_orders WHERE slip_id IS NOT NULL UNION SELECT slip_id FROM own_top_ups WHERE slip_id IS NOT NULL
        UNION SELECT sent_slip_id FROM own_refunds WHERE sent_slip_id IS NOT NULL UNION SELECT slip_id FROM own_checks
        UNION SELECT evidence_slip_id FROM voucher WHERE order_id IN (SELECT id FROM own_orders) AND evidence_slip_id IS NOT NULL
        UNION SELECT id FROM slip WHERE uploader_key = ANY(:keys)) AS slips,
      ARRAY(SELECT subject FROM line_ids) AS "lineIds",
      ARRAY(SELECT 'account:' || uid FROM unnest(:uids) AS u(uid) UNION ALL SELECT 'order:' || order_no FROM own_orders
        UNION ALL SELECT 'topUp:' || id FROM own_top_ups UNION ALL SELECT 'owedRefund:' || id FROM own_refunds
        UNION ALL SELECT 'erasure:' || :request) AS subjects,
      ARRAY(SELECT DISTINCT word FROM account a LEFT JOIN agent_bank b USING (uid), unnest(ARRAY[a.uid, a.email, lower(a.email),
        a.phone, nullif(a.given_name, '') || ' ' || nullif(a.family_name, ''), b.bank_account]) AS w(word)
        WHERE a.uid = ANY(:uids) AND length(word) >= ${LEAST_WORD}) AS words`,
    { request: id, uids, keys },
  )
  const { words, ...things } = found as unknown as Omit<ErasedSets, 'request' | 'standIn' | 'uids' | 'keys' | 'lineIds'>
  const lineIds = [...found!.lineIds!, ...uids.flatMap(uid => subjectOfLine(uid) ?? [])]
  const links = uids.map(encodeURIComponent)
  return {
    ...things,
    request: id,
    standIn: standInOf(id),
    uids,
    keys,
    lineIds,
    words: [...new Set([...words, ...lineIds, ...links])],
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
  if (kept.goes) await run(tx, `DELETE FROM ${table} WHERE ${kept.theirs}`, sets)
  else if (changes) await run(tx, `UPDATE ${table} SET ${changes} WHERE ${kept.theirs}`, sets)
}

/** Former staff are named wherever they acted, in rows that are not theirs. */
async function eraseDeeds(tx: Sql, sets: ErasedSets): Promise<void> {
  const [acted] = await tx.query<{ did: boolean }>({
    text: `SELECT EXISTS (SELECT FROM audit_entry WHERE actor_uid = $1 AND actor_role NOT IN ('customer', 'agent')) AS did`,
    values: [sets.standIn],
  })
  if (!acted!.did) return
  for (const [table, { persons = {} }] of KEPT_TABLES)
    for (const [column, fate] of Object.entries(persons))
      if (fate === 'uid') await run(tx, `UPDATE ${table} SET ${column} = :standIn WHERE ${column} = ANY(:uids)`, sets)
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
  await tx.query({ text: 'SELECT uid FROM account WHERE uid = ANY($1) ORDER BY uid FOR UPDATE', values: [whose.uids] })
  const sets = await findSets(tx, id, whose)
  await tx.query({
    text: `INSERT INTO account (uid, username, providers, status, created_at) VALUES ($1, $2, '{}', 'inactive', $3)
      ON CONFLICT DO NOTHING`,
    values: [sets.standIn, ERASED_NAME, now],
  })
  await writtenOnce(tx)
  // The account's own row comes last: other tables refer to it.
  for (const [table, kept] of KEPT_TABLES) if (table !== 'account') await eraseIn(tx, table, kept, sets)
  await eraseDeeds(tx, sets)
  await run(tx, 'DELETE FROM account WHERE uid = ANY(:uids)', sets)
  await tx.query({ text: `UPDATE erasure SET state = 'done', ended_at = $2 WHERE id = $1`, values: [id, now] })
}

/** Deletes the pictures of the person's slips. */
async function eraseFiles({ db, files }: Pick<Shop, 'db' | 'files'>, id: string, whose: Whose): Promise<void> {
  const { slips } = await findSets(db, id, whose)
  const rows = await db.query<{ fileKey: string }>({
    text: `SELECT file_key AS "fileKey" FROM slip WHERE id = ANY($1) AND file_key <> ''`,
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
  const [row] = await db.query<{ waits: boolean }>({
    text: `SELECT EXISTS (SELECT FROM mail_message WHERE uid = ANY($1) AND state = 'waiting')
      OR EXISTS (SELECT FROM owner_news n JOIN chat_message m ON m.recipient = n.line_id AND m.state = 'waiting'
        WHERE n.uid = ANY($1))
      OR EXISTS (SELECT FROM owner_news n JOIN outbox o ON o.kind = 'owner.tell' AND o.key = n.id::text AND o.state = 'waiting'
        WHERE n.uid = ANY($1)) AS waits`,
    values: [uids],
  })
  return row!.waits
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
      const writtenOnce = () => tx.query({ text: 'SELECT erase_written_once($1)', values: [erasureId] })
      await eraseRows(tx, erasureId, request, { writtenOnce, now })
      return { to: 'done' }
    }
  },
}
