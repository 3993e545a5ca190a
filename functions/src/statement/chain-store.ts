import { type ChainState, chainOf, type Doubted, type Movement } from '@shop/shared/statement/chain.ts'
import { and, eq, gte } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { feedKey, statementFile, statementLine } from './tables.ts'

/** For this many days a line whose balance did not follow is judged again; longer when a file covers its days. */
const AGAIN_DAYS = 7
/** A balance older than this is not compared with anything. */
const KNOWN_DAYS = 62

/** The fields of a line that its balance is judged by. */
export interface ChainLine extends Doubted {
  id: string
  key: string
}

const [l, b, g] = [under(statementLine, 'l'), under(statementLine, 'b'), under(statementLine, 'g')]
const [f, k] = [outer(statementFile, 'f'), outer(feedKey, 'k')]
/** Where names stand alone. */
const stored = under(statementLine)

const EARLIER = `(${b.day}, coalesce(${b.at}, '-infinity'), ${b.no}) < (${l.day}, coalesce(${l.at}, '-infinity'), ${l.no})`
const believedBeside = (which: string, order: string) => `(SELECT ${b.balanceSatang} IS NOT NULL FROM ${b}
  WHERE ${b.receivingAccountId} = ${l.receivingAccountId} AND ${b.chain} <> 'gap' AND ${b.state} <> 'void' AND ${which}
  ORDER BY ${b.day} ${order}, coalesce(${b.at}, '-infinity') ${order}, ${b.no} ${order} LIMIT 1)`
/**
 * A feed's line without a balance is suspicious when the believed line before it has one or, at the very beginning, the
 * line after it.
 */
const EXPECTS_BALANCE = `${l.fileId} IS NULL AND ${l.balanceSatang} IS NULL
  AND coalesce(${believedBeside(EARLIER, 'DESC')}, ${believedBeside(`NOT ${EARLIER} AND ${b.id} <> ${l.id}`, 'ASC')}, false)`

/**
 * Returns what is known of an account from the last day with a believed balance before `fromDay`: believed lines, and
 * lines that did not follow; each oldest first.
 */
export async function findChain(
  db: Sql,
  receivingAccountId: number,
  fromDay: string,
): Promise<{ believed: ChainLine[]; doubted: ChainLine[] }> {
  const line = row<ChainLine & { isDoubted: boolean }>({
    ...pick(l, 'id', 'key', 'at', 'amountSatang', 'balanceSatang', 'day'),
    isDoubted: as.bool(`${l.chain} = 'gap'`),
    isBalanceExpected: as.bool(`${l.chain} = 'gap' AND ${EXPECTS_BALANCE}`),
  })
  const rows = await db.query({
    text: sql`WITH since AS (
        SELECT least($2::date, (SELECT min(${g.day}) FROM ${g}
          WHERE ${g.receivingAccountId} = $1 AND ${g.chain} = 'gap' AND ${g.state} <> 'void'
            AND ${g.day} >= $2::date - ${AGAIN_DAYS})) AS day
      ), base AS (
        SELECT max(${b.day}) AS day FROM ${b}, since
        WHERE ${b.receivingAccountId} = $1 AND ${b.chain} <> 'gap' AND ${b.state} <> 'void' AND ${b.balanceSatang} IS NOT NULL
          AND ${b.day} < since.day AND ${b.day} >= since.day - ${KNOWN_DAYS}
      )
      SELECT ${line}
      FROM ${l}, since, base
      WHERE ${l.receivingAccountId} = $1 AND ${l.state} <> 'void' AND ${l.day} >= coalesce(base.day, since.day)
        AND (${l.balanceSatang} IS NOT NULL OR ${l.chain} = 'gap') AND (${l.day} >= since.day OR ${l.chain} <> 'gap')
      ORDER BY ${l.day}, coalesce(${l.at}, '-infinity'), ${l.no}`,
    values: [receivingAccountId, fromDay],
  })
  const of = (wanted: boolean) =>
    rows.filter(({ isDoubted }) => isDoubted === wanted).map(({ isDoubted: _, ...line }) => line)
  return { believed: of(false), doubted: of(true) }
}

/** Judges the lines of an account that are not believed yet. The caller holds the account's lock. */
export async function judgeChain(tx: Sql, receivingAccountId: number, fromDay: string): Promise<void> {
  const { believed, doubted } = await findChain(tx, receivingAccountId, fromDay)
  const judged = [...chainOf(believed, doubted)].filter(([, state]) => state !== 'gap')
  if (judged.length === 0) return
  await tx.query({
    text: sql`UPDATE ${l} SET ${stored.chain} = judged.chain FROM unnest($1::uuid[], $2::text[]) AS judged (id, chain)
      WHERE ${l.id} = judged.id`,
    values: [judged.map(([{ id }]) => id), judged.map(([, state]): ChainState => state)],
  })
}

const isGap = eq(statementLine.chain, 'gap')

/** Counts the lines of a file whose balance does not follow. */
export async function countGaps(tx: Sql, fileId: string): Promise<number> {
  return tx.orm.$count(statementLine, and(eq(statementLine.fileId, fileId), isGap))
}

/** Returns the last believed line before this one, with whose balance it is compared. */
export async function findBelievedBefore(db: Sql, lineId: string): Promise<Movement[]> {
  const before = row<Movement>(pick(b, 'at', 'amountSatang', 'balanceSatang', 'day'))
  return db.query({
    text: sql`SELECT ${before}
      FROM ${l} JOIN ${b} ON ${b.receivingAccountId} = ${l.receivingAccountId}
      WHERE ${l.id} = $1 AND ${b.chain} <> 'gap' AND ${b.state} <> 'void' AND ${b.balanceSatang} IS NOT NULL AND ${EARLIER}
      ORDER BY ${b.day} DESC, coalesce(${b.at}, '-infinity') DESC, ${b.no} DESC LIMIT 1`,
    values: [lineId],
  })
}

/** Returns the account of a line, and who uploaded its file or made its key; null when the line does not exist. */
export async function findSourceMaker(
  db: Sql,
  lineId: string,
): Promise<{ receivingAccountId: number; madeBy: string | null } | null> {
  const madeBy = orNull(as.text(`coalesce(${f.givenBy}, ${k.createdBy})`))
  const [found] = await db.query({
    text: sql`SELECT ${row({ ...pick(l, 'receivingAccountId'), madeBy })}
      FROM ${l} LEFT JOIN ${f} ON ${f.id} = ${l.fileId} LEFT JOIN ${k} ON ${k.id} = ${l.feedKeyId}
      WHERE ${l.id} = $1`,
    values: [lineId],
  })
  return found ?? null
}

/** Counts the lines since a Bangkok day whose balance does not follow and that nobody has explained. */
export async function countOpenGaps(db: Sql, since: string): Promise<number> {
  return db.orm.$count(statementLine, and(isGap, eq(statementLine.state, 'unmatched'), gte(statementLine.day, since)))
}
