import { AppError } from '@shop/shared/errors.ts'
import { reportOrderTransfer } from '@shop/shared/order/endpoints.ts'
import { reportTransfer } from '@shop/shared/order/report.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { mustHaveKey } from '../../account/caller.ts'
import { isProven } from '../../account/session.ts'
import { type Context, mustBeOnce, type Route, route } from '../../call/route.ts'
import { runOnce } from '../../http/idempotency.ts'
import { requestSlipCheck } from '../../slipcheck/request.ts'
import { findSlipState } from '../../slipcheck/store.ts'
import { useSlip } from '../../upload/store.ts'
import { actorOf, mayFollow, viewOrder } from '../showing.ts'
import { lockOrder, saveOutcome } from '../store.ts'

async function reportOwnTransfer(context: Context, orderNo: string, slipId: string | null) {
  const { shop, now } = context
  const openingHours = (await shop.catalogue.latest()).options.OPENING_HOURS
  await runOnce(shop.db, mustBeOnce(context), now, async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked || !mayFollow(context, locked)) throw new AppError('ORDER_NOT_FOUND')
    const { order } = locked
    const state = await findSlipState(tx, order)
    if (slipId !== null) await useSlip(tx, { slipId, uploaderKey: mustHaveKey(context), usedFor: order.id })
    const report = {
      slipId,
      isProven: order.buyerUid === context.uid && isProven(context.token),
      isAskedAgain: slipId !== null && isSlipAskedAgain(state),
      openingHours,
    }
    await saveOutcome(tx, reportTransfer(order, report, actorOf(context), now))
    if (slipId)
      await requestSlipCheck(tx, shop, {
        subject: 'order',
        subjectId: order.id,
        slipId,
        ownerKey: mustHaveKey(context),
        // Guest keys and unproven accounts cost nothing to make, so these callers are counted by address.
        address: isProven(context.token) ? null : context.address,
        now,
      })
    return { orderNo }
  })
  return viewOrder(context, orderNo)
}

export const reportRoutes: Route[] = [
  route(reportOrderTransfer, ({ params, body }, context) =>
    reportOwnTransfer(context, params.orderNo, body.slipId ?? null),
  ),
]
