import { AppError } from '@shop/shared/errors.ts'
import { correctReference as decide } from '@shop/shared/order/claim.ts'
import { audit } from '../../audit/store.ts'
import { type Context, personOf } from '../../call/route.ts'
import { actorOf } from '../showing.ts'
import { findOrderEvents, lockOrder, saveOutcome } from '../store.ts'

/**
 * Replaces the reference of a delivery with the one that its deliverer typed. Messages arrive in any order, so one that
 * was typed before the order's last change is left out. Returns whether the reference was replaced.
 */
export async function correctReference(
  context: Context,
  { orderNo, reference, typedAt }: { orderNo: string; reference: string; typedAt: Date },
): Promise<boolean> {
  return context.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const last = (await findOrderEvents(tx, locked.order.id)).at(-1)
    if (last && typedAt <= last.at) return false
    const outcome = decide(locked.order, actorOf(context), reference, context.now)
    await saveOutcome(tx, outcome)
    const side = (deliveryReference: string | null) => ({ status: outcome.order.status, deliveryReference })
    await audit(tx, personOf(context), {
      action: 'order.correctReference',
      subject: `order:${orderNo}`,
      before: side(locked.order.deliveryReference),
      after: side(reference),
    })
    return true
  })
}
