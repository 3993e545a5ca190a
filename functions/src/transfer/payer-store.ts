import { type Payer, payerOf } from '@shop/shared/order/payer.ts'
import { senderNameIn } from '@shop/shared/statement/counterparty.ts'
import type { Queries } from '../database/database.ts'
import { as, orNull, type RowOf, row, sql, under } from '../database/sql.ts'
import { orders, refundRequest } from '../order/tables.ts'
import { slipAsk, slipCheck } from '../slipcheck/tables.ts'
import { owedRefund, statementLine } from '../statement/tables.ts'
import { slip } from '../upload/tables.ts'

const [l, p, s] = [under(statementLine, 'l'), under(statementLine, 'p'), under(slip, 's')]
const [c, a, o] = [under(slipCheck, 'c'), under(slipAsk, 'a'), under(orders, 'o')]
const [f, g, r] = [under(owedRefund, 'f'), under(owedRefund, 'g'), under(refundRequest, 'r')]

const told = (column: string) => orNull(as.text(`t.${column}`))
const TOLD_ROW = row({
  refundId: as.text('g.refund_id'),
  originId: as.text(`${g.id}`),
  bankCode: told('bank'),
  account: told('account'),
  name: told('name'),
  detail: told('detail'),
})
type ToldRow = RowOf<typeof TOLD_ROW>

/**
 * What tells of the payer of a refund `g`, the surest first: the bank's line, the slip that its bank confirmed, and of a
 * slip that nobody checked only its bank. Money of a line or a charge is nobody else's, and a gateway tells no payer.
 */
const TOLD = `SELECT 0 AS rank, ${l.fromBank} AS bank, ${l.fromAccount} AS account, NULL AS name, ${l.detail} FROM ${l}
    WHERE ${l.id} = coalesce(${g.lineId}, CASE WHEN ${g.chargeId} IS NULL THEN (SELECT ${p.id} FROM ${p} WHERE ${p.orderId} = ${g.orderId}) END)
  UNION ALL SELECT 1, ${a.sendingBank}, ${a.payerMask}, ${a.payerName}, NULL FROM ${c} JOIN ${a} ON ${a.checkId} = ${c.id}
    WHERE ${c.subjectId} = ${g.orderId} AND ${c.state} = 'confirmed' AND ${a.answer} = 'slip' AND ${g.lineId} IS NULL AND ${g.chargeId} IS NULL
  UNION ALL SELECT 2, ${s.sendingBank}, NULL, NULL, NULL FROM ${s}
    WHERE ${s.id} = coalesce(${g.paidSlipId}, CASE WHEN ${g.lineId} IS NULL AND ${g.chargeId} IS NULL THEN
      (SELECT ${o.slipId} FROM ${o} WHERE ${o.id} = ${g.orderId}) END)`

/**
 * Returns who paid the money of each refund: one payer, null where nobody tells one; of shop credit that becomes a transfer
 * those of all refunds that it came from. A refund that is only asked for has the id of its order.
 */
export async function findPayers(db: Queries, refundIds: readonly string[]): Promise<Map<string, (Payer | null)[]>> {
  const rows = await db.query({
    text: sql`WITH origin AS (
        SELECT ${f.id} AS refund_id, ${f.id}, ${f.orderId}, ${f.lineId}, ${f.chargeId}, ${f.paidSlipId} FROM ${f}
          WHERE ${f.id} = ANY($1) AND ${f.fromCreditId} IS NULL
        UNION ALL SELECT ${f.id}, ${g.id}, ${g.orderId}, ${g.lineId}, ${g.chargeId}, ${g.paidSlipId} FROM ${f}
          JOIN ${g} ON ${g.creditId} = ${f.fromCreditId} AND ${g.sentAt} IS NOT NULL
          WHERE ${f.id} = ANY($1) AND ${f.fromCreditId} IS NOT NULL
        UNION ALL SELECT ${r.orderId}, ${r.orderId}, ${r.orderId}, NULL, NULL, ${r.paidSlipId} FROM ${r}
          WHERE ${r.orderId} = ANY($1)
      )
      SELECT ${TOLD_ROW}
      FROM origin g LEFT JOIN LATERAL (${TOLD}) t ON true ORDER BY g.refund_id, ${g.id}, t.rank`,
    values: [refundIds],
  })
  const payersOf = (told: ToldRow[]) =>
    [...Map.groupBy(told, ({ originId }) => originId).values()].map(origin =>
      payerOf(origin.map(({ detail, name, ...row }) => ({ ...row, name: name ?? senderNameIn(detail ?? '') }))),
    )
  const found = Map.groupBy(rows, ({ refundId }) => refundId)
  return new Map(refundIds.map(id => [id, payersOf(found.get(id) ?? [])]))
}
