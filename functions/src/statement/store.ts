import { invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import type { ChainState } from '@shop/shared/statement/chain.ts'
import { momentOf, type Payable } from '@shop/shared/statement/matching.ts'
import type { LineEvent, LineEventStep, LineTarget, StatementLine } from '@shop/shared/statement/statement.ts'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Sql } from '../database/database.ts'
import { columns, jsonObject, type SqlOf, selectList, sqlOf } from '../database/listing.ts'
import { ORDER_COLUMNS } from '../order/columns.ts'
import { orders } from '../order/tables.ts'
import { confirmedAtSql } from '../slipcheck/store.ts'
import { deliverProven, findHeld } from '../supplier/proof-store.ts'
import { DUE } from '../transfer/order-money.ts'
import { topUp } from '../wallet/tables.ts'
import { statementEvent, statementLine } from './tables.ts'

/** Longer than an order can be paid, and than a top-up looks for its money. */
const AROUND = '2 days'
/** Longer than a buyer may report an order's payment late and then wait for it. */
const CLAIMED = '9 days'

const {
  key: _key,
  orderId: _order,
  topUpId: _topUp,
  confirmedFileId: _file,
  confirmedKeyId: _confirming,
  day: _day,
  ...lineColumns
} = getTableColumns(statementLine)

/** A stored line: the bank's facts and the shop's decision. */
export interface StoredLine extends StatementLine {
  no: number
  createdAt: Date
  triedAt: Date | null
  decidedBy: string | null
  decidedAt: Date | null
  reason: string | null
  fileId: string | null
  feedKeyId: string | null
  chain: ChainState
  disputedAt: Date | null
}

/** Returns the SQL of a JSON object with what a line was matched to. */
export const targetJson = (kind: string, id: string, no: string): string => jsonObject<LineTarget>({ kind, id, no })

/** Returns that SQL for a line `l` whose order and top-up have these aliases. */
export const lineTarget = (order: string, topUp: string): string =>
  `CASE WHEN l.order_id IS NOT NULL THEN ${targetJson(`'order'`, 'l.order_id', `${order}.order_no`)}
    WHEN l.top_up_id IS NOT NULL THEN ${targetJson(`'topUp'`, 'l.top_up_id', `${topUp}.no`)} END`

const PLAIN_COLUMNS = lineColumns satisfies Record<keyof Omit<StoredLine, 'day' | 'target'>, AnyPgColumn>

/** The columns of a line `l` with what it was matched to. */
export const LINE_COLUMNS = `${selectList(PLAIN_COLUMNS, 'l')}, ${columns<Pick<StoredLine, 'day' | 'target'>>({
  day: 'l.day::text',
  target: lineTarget('lo', 'lu'),
})}`
export const LINE_JOINS = 'LEFT JOIN orders lo ON lo.id = l.order_id LEFT JOIN top_up lu ON lu.id = l.top_up_id'

/** Returns a line, locked for a decision in this transaction. */
export async function lockLine(tx: Sql, id: string): Promise<StoredLine | null> {
  const [row] = await tx.query<StoredLine>({
    text: `SELECT ${LINE_COLUMNS} FROM statement_line l ${LINE_JOINS} WHERE l.id = $1 FOR UPDATE OF l`,
    values: [id],
  })
  return row ?? null
}

/** A decision about a line: the new line with its new version, and the event for its history. */
export interface LineOutcome {
  line: StatementLine
  event: LineEvent
}

/**
 * Stores decisions about lines that this transaction has locked. Violates `statement_line_order` or
 * `statement_line_top_up` when another line has the same target.
 */
export async function saveLines(tx: Sql, outcomes: readonly LineOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const shown = outcomes.flatMap(({ line: { target, hasPaid } }) =>
    target?.kind === 'order' && !hasPaid ? [target.id] : [],
  )
  // Orders that only waited for their line may now go to the supplier.
  const held = await findHeld(tx, shown)
  const of = (kind: LineTarget['kind'], target: LineTarget | null) => (target?.kind === kind ? target.id : null)
  const column = <T>(pick: (outcome: LineOutcome) => T) => outcomes.map(pick)
  const saved = await tx.query({
    name: 'statement_line_save',
    text: `WITH given AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
          $9::uuid[], $10::text[], $11::text[], $12::timestamptz[], $13::boolean[])
          AS g (id, version, state, order_id, top_up_id, wallet_id, step, target_kind, target_id, actor_uid, reason, at, has_paid)
      ), saved AS (
        UPDATE statement_line l SET state = g.state, version = g.version, order_id = g.order_id, top_up_id = g.top_up_id,
          wallet_id = g.wallet_id, has_paid = g.has_paid, tried_at = coalesce(l.tried_at, g.at),
          decided_by = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.actor_uid END,
          decided_at = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.at END,
          reason = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.reason END
        FROM given g WHERE l.id = g.id AND l.version = g.version - 1 RETURNING l.id
      ), happened AS (
        INSERT INTO statement_event (line_id, version, step, target_kind, target_id, actor_uid, reason, at)
        SELECT g.id, g.version, g.step, g.target_kind, g.target_id, g.actor_uid, g.reason, g.at
        FROM given g JOIN saved s ON s.id = g.id
      )
      SELECT id FROM saved`,
    values: [
      column(({ line }) => line.id),
      column(({ line }) => line.version),
      column(({ line }) => line.state),
      column(({ line }) => of('order', line.target)),
      column(({ line }) => of('topUp', line.target)),
      column(({ line }) => line.walletId),
      column(({ event }) => event.step),
      column(({ event }) => event.target?.kind ?? null),
      column(({ event }) => event.target?.id ?? null),
      column(({ event }) => event.actorUid),
      column(({ event }) => event.reason),
      column(({ event }) => event.at),
      column(({ line }) => line.hasPaid),
    ],
  })
  invariant(saved.length === outcomes.length, 'a line is saved from the version it was loaded at')
  await deliverProven(tx, held, outcomes[0]!.event.at)
}

/** Who did something about a line other than deciding what it is, when and why. */
export interface LineNote {
  id: string
  actorUid: string
  reason: string
  at: Date
}
/**
 * Changes a locked line other than by a decision, and adds the step to its history. Returns false when the line is not
 * as `only` says.
 */
export async function noteLine(
  tx: Sql,
  step: LineEventStep,
  change: Partial<typeof statementLine.$inferInsert>,
  { id, ...note }: LineNote,
  only?: SQL,
): Promise<boolean> {
  const [saved] = await tx.orm
    .update(statementLine)
    .set({ ...change, version: sql`${statementLine.version} + 1` })
    .where(and(eq(statementLine.id, id), only))
    .returning()
  if (!saved) return false
  await tx.orm.insert(statementEvent).values({ ...note, lineId: id, version: saved.version, step })
  return true
}

/** Tells whether a line comes from a file that this person uploaded, who could have made it up. */
export async function isGivenBy(db: Sql, lineId: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM statement_line l JOIN statement_file f ON f.id = l.file_id WHERE l.id = $1 AND f.given_by = $2`,
    values: [lineId, uid],
  })
  return rows.length > 0
}

/** Stores one decision; see `saveLines`. */
export const saveLine = (tx: Sql, line: StatementLine, event: LineEvent): Promise<void> =>
  saveLines(tx, [{ line, event }])

export const ORDER_PAYABLE: SqlOf<Payable> = {
  target: targetJson(`'order'`, 'o.id', 'o.order_no'),
  amountSatang: DUE,
  ...sqlOf(orders, 'o', 'receivingAccountId', 'status', 'createdAt', 'expiresAt', 'paidAt', 'endedAt'),
  reportedAt: 'o.transfer_reported_at',
  isCorrected: 'false',
  isCreditBack: `o.status = 'expired' AND o.credit_satang > 0`,
  lineId: '(SELECT x.id FROM statement_line x WHERE x.order_id = o.id)',
  toldAt: confirmedAtSql('o.id', 'o.slip_id'),
}

export const TOP_UP_PAYABLE: SqlOf<Payable> = {
  target: targetJson(`'topUp'`, 'u.id', 'u.no'),
  ...sqlOf(topUp, 'u', 'amountSatang', 'receivingAccountId', 'status', 'createdAt'),
  expiresAt: 'NULL::timestamptz',
  paidAt: `CASE WHEN u.status = 'approve' THEN u.decided_at END`,
  endedAt: `CASE WHEN u.status <> 'approve' THEN u.decided_at END`,
  reportedAt: 'NULL::timestamptz',
  isCorrected: 'u.corrected_at IS NOT NULL',
  isCreditBack: 'false',
  lineId: '(SELECT x.id FROM statement_line x WHERE x.top_up_id = u.id)',
  toldAt: confirmedAtSql('u.id', 'u.slip_id'),
}

/** Returns an order or top-up that a line may be matched to; null when it does not exist. */
export async function findPayable(db: Sql, { kind, id }: Pick<LineTarget, 'kind' | 'id'>): Promise<Payable | null> {
  const [row] = await db.query<Payable>({
    text:
      kind === 'order'
        ? `SELECT ${columns<Payable>(ORDER_PAYABLE)} FROM orders o WHERE o.id = $1 AND o.payment = 'bank'`
        : `SELECT ${columns<Payable>(TOP_UP_PAYABLE)} FROM top_up u WHERE u.id = $1 AND u.payment = 'bank'`,
    values: [id],
  })
  return row ?? null
}

/**
 * Locks the next untried lines of incoming money whose balance is not doubted, oldest first. Lines that another job
 * works on are skipped; when there are no others it waits for those, and may then find none.
 */
export async function lockUntried(tx: Sql, receivingAccountId: number | null, limit: number): Promise<StoredLine[]> {
  const next = (lines: number, wait: string) =>
    tx.query<StoredLine>({
      text: `SELECT ${LINE_COLUMNS} FROM statement_line l ${LINE_JOINS}
        WHERE l.tried_at IS NULL AND l.state = 'unmatched' AND l.chain <> 'gap' AND ($1::int IS NULL OR l.receiving_account_id = $1)
        ORDER BY l.receiving_account_id, l.day, l.at, l.no LIMIT ${lines} FOR UPDATE OF l ${wait}`,
      values: [receivingAccountId],
    })
  const free = await next(limit, 'SKIP LOCKED')
  return free.length > 0 ? free : next(1, '')
}

/** Counts the matched lines of a file. */
export async function countMatched(db: Sql, fileId: string): Promise<number> {
  return db.orm.$count(statementLine, and(eq(statementLine.fileId, fileId), eq(statementLine.state, 'matched')))
}

export async function countUntried(db: Sql, receivingAccountId: number | null): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM statement_line
      WHERE tried_at IS NULL AND state = 'unmatched' AND chain <> 'gap' AND ($1::int IS NULL OR receiving_account_id = $1)`,
    values: [receivingAccountId],
  })
  return row!.n
}

export async function markTried(tx: Sql, ids: readonly string[], now: Date): Promise<void> {
  await tx.query({
    name: 'statement_line_tried',
    text: 'UPDATE statement_line SET tried_at = $2 WHERE id = ANY($1::uuid[])',
    values: [ids, now],
  })
}

/**
 * Makes lines of the last days be tried again when a top-up of their amount was entered since, a slip of that amount
 * confirmed, or another such line said to be no transfer of what has its money without a line. A line that somebody decided about, even if the decision was taken back, is left to people.
 */
export async function reopenForNews(db: Sql, since: Date): Promise<void> {
  const reopen = (news: string, isOfLine: string) =>
    db.query({
      text: `UPDATE statement_line l SET tried_at = NULL FROM ${news}
        WHERE ${isOfLine} AND l.state = 'unmatched' AND l.version = 1 AND l.created_at >= $1`,
      values: [since],
    })
  await reopen(
    'top_up u',
    `u.payment = 'bank' AND u.created_at >= $1 AND u.amount_satang = l.amount_satang AND u.created_at > l.tried_at
      AND (u.receiving_account_id IS NULL OR u.receiving_account_id = l.receiving_account_id)`,
  )
  await reopen(
    'slip_check k JOIN slip_ask a ON a.check_id = k.id',
    `k.state = 'confirmed' AND k.decided_at > l.tried_at AND a.asked_at >= $1 AND a.amount_satang = l.amount_satang`,
  )
  await reopen(
    'used_transfer x JOIN used_transfer u ON u.subject_id = x.apart_from AND u.line_id IS NULL',
    // The first condition is that of the index of the few that have one, because this runs each minute.
    `x.apart_from IS NOT NULL AND x.line_id IS NOT NULL AND x.amount_satang = l.amount_satang AND x.receiving_account_id = l.receiving_account_id
      AND u.amount_satang = l.amount_satang`,
  )
}

/**
 * Returns for each line, by id, the things of its amount and account that could be its own by their time; `fitting`
 * tells which are.
 */
export async function findPayablesOf(db: Sql, lines: readonly StatementLine[]): Promise<Map<string, Payable[]>> {
  const found = new Map<string, Payable[]>(lines.map(({ id }) => [id, []]))
  const moments = lines.map(momentOf)
  const rows = await db.query<{ line: string } & Payable>({
    name: 'statement_payables',
    text: `WITH l AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::timestamptz[], $5::timestamptz[]) AS l (id, account, amount, "from", "to")
      )
      SELECT l.id AS line, ${columns<Payable>(ORDER_PAYABLE)} FROM l JOIN orders o ON o.receiving_account_id = l.account
        AND ${DUE} = l.amount AND o.created_at BETWEEN l.from - interval '${CLAIMED}' AND l.to + interval '${AROUND}'
      UNION ALL
      SELECT l.id, ${columns<Payable>(TOP_UP_PAYABLE)} FROM l JOIN top_up u ON u.amount_satang = l.amount
        AND u.created_at BETWEEN l.from - interval '${AROUND}' AND l.to + interval '${AROUND}'
      WHERE u.payment = 'bank' AND (u.receiving_account_id IS NULL OR u.receiving_account_id = l.account)`,
    values: [
      lines.map(({ id }) => id),
      lines.map(line => line.receivingAccountId),
      lines.map(line => line.amountSatang),
      moments.map(({ from }) => from),
      moments.map(({ to }) => to),
    ],
  })
  for (const { line, ...payable } of rows) found.get(line)!.push(payable)
  return found
}

/**
 * Locks orders and top-ups before they are matched, always in the same order, so that transactions never wait for each
 * other in a circle.
 */
export async function lockTargets(tx: Sql, targets: readonly LineTarget[]): Promise<Map<string, Order>> {
  const idsOf = (kind: LineTarget['kind']) => targets.filter(target => target.kind === kind).map(({ id }) => id)
  const locked = await tx.query<Order>({
    text: `SELECT ${selectList(ORDER_COLUMNS, 'o')} FROM orders o WHERE o.id = ANY($1::uuid[]) ORDER BY o.id FOR UPDATE`,
    values: [idsOf('order')],
  })
  await tx.query({
    text: 'SELECT 1 FROM top_up WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [idsOf('topUp')],
  })
  return new Map(locked.map(order => [order.id, order]))
}
