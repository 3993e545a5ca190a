import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { claimOrder, lapsedClaimOf } from '@shop/shared/order/claim.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { cancelOrder, type Order, type OrderOutcome } from '@shop/shared/order/order.ts'
import { commandTo, giveCommand, type StaffCommand, staffCommandsOf } from '@shop/shared/order/staff-command.ts'
import { authoriseForeign, isOwner, may } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { mustBeUnused } from '../../transfer/store.ts'
import { findTwoPersonAmount } from '../../value/store.ts'
import { confirmBySecond, moveByChange } from '../moving.ts'
import { findShortSatang } from '../paying/line-store.ts'
import { actorOf } from '../showing.ts'
import { findClaimerName, findOrderEvents, findSameAmountOrder, lockOrder, saveOutcome } from '../store.ts'
import { mustKnowSupplierRisk } from './supplier-handlers.ts'

type StatusChange = ParsedInput<typeof updateOrderStatus>['body']

/** Buyers, staff among them, cancel their own orders by the rules for customers. */
function decideAsBuyer(context: Context, order: Order, change: StatusChange): OrderOutcome {
  if (change.status !== 'cancel') throw new AppError('FORBIDDEN')
  const role = context.uid ? 'customer' : 'guest'
  return cancelOrder(order, { uid: context.uid, role }, null, context.now)
}

/** Gives the staff's command that leads to the wanted status. */
async function decideAsStaff(tx: Sql, context: Context, order: Order, change: StatusChange): Promise<OrderOutcome> {
  const command = commandTo(change.status, order.status)
  if (!command) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const { reason = null, deliveryReference = null } = change
  const by = {
    actor: actorOf(context),
    largeAboveSatang: await findTwoPersonAmount(tx),
    shortSatang: await findShortSatang(tx, order),
    lapsedClaim: order.status === 'paid' ? lapsedClaimOf(await findOrderEvents(tx, order.id)) : null,
  }
  const outcome = giveCommand(command, order, { reason, deliveryReference }, by, context.now)
  if (order.status === 'expired') await mustKnowSameAmount(tx, context, order, change)
  await mustKnowSupplierRisk(tx, context, order, change)
  return outcome
}

/**
 * Money that came late may belong to another order by now, so a caller who uses it for this one must have seen that
 * order's number.
 */
async function mustKnowSameAmount(tx: Sql, { now }: Context, order: Order, change: StatusChange): Promise<void> {
  const orderNo = await findSameAmountOrder(tx, order, now)
  if (orderNo !== null && orderNo !== change.sameAmountOrderNo)
    throw new AppError('SAME_AMOUNT_ORDER', { values: { orderNo }, details: { orderNo } })
}

export async function updateStatus(context: Context, change: StatusChange) {
  const changed = context.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo: change.orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { order, buyerKey, trackToken } = locked
    const isBuyer = isOwner(context, buyerKey)
    const hidden = context.trackToken === trackToken ? 'FORBIDDEN' : 'ORDER_NOT_FOUND'
    if (!isBuyer) authoriseForeign(context, 'order.work', hidden)
    const asBuyer = isBuyer && (!may(context, 'order.work') || (change.status === 'cancel' && !change.reason))
    // An order that staff bought as a guest in this browser is their own, too.
    if (isBuyer && !asBuyer) throw new AppError('OWN_ORDER')
    const outcome = asBuyer ? decideAsBuyer(context, order, change) : await decideAsStaff(tx, context, order, change)
    // An order can be claimed in the same call only if the call marks it paid.
    if (change.andClaim && outcome.ledger?.kind !== 'order_paid')
      throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
    if (outcome.uses) await mustBeUnused(tx, outcome.uses, change)
    if (!asBuyer) await moveByChange(tx, context, locked, outcome)
    await saveOutcome(tx, outcome)
    if (asBuyer) return { orderNo: order.orderNo, status: outcome.order.status }
    await auditChange(tx, context, order, outcome.order)
    const isPaid = outcome.ledger?.kind === 'order_paid'
    const known = isPaid ? await confirmBySecond(tx, context, outcome.order) : outcome.order
    const after = change.andClaim ? await claimPaid(tx, context, known) : known
    return { orderNo: order.orderNo, status: after.status }
  })
  return changed.catch(async (error: unknown) => {
    throw await namingClaimer(context.shop.db, change.orderNo, error)
  })
}

/** Claims an order that its caller has just marked paid. */
async function claimPaid(tx: Sql, context: Context, order: Order): Promise<Order> {
  const claimed = claimOrder(order, actorOf(context), context.now)
  await saveOutcome(tx, claimed)
  await auditChange(tx, context, order, claimed.order)
  return claimed.order
}

/** Adds the claimer's name to the error of somebody who claimed an order too late. */
async function namingClaimer(db: Sql, orderNo: string, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'ORDER_CLAIMED_BY_OTHER') return error
  // Without a name the claimer is the shop itself, which delivers through a supplier.
  const name = (await findClaimerName(db, orderNo)) ?? 'ระบบ'
  return new AppError(error.code, { values: { name }, details: { claimedByName: name } })
}

/** Returns the fields of an order that the audit log stores. */
const audited = ({ status, reason, deliveryReference }: Order) => ({ status, reason, deliveryReference })

async function auditChange(tx: Sql, context: Context, before: Order, after: Order): Promise<void> {
  const sides = { before: audited(before), after: audited(after) }
  await audit(tx, personOf(context), { action: 'order.changeStatus', subject: `order:${before.orderNo}`, ...sides })
}

/**
 * Returns the commands that the caller may give for an order; none for an order they bought themselves, signed in or as
 * a guest of this browser.
 */
export function commandsOf(
  context: Context,
  order: Parameters<typeof staffCommandsOf>[0] & { buyerKey: string },
  largeAboveSatang: number,
  lapsedClaim: string | null = null,
): StaffCommand[] {
  if (isOwner(context, order.buyerKey)) return []
  return staffCommandsOf(order, actorOf(context), largeAboveSatang, lapsedClaim)
}

export const statusRoutes: Route[] = [route(updateOrderStatus, ({ body }, context) => updateStatus(context, body))]
