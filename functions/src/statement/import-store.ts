import type { ChainState } from '@shop/shared/statement/chain.ts'
import type { ColumnMapping } from '@shop/shared/statement/mapping.ts'
import type { Met, ToldMovement } from '@shop/shared/statement/same-movement.ts'
import type { StatementLine } from '@shop/shared/statement/statement.ts'
import { desc, sql as drizzled, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { receivingAccount } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, orNull, pick, row, sql, under } from '../database/sql.ts'
import { deliverProven } from '../supplier/proof-store.ts'
import { statementFile, statementLine, statementMapping } from './tables.ts'

/** A line from a file or a feed, with the key that identifies it. */
export interface NewLine
  extends Omit<StatementLine, 'id' | 'receivingAccountId' | 'state' | 'version' | 'target' | 'walletId' | 'hasPaid'> {
  key: string
  /** See `HashAccount`; null where the sender's whole number is not told. */
  payerHash: string | null
}

/** The source of lines: an imported file or a feed's key. */
export interface LineSource {
  fileId: string | null
  feedKeyId: string | null
}

const l = under(statementLine, 'l')
/** Where names stand alone. */
const [stored, file, shopAccount] = [under(statementLine), under(statementFile), under(receivingAccount)]

/** Prefix of the keys of lines that have the bank's own id. */
export const REFERENCE_KEY = 'ref '

const CLOCK = `to_char(${stored.at} AT TIME ZONE 'Asia/Bangkok', CASE WHEN ${stored.precisionSeconds} < 60 THEN 'HH24:MI:SS' ELSE 'HH24:MI' END)`

export type StatementAccount = typeof receivingAccount.$inferSelect

export async function findAccount(db: Sql, id: number): Promise<StatementAccount | null> {
  const [row] = await db.orm.select().from(receivingAccount).where(eq(receivingAccount.id, id))
  return row ?? null
}

export const digitsOf = (accountNo: string): string => accountNo.replace(/\D/g, '')

/** Tells whether the shop has an account with this number, in any spelling. */
export async function isKnownAccountNo(db: Sql, accountNo: string): Promise<boolean> {
  const digits = drizzled`regexp_replace(${receivingAccount.accountNo}, '\\D', '', 'g')`
  return (await db.orm.$count(receivingAccount, eq(digits, digitsOf(accountNo)))) > 0
}

/**
 * Locks an account, so that imports into it run one after the other: which lines are new depends on those that are
 * stored.
 */
export async function lockAccount(tx: Sql, id: number): Promise<void> {
  await tx.query({ text: sql`SELECT FROM ${shopAccount} WHERE ${shopAccount.id} = $1 FOR NO KEY UPDATE`, values: [id] })
}

/** Returns the known lines of some days, by the facts of their movements. */
export async function findKnown(db: Sql, receivingAccountId: number, days: Iterable<string>): Promise<ToldMovement[]> {
  const known = row<ToldMovement>({
    ...pick(stored, 'key', 'day', 'amountSatang', 'balanceSatang'),
    time: orNull(as.text(CLOCK)),
    reference: orNull(as.text(`CASE WHEN starts_with(${stored.key}, '${REFERENCE_KEY}') THEN ${stored.key} END`)),
  })
  return db.query({
    text: sql`SELECT ${known}
      FROM ${stored} WHERE ${stored.receivingAccountId} = $1 AND ${stored.day} = ANY($2::date[])
        AND ${stored.state} <> 'void' ORDER BY ${stored.no}`,
    values: [receivingAccountId, [...new Set(days)]],
  })
}

/**
 * Records that another source confirmed known lines. A file counts most: it fills in a missing balance, which then must
 * follow, and settles a line whose key was taken back. A feed's report proves a line that so far only a file contained.
 */
export async function confirmLines(
  tx: Sql,
  met: readonly Met<ToldMovement>[],
  of: { receivingAccountId: number; source: LineSource; now: Date },
): Promise<void> {
  const lines = await tx.query({
    text: sql`UPDATE ${l} SET
        ${stored.confirmedFileId} = CASE WHEN ${l.fileId} IS NULL THEN coalesce(${l.confirmedFileId}, $2) END,
        ${stored.confirmedKeyId} = coalesce(${l.confirmedKeyId}, CASE WHEN ${l.feedKeyId} IS DISTINCT FROM $3 THEN $3 END),
        ${stored.balanceSatang} = coalesce(${l.balanceSatang}, CASE WHEN $2::uuid IS NOT NULL THEN m.balance END),
        ${stored.chain} = CASE WHEN ${l.balanceSatang} IS NULL AND $2::uuid IS NOT NULL
          AND m.balance IS NOT NULL THEN 'gap' ELSE ${l.chain} END,
        ${stored.disputedAt} = CASE WHEN $2::uuid IS NULL THEN ${l.disputedAt} END
      FROM unnest($4::text[], $5::bigint[]) AS m (key, balance)
      WHERE ${l.receivingAccountId} = $1 AND ${l.key} = m.key AND (
        ($2::uuid IS NOT NULL AND ${l.fileId} IS NULL AND ${l.confirmedFileId} IS NULL)
        OR ($2::uuid IS NOT NULL AND ${l.balanceSatang} IS NULL AND m.balance IS NOT NULL)
        OR ($3::uuid IS NOT NULL AND ${l.feedKeyId} IS DISTINCT FROM $3 AND ${l.confirmedKeyId} IS NULL))
      RETURNING ${row(pick(l, 'orderId'))}`,
    values: [
      of.receivingAccountId,
      of.source.fileId,
      of.source.feedKeyId,
      met.map(({ known }) => known.key),
      met.map(({ told }) => told.balanceSatang),
    ],
  })
  // An order whose line came only from a file may have been held back until now.
  const paid = lines.flatMap(({ orderId }) => orderId ?? [])
  if (of.source.feedKeyId !== null) await deliverProven(tx, paid, of.now)
}

/** Inserts lines in one statement and skips those whose key exists. Returns how many were added. */
export async function insertLines(
  tx: Sql,
  lines: readonly NewLine[],
  of: { receivingAccountId: number; source: LineSource; chain: ChainState; now: Date },
): Promise<number> {
  const column = <T>(pick: (line: NewLine) => T) => lines.map(pick)
  const added = await tx.query({
    text: sql`WITH added AS (
        INSERT INTO ${stored} (${stored.id}, ${stored.receivingAccountId}, ${stored.key}, ${stored.day}, ${stored.at},
          ${stored.precisionSeconds}, ${stored.amountSatang}, ${stored.balanceSatang}, ${stored.detail}, ${stored.fromBank},
          ${stored.fromAccount}, ${stored.payerHash}, ${stored.channel}, ${stored.fileId}, ${stored.feedKeyId},
          ${stored.createdAt}, ${stored.chain}, ${stored.state}, ${stored.version})
        SELECT l.id, $1, l.key, l.day, l.at, l.precision, l.amount, l.balance, l.detail, l.bank, l.account, l.hash, l.channel,
          $2, $3, $4, $5,
          CASE WHEN l.amount > 0 THEN 'unmatched' ELSE 'out' END, 1
        FROM unnest($6::uuid[], $7::text[], $8::date[], $9::timestamptz[], $10::smallint[], $11::bigint[], $12::bigint[],
          $13::text[], $14::text[], $15::text[], $16::text[], $17::text[])
          WITH ORDINALITY AS l (id, key, day, at, precision, amount, balance, detail, bank, account, hash, channel, place)
        ORDER BY l.place
        ON CONFLICT (${stored.receivingAccountId}, ${stored.key}) DO NOTHING RETURNING 1
      ) SELECT ${row({ n: as.int('count(*)') })} FROM added`,
    values: [
      of.receivingAccountId,
      of.source.fileId,
      of.source.feedKeyId,
      of.now,
      of.chain,
      column(() => uuidv7()),
      column(({ key }) => key),
      column(({ day }) => day),
      column(({ at }) => at),
      column(line => line.precisionSeconds),
      column(line => line.amountSatang),
      column(line => line.balanceSatang),
      column(({ detail }) => detail),
      column(({ fromBank }) => fromBank),
      column(line => line.fromAccount),
      column(line => line.payerHash),
      column(({ channel }) => channel),
    ],
  })
  return added[0]!.n
}

export interface StatementFile {
  id: string
  receivingAccountId: number
  fileName: string
  /** null once the file itself was deleted. */
  fileKey: string | null
  givenBy: string
  importedAt: Date | null
}

export async function insertFile(db: Sql, file: StatementFile, now: Date): Promise<void> {
  await db.orm.insert(statementFile).values({ ...file, createdAt: now })
}

export async function findFile(db: Sql, id: string): Promise<StatementFile | null> {
  const [row] = await db.orm.select().from(statementFile).where(eq(statementFile.id, id))
  return row ?? null
}

export async function markImported(tx: Sql, fileId: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${file} SET ${file.importedAt} = coalesce(${file.importedAt}, $2) WHERE ${file.id} = $1`,
    values: [fileId, now],
  })
}

/** Returns the mappings saved for an account, latest first. */
export async function findMappings(db: Sql, accountId: number): Promise<ColumnMapping[]> {
  const saved = db.orm.select().from(statementMapping).where(eq(statementMapping.receivingAccountId, accountId))
  return (await saved.orderBy(desc(statementMapping.savedAt))).map(({ mapping }) => mapping)
}

export async function saveMapping(tx: Sql, saved: typeof statementMapping.$inferSelect): Promise<void> {
  const target = [statementMapping.receivingAccountId, statementMapping.headerHash]
  await tx.orm.insert(statementMapping).values(saved).onConflictDoUpdate({ target, set: saved })
}
