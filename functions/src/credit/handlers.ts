import { leftWithoutPin, mayTakeCredit } from '@shop/shared/credit/credit.ts'
import * as contract from '@shop/shared/credit/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { endOfPayee, payeeEndText } from '@shop/shared/order/payee.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { tellOwner } from '../access/news.ts'
import { findRecentOpening, restEnd, restingSince } from '../access/opening.ts'
import { checkPin, lockPin, markCreditPin } from '../access/pin.ts'
import { pinStateOf } from '../access/view.ts'
import { isOwner } from '../account/caller.ts'
import { isProven } from '../account/session.ts'
import { findAccount } from '../account/store.ts'
import { audit } from '../audit/store.ts'
import { type Context, limitKey, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { hashRequest, runOnce } from '../http/idempotency.ts'
import { inJson } from '../http/in-json.ts'
import { viewOrder } from '../order/showing.ts'
import { insertOwedRefund, lockOrder } from '../order/store.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { savePayee } from '../statement/refund-store.ts'
import { endRefund, lockOwed, mustFindRefund } from '../statement/refunds.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { moveOrWait, moveValue } from '../value/moving.ts'
import { endWords } from '../value/word-store.ts'
import { postLedger } from '../wallet/store.ts'
import * as store from './store.ts'

export async function viewCredit({ shop, now, uid }: Context) {
  invariant(uid, 'shop credit is of signed-in people')
  const [{ balanceSatang, sincePinSatang, withdrawals, pin, openedAt }, catalogue] = await Promise.all([
    store.findCreditFacts(shop.db, uid, restingSince(now)),
    shop.catalogue.latest(),
  ])
  const { CREDIT_PIN_ABOVE } = catalogue.options
  return {
    balanceSatang,
    pinAboveSatang: CREDIT_PIN_ABOVE * 100,
    withoutPinSatang: leftWithoutPin(sincePinSatang, CREDIT_PIN_ABOVE),
    restsUntil: openedAt && restEnd(openedAt).toISOString(),
    withdrawals: withdrawals.map(({ payee, ...row }) => ({ ...inJson(row), payee: payee && endOfPayee(payee) })),
    pin: pin && pinStateOf(pin, now),
    nowDate: now.toISOString(),
  }
}

/** Puts owed money on shop credit: in the books it is owed no more, and its order is refunded. */
async function pay(
  tx: Sql,
  refund: Pick<store.OpenRefund, 'id' | 'amountSatang' | 'isOfOrder'>,
  to: { creditId: string; order: Order | null; actor: Actor; by: string | null; now: Date },
): Promise<void> {
  const { creditId, order, actor, by, now } = to
  await store.saveCredited(tx, refund.id, { at: now, by })
  await endWords(tx, `owedRefund:${refund.id}`, now)
  const postings = [{ from: 'refunds', to: `credit:${creditId}`, amountSatang: refund.amountSatang } as const]
  const transaction = { kind: 'refund_credited', reason: null, reversesId: null, postings } as const
  await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: refund.id })
  await endRefund(tx, actor, refund, order, now)
}

/**
 * Tells whether owed money may become credit without a person who looks at it. What a member of the staff made owed
 * counts to their day, as if they had put it on a wallet; above the sum of a day a second person pays it.
 */
async function mayGoAtOnce(
  tx: Sql,
  { id, amountSatang, makerUid }: store.OpenRefund,
  { orderNo, owners, now, shop }: { orderNo: string; owners: string[] } & Pick<Context, 'now' | 'shop'>,
): Promise<boolean> {
  if (makerUid === null) return true
  const maker = await findAccount(tx, makerUid)
  if (!maker) return false
  const about = { subject: `owedRefund:${id}`, note: orderNo, owners } as const
  const by = { uid: makerUid, role: maker.role, now, findUnheard: shop.findUnheard }
  return moveOrWait(tx, by, { kind: 'refundToCredit', amountSatang, ...about })
}

async function take(context: Context, orderNo: string) {
  const { shop, now } = context
  const { uid } = personOf(context)
  const { options } = await shop.catalogue.latest()
  await shop.limits.take('creditPerCaller', limitKey(context))
  await runOnce(shop.db, mustBeOnce(context), now, async tx => {
    await mustTakeOrders(tx)
    const locked = await lockOrder(tx, { orderNo })
    if (!locked || !isOwner(context, locked.buyerKey)) throw new AppError('ORDER_NOT_FOUND')
    if (!options.SHOP_CREDIT) throw new AppError('CREDIT_OFF')
    // An account with an address that nobody proved goes to whoever proves it.
    if (!isProven(context.token)) throw new AppError('CREDIT_UNPROVEN')
    const { order, buyerKey } = locked
    if (!context.account || !mayTakeCredit(order, context.account)) throw new AppError('CREDIT_NOT_BUYERS')
    const open = await store.lockOpenRefunds(tx, order.id)
    if (open.length === 0) throw new AppError('NOTHING_TO_REFUND')
    const creditId = await store.openCredit(tx, uid, now)
    // Here a member of the staff acts as a customer.
    const to = { creditId, order, actor: { uid, role: 'customer' } as const, by: null, now }
    for (const refund of open) {
      await store.askForCredit(tx, refund.id, creditId, now)
      if (await mayGoAtOnce(tx, refund, { orderNo, owners: [`u:${uid}`, buyerKey], now, shop }))
        await pay(tx, refund, to)
    }
    return { orderNo }
  })
  return viewOrder(context, orderNo)
}

/** Staff pay what waited for them. */
async function credit(tx: Sql, context: Context, id: string, payeeVersion: number) {
  const { owed, order } = await lockOwed(tx, context, id, payeeVersion)
  const person = personOf(context)
  const { creditId, amountSatang, isOfOrder, ownerKey } = owed
  const owner = creditId && (await store.findOwner(tx, creditId))
  if (!creditId || !owner) throw new AppError('CREDIT_NOT_ASKED')
  if (owner === person.uid) throw new AppError('OWN_ORDER')
  const owners = [`u:${owner}`, ...(ownerKey ? [ownerKey] : [])]
  const move = { amountSatang, subject: `owedRefund:${id}`, note: 'เครดิตร้าน', owners } as const
  await moveValue(tx, person, { kind: 'refundToCredit', ...move })
  await pay(tx, { id, amountSatang, isOfOrder }, { creditId, order, actor: person, by: person.uid, now: person.now })
  const subject = `owedRefund:${id}` as const
  await audit(tx, person, { action: 'refund.credit', subject, before: null, after: { amountSatang } })
  return mustFindRefund(tx, id)
}

/**
 * Lets money of shop credit go where its owner says: with their PIN, and not while somebody of the shop may know how to sign
 * in as them. A wrong PIN is counted. @throws CREDIT_RESTS, CREDIT_PIN_NOT_SET, PIN_WRONG and what else a PIN may answer
 */
async function mustLetOut(context: Context, pin: string): Promise<void> {
  const { shop, now } = context
  const person = personOf(context)
  const openedAt = await findRecentOpening(shop.db, person.uid, now)
  if (openedAt) throw new AppError('CREDIT_RESTS', { values: { time: `${formatDateTime(restEnd(openedAt))} น.` } })
  const refused = await shop.db.transaction(tx => checkPin(tx, shop.pins, person, pin))
  if (refused) throw refused.code === 'PIN_NOT_SET' ? new AppError('CREDIT_PIN_NOT_SET') : refused
}

type Withdrawing = ParsedInput<typeof contract.withdrawCredit>['body']

/** All of the credit is owed as money again; it was a refund, so nothing else of it is ever paid out. */
async function withdraw(context: Context, { pin, ...payee }: Withdrawing) {
  const { shop, now } = context
  const { uid } = personOf(context)
  await shop.limits.take('creditPerCaller', limitKey(context))
  const work = async (tx: Sql) => {
    await mustTakeOrders(tx)
    // Locked before the credit, as a purchase locks them.
    await lockPin(tx, uid)
    const held = await store.lockCredit(tx, uid)
    if (!held || held.balanceSatang === 0) throw new AppError('CREDIT_TOO_LOW')
    const { id: fromCreditId, balanceSatang: amountSatang } = held
    const to = payeeEndText(endOfPayee(payee))
    await tellOwner(tx, { uid, kind: 'withdrawalAsked', byShop: false, facts: { amountSatang, payee: to }, at: now })
    const reason = `ขอรับเครดิตร้านเป็นเงินโอน ${to}`
    // It is the account's money: whoever may see or change an order of theirs has nothing to do with it.
    const owed = { orderId: null, lineId: null, fromCreditId, amountSatang, reason }
    const refundId = await insertOwedRefund(tx, owed, now)
    await savePayee(tx, refundId, { payee, payeeHash: openAccountHash(shop.config)(payee) }, { uid: null, now })
    const postings = [{ from: `credit:${fromCreditId}`, to: 'refunds', amountSatang } as const]
    const transaction = { kind: 'credit_withdrawn', reason: null, reversesId: null, postings } as const
    await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: refundId })
    await markCreditPin(tx, uid)
    return { id: refundId }
  }
  // The PIN is left out of the request's hash, because four digits could be guessed from a stored hash.
  const requestHash = hashRequest('POST', contract.withdrawCredit.path, Buffer.from(JSON.stringify(payee)))
  await runOnce(shop.db, { ...mustBeOnce(context), requestHash }, now, work, () => mustLetOut(context, pin))
  return viewCredit(context)
}

/** Its owner wants a withdrawal on another account. Whoever sends it must look at it anew. */
async function turn(context: Context, id: string, { pin, ...payee }: Withdrawing) {
  const { shop, now } = context
  const { uid } = personOf(context)
  await shop.limits.take('creditPerCaller', limitKey(context))
  await mustLetOut(context, pin)
  await shop.db.transaction(async tx => {
    await mustTakeOrders(tx)
    const asked = await store.lockWithdrawal(tx, id, uid)
    if (!asked) throw new AppError('NOT_FOUND')
    if (asked.sentAt) throw new AppError('CONFLICT')
    const facts = { amountSatang: asked.amountSatang, payee: payeeEndText(endOfPayee(payee)) }
    await tellOwner(tx, { uid, kind: 'withdrawalPayee', byShop: false, facts, at: now })
    await savePayee(tx, id, { payee, payeeHash: openAccountHash(shop.config)(payee) }, { uid: null, now })
  })
  return viewCredit(context)
}

async function listMoves({ shop, uid }: Context, after: string | null) {
  invariant(uid, 'shop credit is of signed-in people')
  const held = await store.findCredit(shop.db, uid)
  if (!held) return { rows: [], next: null }
  const { rows, next } = await store.findCreditMoves(shop.db, held.id, after)
  return { rows: rows.map(row => inJson(row)), next }
}

export const creditRoutes: Route[] = [
  route(contract.getCredit, (_, context) => viewCredit(context)),
  route(contract.listCreditMoves, ({ query }, context) => listMoves(context, query.after ?? null)),
  route(contract.takeRefundAsCredit, ({ params }, context) => take(context, params.orderNo)),
  route(contract.creditOwedRefund, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => credit(tx, context, params.id, body.payeeVersion)),
  ),
  route(contract.withdrawCredit, ({ body }, context) => withdraw(context, body)),
  route(contract.giveWithdrawalPayee, ({ params, body }, context) => turn(context, params.id, body)),
]
