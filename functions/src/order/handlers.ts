import { mayTakeCredit } from '@shop/shared/credit/credit.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { claimOrder, lapsedClaimOf } from '@shop/shared/order/claim.ts'
import { canRedo } from '@shop/shared/order/correction.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { getReceipt, getTimeLimit, listOrderStatuses } from '@shop/shared/order/finding-endpoints.ts'
import { cancelOrder, type Order, type OrderOutcome, transferOf } from '@shop/shared/order/order.ts'
import { quote } from '@shop/shared/order/purchase.ts'
import { reportTransfer } from '@shop/shared/order/report.ts'
import { commandTo, giveCommand, type StaffCommand, staffCommandsOf } from '@shop/shared/order/staff-command.ts'
import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { type Actor, ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { lineIdOf } from '../access/view.ts'
import { authoriseForeign, isOwner, may, mustHaveKey, ownerKey } from '../account/caller.ts'
import { isProven } from '../account/session.ts'
import { type Account, personNameOf } from '../account/store.ts'
import { audit } from '../audit/store.ts'
import {
  type Arrival,
  type Context,
  enteringRoute,
  limitKey,
  mustBeOnce,
  personOf,
  type Route,
  route,
} from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { findPaidCharges } from '../gateway/store.ts'
import type { FileReply } from '../http/file-reply.ts'
import { hashRequest, type Once, runOnce } from '../http/idempotency.ts'
import { inJson } from '../http/in-json.ts'
import { twoPersonAmountOf } from '../settings/store.ts'
import { requestSlipCheck } from '../slipcheck/request.ts'
import { findSlipState, findSlipVerdict } from '../slipcheck/store.ts'
import { findPayers } from '../transfer/payer-store.ts'
import { findOthersOfSlip, findUsersOfUse, mustBeUnused } from '../transfer/store.ts'
import { useSlip } from '../upload/store.ts'
import { findTwoPersonAmount } from '../value/store.ts'
import { codeViewerOf, viewCodes } from './code-view.ts'
import { countFinished, findWaitingOrders } from './finding/history-store.ts'
import { holdAmount } from './placing/holding.ts'
import { findShortSatang, findStatementLine } from './paying/line-store.ts'
import { confirmBySecond, moveByChange } from './moving.ts'
import { offerOf } from './placing/offer.ts'
import { type PlacedRequest, type PlacingBuyer, placeOrderOnce } from './placing/placing.ts'
import { viewHold } from './paying/proof-handlers.ts'
import { printReceipt } from './finding/receipt.ts'
import { reduceRoutes } from './correcting/reduce-handlers.ts'
import {
  findClaimerName,
  findOrder,
  findOrderEvents,
  findSameAmountOrder,
  lockOrder,
  type OrderRecord,
  saveOutcome,
} from './store.ts'
import { mustKnowSupplierRisk, supplierOrderRoutes, viewDelivery } from './delivering/supplier-handlers.ts'
import { booksView, customerView, READER, refundsOf, staffView } from './view.ts'

type PriceParams = ParsedInput<typeof contract.getPrice>['params']

async function currentPrice({ shop, account, caller, now }: Context, params: PriceParams) {
  const catalogue = await shop.catalogue.latest()
  const { packageId, gameCode, paymentCode: payment } = params
  const game = catalogue.gamesByCode.get(gameCode)
  const offer = offerOf(catalogue, { game, packageId, payment, tierId: account?.tierId ?? null, now })
  return { priceSatang: quote(caller, payment, offer, now).unitPriceSatang }
}

export const actorOf = ({ uid, caller }: Context): Actor => ({ uid, role: caller })

/** Returns somebody who was let in as a buyer. */
export function buyerOf(context: Context): PlacingBuyer {
  const { uid, caller, token, address, account } = context
  const { email = null, phone = null, providers = [] } = account ?? {}
  const lineId = account && lineIdOf(account)
  return {
    uid,
    caller,
    address,
    isProven: isProven(token),
    key: mustHaveKey(context),
    shown: { name: account && personNameOf(account), email, phone, providers, lineId },
  }
}

/** The PIN is left out of the request's hash, because four digits could be guessed from a stored hash. */
function onceWithout(pin: string | null, arrival: Arrival, request: object): Once {
  const once = mustBeOnce(arrival)
  if (pin === null) return once
  return { ...once, requestHash: hashRequest('POST', contract.confirmOrder.path, Buffer.from(JSON.stringify(request))) }
}

async function place(arrival: Arrival, { typedPin, ...request }: PlacedRequest) {
  const { shop, uid, token, address, now } = arrival
  const once = onceWithout(typedPin, arrival, request)
  const enter = (account: Account | null) => buyerOf(arrival.enter(account))
  const visitor = { uid, token, address, key: mustHaveKey(arrival), enter }
  const placed = await placeOrderOnce(shop, visitor, { ...request, typedPin }, once, now)
  // The catalogue of this purchase is in memory, so its hours are not asked for again.
  const { options } = await shop.catalogue.atLeast(shop.catalogue.knownVersion())
  return customerView(
    placed,
    // Nothing is delivered in the moment in which it is placed.
    READER,
    { openingHours: options.OPENING_HOURS, isHolding: false, givesCredit: options.SHOP_CREDIT, now },
  )
}

/** Tells whether the caller may see an order and pay it: as its buyer, or by its tracking link. */
export function mayFollow(context: Context, order: { buyerKey: string; trackToken: string }): boolean {
  return isOwner(context, order.buyerKey) || context.trackToken === order.trackToken
}

/** Returns the moment of a call and the hours by which its answer tells when goods are expected. */
async function clockOf({ shop, now }: Context) {
  const { options } = await shop.catalogue.latest()
  return {
    openingHours: options.OPENING_HOURS,
    isHolding: shop.catalogue.isHolding(),
    givesCredit: options.SHOP_CREDIT,
    now,
  }
}

async function viewerOf(context: Context, record: OrderRecord) {
  const { account, shop } = context
  const viewer = codeViewerOf(context, record)
  const owed = viewer.isBuyer ? refundsOf(record).filter(({ sentAt }) => sentAt === null) : []
  return {
    isBuyer: viewer.isBuyer,
    getsMail: shop.mail !== null,
    codes: viewCodes(record, viewer, shop.mail !== null),
    mayTakeCredit: account ? mayTakeCredit(record.order, account) : record.order.buyerUid === null,
    payers:
      owed.length === 0
        ? new Map()
        : await findPayers(
            shop.db,
            owed.map(({ id }) => id),
          ),
  }
}

async function show(context: Context, record: OrderRecord) {
  const viewer = await viewerOf(context, record)
  return customerView(record, { ...viewer, byLink: !viewer.isBuyer }, await clockOf(context))
}

export async function viewOrder(context: Context, orderNo: string) {
  const record = await findOrder(context.shop.db, { orderNo })
  if (!record || !mayFollow(context, record)) throw new AppError('ORDER_NOT_FOUND')
  return show(context, record)
}

/** Prints an order. For a tracking link the paper shows no more than that link's page. */
async function printOrder(context: Context, orderNo: string): Promise<FileReply> {
  const { shop, now } = context
  await shop.limits.take('papersPerCaller', limitKey(context))
  const record = await findOrder(shop.db, { orderNo })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  const isStaff = may(context, 'order.work')
  if (!isStaff && !mayFollow(context, record)) authoriseForeign(context, 'order.work', 'ORDER_NOT_FOUND')
  const order = isStaff ? customerView(record, READER, await clockOf(context)) : await show(context, record)
  const body = await printReceipt(order, (await shop.catalogue.latest()).options, now)
  return { body, contentType: 'application/pdf', fileName: `${orderNo}.pdf` }
}

async function trackOrder(context: Context) {
  const { shop, trackToken } = context
  const record = trackToken === null ? null : await findOrder(shop.db, { trackToken })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  return customerView(record, { ...(await viewerOf(context, record)), byLink: true }, await clockOf(context))
}

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

type StatusChange = ParsedInput<typeof contract.updateOrderStatus>['body']

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

/** Returns other orders that may already use the money which this unpaid order claims. */
async function findUsersOfOrder(db: Sql, order: Order, now: Date) {
  const isOpen = ORDER_STATUS[order.status].moves.markPaid !== undefined
  return isOpen && order.payment === 'bank' ? findUsersOfUse(db, transferOf(order, null, now)) : []
}

async function viewForStaff(context: Context, orderNo: string) {
  const { shop, now } = context
  const record = await findOrder(shop.db, { orderNo })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  const { order, buyerKey } = record
  const { options, packages } = await shop.catalogue.latest()
  const largeAboveSatang = twoPersonAmountOf(options)
  const commands = commandsOf(context, { ...order, buyerKey }, largeAboveSatang, lapsedClaimOf(record.events))
  const isExpired = order.status === 'expired'
  const sameAmountOrderNo = isExpired ? await findSameAmountOrder(shop.db, order, now) : null
  const line = await findStatementLine(shop.db, order.id)
  const slipVerdict = await findSlipVerdict(shop.db, order.id)
  const delivery = await viewDelivery(context, order)
  const slipOthers = await findOthersOfSlip(shop.db, order.slipId, order.id)
  const maybeUsedBy = await findUsersOfOrder(shop.db, order, now)
  const view: StaffOrderView = {
    ...staffView(record, await countFinished(shop.db, buyerKey), now),
    canRedo: !isOwner(context, buyerKey) && canRedo(order, actorOf(context)),
    hold: await viewHold(context, record),
    commands,
    sameAmountOrderNo,
    statementLine: line && inJson(line),
    charges: (await findPaidCharges(shop.db, order.id)).map(inJson),
    slipVerdict,
    slipOthers,
    maybeUsedBy,
    hasCodes: packages.get(order.packageId)?.delivers === 'code',
    delivery,
  }
  return may(context, 'order.work') ? view : booksView(view)
}

async function listWaiting(context: Context) {
  const key = ownerKey(context)
  if (!key) return []
  const rows = await findWaitingOrders(context.shop.db, key)
  return rows.map(row => inJson({ ...row, nowDate: context.now }))
}

/** What only a transfer has. */
const ELSEWHERE = { receivingAccountId: null, holdId: null }

export const orderRoutes: Route[] = [
  ...supplierOrderRoutes,
  ...reduceRoutes,
  route(contract.getPrice, ({ params }, context) => currentPrice(context, params)),
  route(contract.holdPrice, ({ params, body }, context) =>
    holdAmount(context.shop, buyerOf(context), { ...params, ...body }, mustBeOnce(context), context.now),
  ),
  enteringRoute(contract.confirmPrice, ({ body: { randPointId = null, pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, payment: 'bank', quantity: 1, holdId: randPointId, typedPin: pin }),
  ),
  enteringRoute(confirmCharge, ({ body: { pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, quantity: 1, typedPin: pin }),
  ),
  enteringRoute(confirmCredit, ({ body: { pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, payment: 'credit', quantity: 1, creditSatang: 0, typedPin: pin }),
  ),
  enteringRoute(contract.confirmOrder, ({ body: { pin, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, payment: 'wallet', creditSatang: 0, typedPin: pin }),
  ),
  route(getTimeLimit, async (_, { shop, now }) => {
    const { PAYMENT_TIME_LIMIT } = (await shop.catalogue.latest()).options
    return { optionValue: String(PAYMENT_TIME_LIMIT), nowDate: now.toISOString() }
  }),
  route(contract.updateOrderStatus, ({ body }, context) => updateStatus(context, body)),
  route(contract.listWaitingOrders, (_, context) => listWaiting(context)),
  route(contract.getOrder, ({ params }, context) => viewOrder(context, params.orderNo)),
  route(getReceipt, ({ params }, context) => printOrder(context, params.orderNo)),
  route(contract.trackOrder, (_, context) => trackOrder(context)),
  route(contract.reportOrderTransfer, ({ params, body }, context) =>
    reportOwnTransfer(context, params.orderNo, body.slipId ?? null),
  ),
  route(getOrderForStaff, ({ params }, context) => viewForStaff(context, params.orderNo)),
  route(listOrderStatuses, async () => ORDER_STATUSES.map(key => ({ key, name: ORDER_STATUS[key].label }))),
]
