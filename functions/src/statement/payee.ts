import { AppError } from '@shop/shared/errors.ts'
import { endOfPayee, type Payee } from '@shop/shared/order/payee.ts'
import { givePayee } from '@shop/shared/order/refund.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import type { AuditSide } from '../audit/store.ts'
import { isOwner } from '../http/caller.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { viewOrder } from '../order/handlers.ts'
import { findOrderEvents, lockOrder, saveOutcome } from '../order/store.ts'
import { savePayeeOfOrder } from './refund-store.ts'

/** What the audit log keeps of an account: whose it is, and its last digits. */
export function payeeSide(payee: Payee | null): AuditSide {
  if (!payee) return {}
  const { bankCode, end } = endOfPayee(payee)
  const number = bankCode === null ? { promptPayId: `x${end}` } : { bankCode, accountNo: `x${end}` }
  return { ...number, accountName: payee.accountName }
}

/**
 * The buyer says where owed money is to be sent. A tracking link is not enough, because many people may have it, and
 * whoever names the account gets the money.
 */
async function give(context: Context, orderNo: string, payee: Payee) {
  const { shop, now, uid } = context
  await shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked || !isOwner(context, locked.buyerKey)) throw new AppError('ORDER_NOT_FOUND')
    const { order } = locked
    const open = await savePayeeOfOrder(tx, order.id, payee, now)
    const given = (await findOrderEvents(tx, order.id)).filter(({ kind }) => kind === 'payee_given').length
    // Here a member of the staff acts as a customer.
    const actor = { uid, role: uid ? ('customer' as const) : ('guest' as const) }
    await saveOutcome(tx, givePayee(order, payee, actor, { open, given }, now))
  })
  return viewOrder(context, orderNo)
}

export const payeeRoutes: Route[] = [
  route(contract.giveRefundPayee, ({ params, body }, context) => give(context, params.orderNo, body)),
]
