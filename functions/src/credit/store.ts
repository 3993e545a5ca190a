import type { CreditMove } from '@shop/shared/credit/credit.ts'
import type { CreditMoveRow } from '@shop/shared/credit/endpoints.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Payee } from '@shop/shared/order/payee.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import { uuidv7 } from 'uuidv7'
import { CREDIT_SINCE_PIN, type PinJson, pinJson, pinOf, type StoredPin } from '../access/pin.ts'
import { openedAt } from '../audit/store.ts'
import type { Queries, Sql } from '../database/database.ts'
import { as, coalesce, listOf, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orderEvent, orders } from '../order/tables.ts'
import { IS_OF_ORDER } from '../statement/refund-store.ts'
import { owedRefund, statementLine } from '../statement/tables.ts'
import { credit, ledgerEntry, ledgerTransaction } from '../wallet/tables.ts'

export interface Credit {
  id: string
  balanceSatang: Satang
}

const PAGE = 20

const c = under(credit, 'c')
const f = under(owedRefund, 'f')
/** The same where names stand alone. */
const [made, owed] = [under(credit), under(owedRefund)]

const CREDIT = sql`SELECT ${row<Credit>(pick(c, 'id', 'balanceSatang'))} FROM ${c} WHERE ${c.uid} = $1`

/** Returns a person's shop credit; null before they first had any. */
export async function findCredit(db: Queries, uid: string): Promise<Credit | null> {
  const [found] = await db.query({ text: CREDIT, values: [uid] })
  return found ?? null
}

/** Returns a person's shop credit, locked until the transaction ends. */
export async function lockCredit(tx: Sql, uid: string): Promise<Credit | null> {
  const [found] = await tx.query({ text: sql`${CREDIT} FOR UPDATE`, values: [uid] })
  return found ?? null
}

/** Credit that its owner wants as a transfer. */
export interface WithdrawalRow {
  id: string
  amountSatang: Satang
  askedAt: Date
  payee: Payee | null
  sentAt: Date | null
  slipId: string | null
}

const WITHDRAWAL = row<WithdrawalRow>({
  ...pick(f, 'id', 'amountSatang', 'payee', 'sentAt'),
  askedAt: f.createdAt,
  slipId: f.sentSlipId,
})

/** Everything that a person is told of their shop credit. */
interface CreditFacts {
  balanceSatang: Satang
  /** What left it since they last typed their PIN for it. */
  sincePinSatang: Satang
  /** When the shop last set a password or PIN of theirs; null when it did not. */
  openedAt: Date | null
  /** The PIN that guards it; null when none is set. */
  pin: StoredPin | null
  /** What they lately wanted from it as a transfer, newest first. */
  withdrawals: WithdrawalRow[]
}

const may = outer(credit, 'c')
const FACTS = sql`SELECT ${row({
  balanceSatang: coalesce(may.balanceSatang, 0),
  sincePinSatang: as.satang(`coalesce(${CREDIT_SINCE_PIN}, 0)`),
  openedAt: orNull(as.instant(openedAt('ask.uid', '$2'))),
  pin: orNull(as.shape<PinJson>(pinJson('ask.uid'))),
  withdrawals: listOf(sql`${WITHDRAWAL} FROM ${f} WHERE ${f.fromCreditId} = ${may.id} AND ${f.undoneAt} IS NULL
    ORDER BY ${f.createdAt} DESC, ${f.id} DESC LIMIT ${PAGE}`),
})}
  FROM (SELECT $1::text AS uid) ask LEFT JOIN ${may} ON ${may.uid} = ask.uid`

/** Returns what a person is told of their shop credit, in one statement. @param since when an opening of it still counts */
export async function findCreditFacts(db: Queries, uid: string, since: Date): Promise<CreditFacts> {
  const [found] = await db.query({ name: 'credit_facts', text: FACTS, values: [uid, since] })
  const { pin, withdrawals, ...facts } = found!
  return {
    ...facts,
    pin: pin && pinOf(pin),
    withdrawals: withdrawals.map(each => ({
      ...each,
      askedAt: new Date(each.askedAt),
      sentAt: each.sentAt === null ? null : new Date(each.sentAt),
    })),
  }
}

/** Returns such a transfer of this person, locked until the transaction ends. */
export async function lockWithdrawal(tx: Sql, id: string, uid: string): Promise<WithdrawalRow | null> {
  const [found] = await tx.query({
    text: sql`SELECT ${WITHDRAWAL} FROM ${f} JOIN ${c} ON ${c.id} = ${f.fromCreditId}
      WHERE ${f.id} = $1 AND ${c.uid} = $2 AND ${f.undoneAt} IS NULL FOR UPDATE OF f`,
    values: [id, uid],
  })
  return found ?? null
}

/** Returns whose a shop credit is. */
export async function findOwner(tx: Sql, creditId: string): Promise<string | null> {
  const [found] = await tx.query({
    text: sql`SELECT ${row(pick(c, 'uid'))} FROM ${c} WHERE ${c.id} = $1`,
    values: [creditId],
  })
  return found?.uid ?? null
}

/** Returns the id of a person's shop credit, and makes it before its first use. */
export async function openCredit(tx: Sql, uid: string, now: Date): Promise<string> {
  await tx.query({
    text: sql`INSERT INTO ${made} (${made.id}, ${made.uid}, ${made.createdAt}) VALUES ($1, $2, $3) ON CONFLICT (${made.uid}) DO NOTHING`,
    values: [uuidv7(), uid, now],
  })
  return (await findCredit(tx, uid))!.id
}

/** What each kind of transaction is for the owner of shop credit. */
const MOVE_OF: Record<LedgerTransaction['kind'], CreditMove | null> = {
  refund_credited: 'refund',
  order_refunded: 'refund',
  order_paid: 'spent',
  credit_held: 'held',
  credit_returned: 'returned',
  credit_withdrawn: 'withdrawn',
  // These move no credit.
  order_reduced: null,
  order_payment_undone: null,
  top_up: null,
  correction: null,
  line_booked: null,
  line_undone: null,
  refund_sent: null,
  charge_fee: null,
  charge_owed: null,
}
const [t, e, l, o] = [
  under(ledgerTransaction, 't'),
  under(ledgerEntry, 'e'),
  under(statementLine, 'l'),
  under(orders, 'o'),
]
const happened = under(orderEvent, 'h')
const MOVE = `CASE ${t.kind} ${Object.entries(MOVE_OF)
  .filter(([, move]) => move !== null)
  .map(([kind, move]) => `WHEN '${kind}' THEN '${move}'`)
  .join(' ')} END`

const last = under(ledgerTransaction, 'x')
const MOVED = row<Omit<CreditMoveRow, 'at'> & { at: Date }>({
  ...pick(t, 'id', 'at'),
  move: as.text<CreditMove>(MOVE),
  amountSatang: e.amountSatang,
  orderNo: orNull(
    as.text(`(SELECT ${o.orderNo} FROM ${o}
      WHERE ${o.id} = coalesce((SELECT ${f.orderId} FROM ${f} WHERE ${f.id} = ${t.subjectId}), ${t.subjectId}))`),
  ),
})

/** Returns a page of what came and went, newest first. @param after the last one of the page before */
export async function findCreditMoves(
  db: Queries,
  creditId: string,
  after: string | null,
): Promise<{ rows: (Omit<CreditMoveRow, 'at'> & { at: Date })[]; next: string | null }> {
  const found = await db.query({
    text: sql`SELECT ${MOVED} FROM ${e} JOIN ${t} ON ${t.id} = ${e.transactionId}
      WHERE ${e.account} = $1 AND ($2::uuid IS NULL OR (${e.at}, ${t.id}) < (SELECT ${last.at}, ${last.id} FROM ${last} WHERE ${last.id} = $2))
      ORDER BY ${e.at} DESC, ${t.id} DESC LIMIT ${PAGE + 1}`,
    values: [`credit:${creditId}`, after],
  })
  const rows = found.slice(0, PAGE)
  return { rows, next: found.length > PAGE ? rows.at(-1)!.id : null }
}

/** Money that the shop owes the buyer of an order, with who made it owed. */
export interface OpenRefund {
  id: string
  amountSatang: Satang
  isOfOrder: boolean
  /** The member of the staff on whose word it is owed; null when the shop itself, or the gateway, said so. */
  makerUid: string | null
}

const OPEN = row<OpenRefund>({
  ...pick(f, 'id', 'amountSatang'),
  isOfOrder: as.bool(IS_OF_ORDER),
  makerUid: orNull(
    as.text(`CASE WHEN ${f.lineId} IS NOT NULL THEN (SELECT ${l.decidedBy} FROM ${l} WHERE ${l.id} = ${f.lineId})
      WHEN ${f.chargeId} IS NULL THEN (SELECT ${happened.actorUid} FROM ${happened} WHERE ${happened.orderId} = ${f.orderId}
        AND ${happened.toStatus} = 'refunding' AND ${happened.actorRole} <> 'system' ORDER BY ${happened.version} DESC LIMIT 1) END`),
  ),
})

/** Locks what is owed for an order, which must be locked before. */
export function lockOpenRefunds(tx: Sql, orderId: string): Promise<OpenRefund[]> {
  return tx.query({
    text: sql`SELECT ${OPEN} FROM ${f} WHERE ${f.orderId} = $1 AND ${f.fromCreditId} IS NULL
      AND ${f.sentAt} IS NULL AND ${f.undoneAt} IS NULL ORDER BY ${f.id} FOR UPDATE OF f`,
    values: [orderId],
  })
}

/** Writes down that the owner of owed money wants it as shop credit, whatever account they named before. */
export async function askForCredit(tx: Sql, refundId: string, creditId: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${owed} SET ${owed.creditId} = $2, ${owed.payee} = NULL, ${owed.payeeHash} = NULL, ${owed.payeeReason} = NULL,
        ${owed.payeeBy} = NULL, ${owed.payeeAt} = $3, ${owed.payeeVersion} = ${owed.payeeVersion} + 1
      WHERE ${owed.id} = $1`,
    values: [refundId, creditId, now],
  })
}

/** Marks owed money as paid to shop credit. @param by the member of the staff who did it; null for the shop itself */
export async function saveCredited(tx: Sql, refundId: string, { at, by }: { at: Date; by: string | null }) {
  await tx.query({
    text: sql`UPDATE ${owed} SET ${owed.sentAt} = $2, ${owed.sentBy} = $3 WHERE ${owed.id} = $1`,
    values: [refundId, at, by],
  })
}
