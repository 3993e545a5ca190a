import { invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import type { ChainState } from '@shop/shared/statement/chain.ts'
import { momentOf, type Payable } from '@shop/shared/statement/matching.ts'
import type {
  LineEvent,
  LineEventStep,
  LineTarget,
  StatementLine,
  TargetKind,
} from '@shop/shared/statement/statement.ts'
import { keysOf } from '@shop/shared/table.ts'
import { and, sql as drizzled, eq, type SQL } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, type Expr, type Fields, json, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { ORDER_COLUMNS } from '../order/columns.ts'
import { orders } from '../order/tables.ts'
import { confirmedAtSql } from '../slipcheck/store.ts'
import { slipAsk, slipCheck } from '../slipcheck/tables.ts'
import { deliverProven, findHeld } from '../supplier/proof-store.ts'
import { DUE } from '../transfer/order-money.ts'
import { usedTransfer } from '../transfer/tables.ts'
import { topUp } from '../wallet/tables.ts'
import { statementEvent, statementFile, statementLine } from './tables.ts'

/** Longer than an order can be paid, and than a top-up looks for its money. */
const AROUND = '2 days'
/** Longer than a buyer may report an order's payment late and then wait for it. */
const CLAIMED = '9 days'

const [l, x, f] = [under(statementLine, 'l'), under(statementLine, 'x'), under(statementFile, 'f')]
const [o, u] = [under(orders, 'o'), under(topUp, 'u')]
const [k, a] = [under(slipCheck, 'k'), under(slipAsk, 'a')]
const [apart, used] = [under(usedTransfer, 'x'), under(usedTransfer, 'u')]
/** Where names stand alone. */
const [stored, happened, storedTopUp] = [under(statementLine), under(statementEvent), under(topUp)]
/** What a line `l` may be matched to. */
const [lo, lu] = [outer(orders, 'lo'), outer(topUp, 'lu')]

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
export const targetJson = (kind: Expr<TargetKind>, id: Expr<string>, no: Expr<string>): Expr<LineTarget> =>
  json<LineTarget>({ kind, id, no })
const ORDER_KIND = as.text<TargetKind>(`'order'`)
const TOP_UP_KIND = as.text<TargetKind>(`'topUp'`)

/** Returns that SQL for a line `l` with the numbers of its order and its top-up. */
export const lineTarget = (orderNo: Expr<string | null>, topUpNo: Expr<string | null>): Expr<LineTarget | null> =>
  orNull(
    as.shape<LineTarget>(
      `CASE WHEN ${l.orderId} IS NOT NULL THEN ${targetJson(ORDER_KIND, notNull(l.orderId), notNull(orderNo))}
    WHEN ${l.topUpId} IS NOT NULL THEN ${targetJson(TOP_UP_KIND, notNull(l.topUpId), notNull(topUpNo))} END`,
    ),
  )

const {
  key: _key,
  orderId: _order,
  topUpId: _topUp,
  confirmedFileId: _file,
  confirmedKeyId: _confirming,
  ...lineColumns
} = l

/** A line `l` with what it was matched to. */
export const LINE: Fields<StoredLine> = { ...lineColumns, target: lineTarget(lo.orderNo, lu.no) }
export const LINE_JOINS = sql`LEFT JOIN ${lo} ON ${lo.id} = ${l.orderId} LEFT JOIN ${lu} ON ${lu.id} = ${l.topUpId}`
const LINES = sql`SELECT ${row<StoredLine>(LINE)} FROM ${l} ${LINE_JOINS}`

/** Returns a line, locked for a decision in this transaction. */
export async function lockLine(tx: Sql, id: string): Promise<StoredLine | null> {
  const [found] = await tx.query({
    text: sql`${LINES} WHERE ${l.id} = $1 FOR UPDATE OF l`,
    values: [id],
  })
  return found ?? null
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
    text: sql`WITH given AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
          $9::uuid[], $10::text[], $11::text[], $12::timestamptz[], $13::boolean[])
          AS g (id, version, state, order_id, top_up_id, wallet_id, step, target_kind, target_id, actor_uid, reason, at, has_paid)
      ), saved AS (
        UPDATE ${l} SET ${stored.state} = g.state, ${stored.version} = g.version, ${stored.orderId} = g.order_id,
          ${stored.topUpId} = g.top_up_id, ${stored.walletId} = g.wallet_id, ${stored.hasPaid} = g.has_paid,
          ${stored.triedAt} = coalesce(${l.triedAt}, g.at),
          ${stored.decidedBy} = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.actor_uid END,
          ${stored.decidedAt} = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.at END,
          ${stored.reason} = CASE WHEN g.state = 'unmatched' THEN NULL ELSE g.reason END
        FROM given g WHERE ${l.id} = g.id AND ${l.version} = g.version - 1 RETURNING ${row(pick(l, 'id'))}
      ), happened AS (
        INSERT INTO ${happened} (${happened.lineId}, ${happened.version}, ${happened.step}, ${happened.targetKind},
          ${happened.targetId}, ${happened.actorUid}, ${happened.reason}, ${happened.at})
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
    .set({ ...change, version: drizzled`${statementLine.version} + 1` })
    .where(and(eq(statementLine.id, id), only))
    .returning()
  if (!saved) return false
  await tx.orm.insert(statementEvent).values({ ...note, lineId: id, version: saved.version, step })
  return true
}

/** Tells whether a line comes from a file that this person uploaded, who could have made it up. */
export async function isGivenBy(db: Sql, lineId: string, uid: string): Promise<boolean> {
  const rows = await db.query({
    text: sql`SELECT FROM ${l} JOIN ${f} ON ${f.id} = ${l.fileId} WHERE ${l.id} = $1 AND ${f.givenBy} = $2`,
    values: [lineId, uid],
  })
  return rows.length > 0
}

/** Stores one decision; see `saveLines`. */
export const saveLine = (tx: Sql, line: StatementLine, event: LineEvent): Promise<void> =>
  saveLines(tx, [{ line, event }])

export const ORDER_PAYABLE: Fields<Payable> = {
  target: targetJson(ORDER_KIND, o.id, o.orderNo),
  amountSatang: DUE,
  ...pick(o, 'receivingAccountId', 'status', 'createdAt', 'expiresAt', 'paidAt', 'endedAt'),
  reportedAt: o.transferReportedAt,
  isCorrected: as.bool('false'),
  isCreditBack: as.bool(`${o.status} = 'expired' AND ${o.creditSatang} > 0`),
  lineId: orNull(as.text(`(SELECT ${x.id} FROM ${x} WHERE ${x.orderId} = ${o.id})`)),
  toldAt: orNull(as.instant(confirmedAtSql(`${o.id}`, `${o.slipId}`))),
}

const NEVER = orNull(as.instant('NULL'))
export const TOP_UP_PAYABLE: Fields<Payable> = {
  target: targetJson(TOP_UP_KIND, u.id, u.no),
  ...pick(u, 'amountSatang', 'receivingAccountId', 'status', 'createdAt'),
  expiresAt: NEVER,
  paidAt: orNull(as.instant(`CASE WHEN ${u.status} = 'approve' THEN ${u.decidedAt} END`)),
  endedAt: orNull(as.instant(`CASE WHEN ${u.status} <> 'approve' THEN ${u.decidedAt} END`)),
  reportedAt: NEVER,
  isCorrected: as.bool(`${u.correctedAt} IS NOT NULL`),
  isCreditBack: as.bool('false'),
  lineId: orNull(as.text(`(SELECT ${x.id} FROM ${x} WHERE ${x.topUpId} = ${u.id})`)),
  toldAt: orNull(as.instant(confirmedAtSql(`${u.id}`, `${u.slipId}`))),
}

/** Returns an order or top-up that a line may be matched to; null when it does not exist. */
export async function findPayable(db: Sql, { kind, id }: Pick<LineTarget, 'kind' | 'id'>): Promise<Payable | null> {
  const [found] = await db.query({
    text:
      kind === 'order'
        ? sql`SELECT ${row<Payable>(ORDER_PAYABLE)} FROM ${o} WHERE ${o.id} = $1 AND ${o.payment} = 'bank'`
        : sql`SELECT ${row<Payable>(TOP_UP_PAYABLE)} FROM ${u} WHERE ${u.id} = $1 AND ${u.payment} = 'bank'`,
    values: [id],
  })
  return found ?? null
}

/**
 * Locks the next untried lines of incoming money whose balance is not doubted, oldest first. Lines that another job
 * works on are skipped; when there are no others it waits for those, and may then find none.
 */
export async function lockUntried(tx: Sql, receivingAccountId: number | null, limit: number): Promise<StoredLine[]> {
  const next = (lines: number, wait: string) =>
    tx.query({
      text: sql`${LINES}
        WHERE ${l.triedAt} IS NULL AND ${l.state} = 'unmatched' AND ${l.chain} <> 'gap'
          AND ($1::int IS NULL OR ${l.receivingAccountId} = $1)
        ORDER BY ${l.receivingAccountId}, ${l.day}, ${l.at}, ${l.no} LIMIT ${lines} FOR UPDATE OF l ${wait}`,
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
  const [found] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${stored}
      WHERE ${stored.triedAt} IS NULL AND ${stored.state} = 'unmatched' AND ${stored.chain} <> 'gap'
        AND ($1::int IS NULL OR ${stored.receivingAccountId} = $1)`,
    values: [receivingAccountId],
  })
  return found!.n
}

export async function markTried(tx: Sql, ids: readonly string[], now: Date): Promise<void> {
  await tx.query({
    name: 'statement_line_tried',
    text: sql`UPDATE ${stored} SET ${stored.triedAt} = $2 WHERE ${stored.id} = ANY($1::uuid[])`,
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
      text: sql`UPDATE ${l} SET ${stored.triedAt} = NULL FROM ${news}
        WHERE ${isOfLine} AND ${l.state} = 'unmatched' AND ${l.version} = 1 AND ${l.createdAt} >= $1`,
      values: [since],
    })
  await reopen(
    `${u}`,
    `${u.payment} = 'bank' AND ${u.createdAt} >= $1 AND ${u.amountSatang} = ${l.amountSatang} AND ${u.createdAt} > ${l.triedAt}
      AND (${u.receivingAccountId} IS NULL OR ${u.receivingAccountId} = ${l.receivingAccountId})`,
  )
  await reopen(
    `${k} JOIN ${a} ON ${a.checkId} = ${k.id}`,
    `${k.state} = 'confirmed' AND ${k.decidedAt} > ${l.triedAt} AND ${a.askedAt} >= $1 AND ${a.amountSatang} = ${l.amountSatang}`,
  )
  await reopen(
    `${apart} JOIN ${used} ON ${used.subjectId} = ${apart.apartFrom} AND ${used.lineId} IS NULL`,
    // The first condition is that of the index of the few that have one, because this runs each minute.
    `${apart.apartFrom} IS NOT NULL AND ${apart.lineId} IS NOT NULL AND ${apart.amountSatang} = ${l.amountSatang}
      AND ${apart.receivingAccountId} = ${l.receivingAccountId}
      AND ${used.amountSatang} = ${l.amountSatang}`,
  )
}

type PayableOf = Payable & { line: string }

/**
 * Returns for each line, by id, the things of its amount and account that could be its own by their time; `fitting`
 * tells which are.
 */
export async function findPayablesOf(db: Sql, lines: readonly StatementLine[]): Promise<Map<string, Payable[]>> {
  const found = new Map<string, Payable[]>(lines.map(({ id }) => [id, []]))
  const moments = lines.map(momentOf)
  const rows = await db.query({
    name: 'statement_payables',
    text: sql`WITH l AS (
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::timestamptz[], $5::timestamptz[]) AS l (id, account, amount, "from", "to")
      )
      SELECT ${row<PayableOf>({ line: l.id, ...ORDER_PAYABLE })} FROM l JOIN ${o} ON ${o.receivingAccountId} = l.account
        AND ${DUE} = l.amount AND ${o.createdAt} BETWEEN l.from - interval '${CLAIMED}' AND l.to + interval '${AROUND}'
      UNION ALL
      SELECT ${row<PayableOf>({ line: l.id, ...TOP_UP_PAYABLE })} FROM l JOIN ${u} ON ${u.amountSatang} = l.amount
        AND ${u.createdAt} BETWEEN l.from - interval '${AROUND}' AND l.to + interval '${AROUND}'
      WHERE ${u.payment} = 'bank' AND (${u.receivingAccountId} IS NULL OR ${u.receivingAccountId} = l.account)`,
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

const ORDER = row<Order>(pick(o, ...keysOf(ORDER_COLUMNS)))

/**
 * Locks orders and top-ups before they are matched, always in the same order, so that transactions never wait for each
 * other in a circle.
 */
export async function lockTargets(tx: Sql, targets: readonly LineTarget[]): Promise<Map<string, Order>> {
  const idsOf = (kind: LineTarget['kind']) => targets.filter(target => target.kind === kind).map(({ id }) => id)
  const locked = await tx.query({
    text: sql`SELECT ${ORDER} FROM ${o} WHERE ${o.id} = ANY($1::uuid[]) ORDER BY ${o.id} FOR UPDATE`,
    values: [idsOf('order')],
  })
  await tx.query({
    text: sql`SELECT FROM ${storedTopUp} WHERE ${storedTopUp.id} = ANY($1::uuid[]) ORDER BY ${storedTopUp.id} FOR UPDATE`,
    values: [idsOf('topUp')],
  })
  return new Map(locked.map(order => [order.id, order]))
}
