import { confirmMoney } from '@shop/shared/order/money-proof.ts'
import { amountOf, type Order, type OrderOutcome } from '@shop/shared/order/order.ts'
import type { ValueMove } from '@shop/shared/value/value.ts'
import { type Context, personOf } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { mayHaveArrived } from '../supplier/store.ts'
import { moveValue } from '../value/moving.ts'
import { findTwoPersonAmount } from '../value/store.ts'
import { countSold } from '../voucher/store.ts'
import { saveOutcome } from './store.ts'

/**
 * Returns the money that staff move by a change without a customer's payment behind it; null when there is none. A
 * refund counts as one movement: at the supplier's risk, else to a wallet at once, or owed until somebody sends it.
 */
async function moveOf(
  tx: Sql,
  { order, ledger, owed }: OrderOutcome,
): Promise<Pick<ValueMove, 'kind' | 'amountSatang'> | null> {
  if (ledger?.kind === 'order_paid') return { kind: 'paidByHand', amountSatang: amountOf(order) }
  if (ledger?.kind !== 'order_refunded' && ledger?.kind !== 'order_reduced') return null
  const toWallet = ledger.postings.find(({ to }) => to.startsWith('wallet:'))
  // What came of it stays sold, and nothing more can come.
  if (ledger.kind === 'order_reduced') return { kind: 'refundToWallet', amountSatang: toWallet?.amountSatang ?? 0 }
  const amountSatang = toWallet?.amountSatang ?? owed?.amountSatang ?? 0
  const hasGoods = (await mayHaveArrived(tx, order.id)) || (await countSold(tx, order.id)) > 0
  if (hasGoods) return { kind: 'refundAtRisk', amountSatang }
  return { kind: toWallet ? 'refundToWallet' : 'refundOwed', amountSatang }
}

/** Records the money that staff move by changing an order. @throws SECOND_WORD_NEEDED */
export async function moveByChange(
  tx: Sql,
  context: Context,
  { order: { orderNo }, buyerKey }: { order: Order; buyerKey: string },
  outcome: OrderOutcome,
): Promise<void> {
  const move = await moveOf(tx, outcome)
  if (!move) return
  const about = { subject: `order:${orderNo}`, note: `${orderNo} ${outcome.event.reason ?? ''}` } as const
  await moveValue(tx, personOf(context), { ...move, ...about, owners: [buyerKey] })
}

/** The second person who agreed that an order is paid has looked at its money, so nobody must confirm it again. */
export async function confirmBySecond(tx: Sql, context: Context, order: Order): Promise<Order> {
  const { secondBy, now } = context
  if (!secondBy) return order
  const { uid, role } = secondBy
  const word = {
    actor: { uid, role },
    isOwn: false,
    heldBy: personOf(context).uid,
    isTied: false,
    largeAboveSatang: await findTwoPersonAmount(tx),
  }
  const confirmed = confirmMoney(order, word, now)
  await saveOutcome(tx, confirmed)
  return confirmed.order
}
