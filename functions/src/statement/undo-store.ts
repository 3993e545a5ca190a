import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { UndoFacts } from '@shop/shared/statement/undo-barrier.ts'
import type { Sql } from '../database/database.ts'
import { as, orNull, outer, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { DUE } from '../transfer/order-money.ts'
import { ledgerEntry, ledgerTransaction, topUp, wallet } from '../wallet/tables.ts'
import { owedRefund, statementLine } from './tables.ts'

const [l, f] = [under(statementLine, 'l'), under(owedRefund, 'f')]
/** What a line may be matched to. */
const [o, u] = [outer(orders, 'o'), outer(topUp, 'u')]
const [t, r] = [under(ledgerTransaction, 't'), under(ledgerTransaction, 'r')]
const [e, w] = [under(ledgerEntry, 'e'), under(wallet, 'w')]

interface UndoRow {
  id: string
  orderStatus: OrderStatus | null
  orderAmountSatang: number | null
  creditedSatang: number | null
  balanceSatang: number | null
  isRefundSent: boolean
  isTopUpOnWallet: boolean
}

/** Returns by line id how far the effects of each line have gone; read without a lock. */
export async function findUndoFacts(db: Sql, lineIds: readonly string[]): Promise<Map<string, UndoFacts>> {
  const facts = row<UndoRow>({
    id: l.id,
    orderStatus: o.status,
    orderAmountSatang: orNull(DUE),
    creditedSatang: orNull(as.satang('c.credited')),
    balanceSatang: orNull(as.satang('c.balance')),
    isRefundSent: as.bool(
      `EXISTS (SELECT 1 FROM ${f} WHERE ${f.lineId} = ${l.id} AND ${f.undoneAt} IS NULL AND ${f.sentAt} IS NOT NULL)`,
    ),
    isTopUpOnWallet: as.bool(`${u.status} IS NOT DISTINCT FROM 'approve' AND ${u.correctedAt} IS NULL`),
  })
  const rows = await db.query({
    text: sql`SELECT ${facts}
      FROM ${l} LEFT JOIN ${o} ON ${o.id} = ${l.orderId} LEFT JOIN ${u} ON ${u.id} = ${l.topUpId}
      LEFT JOIN LATERAL (
        SELECT sum(${e.amountSatang}) AS credited, ${w.balanceSatang} AS balance FROM ${t}
          JOIN ${e} ON ${e.transactionId} = ${t.id} AND ${e.account} LIKE 'wallet:%'
          JOIN ${w} ON ${w.id} = substr(${e.account}, 8)::uuid
        WHERE ${t.subjectId} = ${l.id} AND ${t.kind} = 'line_booked'
          AND NOT EXISTS (SELECT 1 FROM ${r} WHERE ${r.reversesId} = ${t.id})
        GROUP BY ${w.id}
      ) c ON true
      WHERE ${l.id} = ANY($1::uuid[])`,
    values: [lineIds],
  })
  return new Map(
    rows.map(({ id, orderStatus, orderAmountSatang, creditedSatang, balanceSatang, ...facts }) => [
      id,
      {
        order: orderStatus && { status: orderStatus, amountSatang: orderAmountSatang! },
        wallet: creditedSatang === null ? null : { creditedSatang, balanceSatang: balanceSatang! },
        ...facts,
      },
    ]),
  )
}
