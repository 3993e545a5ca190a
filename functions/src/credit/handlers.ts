import * as contract from '@shop/shared/credit/endpoints.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { endOfPayee, type Payee, payeeEndText } from '@shop/shared/order/payee.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import { uuidv7 } from 'uuidv7'
import { findPin } from '../account/pin.ts'
import { isProven } from '../account/session.ts'
import { findAccount } from '../account/store.ts'
import { pinStateOf } from '../account/view.ts'
import { audit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { isOwner } from '../http/caller.ts'
import { runOnce } from '../http/idempotency.ts'
import { inJson } from '../http/in-json.ts'
import { type Context, limitKey, mustBeOnce, personOf, type Route, route } from '../http/route.ts'
import { viewOrder } from '../order/handlers.ts'
import { insertOwedRefund, lockOrder } from '../order/store.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { savePayee } from '../statement/refund-store.ts'
import { endRefund, lockOwed, mustFindRefund } from '../statement/refunds.ts'
import { moveOrWait, moveValue } from '../value/moving.ts'
import { postLedger } from '../wallet/store.ts'
import * as store from './store.ts'

async function view({ shop, now, uid }: Context) {
  invariant(uid, 'shop credit is of signed-in people')
  const [credit, pin, catalogue] = await Promise.all([
    store.findCredit(shop.db, uid),
    findPin(shop.db, uid),
    shop.catalogue.latest(),
  ])
  return {
    balanceSatang: credit?.balanceSatang ?? 0,
    pinAboveSatang: catalogue.options.CREDIT_PIN_ABOVE * 100,
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
  { orderNo, owners, now }: { orderNo: string; owners: string[]; now: Date },
): Promise<boolean> {
  if (makerUid === null) return true
  const maker = await findAccount(tx, makerUid)
  if (!maker) return false
  const about = { subject: `owedRefund:${id}`, note: orderNo, owners } as const
  return moveOrWait(tx, { uid: makerUid, role: maker.role, now }, { kind: 'refundToCredit', amountSatang, ...about })
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
    const open = await store.lockOpenRefunds(tx, order.id)
    if (open.length === 0) throw new AppError('NOTHING_TO_REFUND')
    const creditId = await store.openCredit(tx, uid, now)
    // Here a member of the staff acts as a customer.
    const to = { creditId, order, actor: { uid, role: 'customer' } as const, by: null, now }
    for (const refund of open) {
      await store.askForCredit(tx, refund.id, creditId, now)
      if (await mayGoAtOnce(tx, refund, { orderNo, owners: [`u:${uid}`, buyerKey], now })) await pay(tx, refund, to)
    }
    return { orderNo }
  })
  return viewOrder(context, orderNo)
}

/** Staff pay what waited for them. */
async function credit(tx: Sql, context: Context, id: string, payeeVersion: number) {
  const { owed, order } = await lockOwed(tx, context, id, payeeVersion)
  const person = personOf(context)
  const { creditId, amountSatang, isOfOrder, buyerKey } = owed
  const owner = creditId && (await store.findOwner(tx, creditId))
  if (!creditId || !owner) throw new AppError('CONFLICT')
  if (owner === person.uid) throw new AppError('OWN_ORDER')
  const owners = [`u:${owner}`, ...(buyerKey ? [buyerKey] : [])]
  const move = { amountSatang, subject: `owedRefund:${id}`, note: 'เครดิตร้าน', owners } as const
  await moveValue(tx, person, { kind: 'refundToCredit', ...move })
  await pay(tx, { id, amountSatang, isOfOrder }, { creditId, order, actor: person, by: person.uid, now: person.now })
  const subject = `owedRefund:${id}` as const
  await audit(tx, person, { action: 'refund.credit', subject, before: null, after: { amountSatang } })
  return mustFindRefund(tx, id)
}

/** All of the credit is owed as money again; it was a refund, so nothing else of it is ever paid out. */
async function withdraw(context: Context, payee: Payee) {
  const { shop, now } = context
  const { uid } = personOf(context)
  await shop.limits.take('creditPerCaller', limitKey(context))
  await runOnce(shop.db, mustBeOnce(context), now, async tx => {
    await mustTakeOrders(tx)
    const held = await store.lockCredit(tx, uid)
    if (!held || held.balanceSatang === 0) throw new AppError('CREDIT_TOO_LOW')
    const { id: fromCreditId, balanceSatang: amountSatang } = held
    const orderId = await store.findOrderOfCredit(tx, fromCreditId)
    const reason = `ขอรับเครดิตร้านเป็นเงินโอน ${payeeEndText(endOfPayee(payee))}`
    const refundId = await insertOwedRefund(tx, { orderId, lineId: null, fromCreditId, amountSatang, reason }, now)
    await savePayee(tx, refundId, payee, { uid: null, now })
    const postings = [{ from: `credit:${fromCreditId}`, to: 'refunds', amountSatang } as const]
    const transaction = { kind: 'credit_withdrawn', reason: null, reversesId: null, postings } as const
    await postLedger(tx, { ...transaction, id: uuidv7(), subjectId: refundId })
    return { id: refundId }
  })
  return view(context)
}

async function listMoves({ shop, uid }: Context, after: string | null) {
  invariant(uid, 'shop credit is of signed-in people')
  const held = await store.findCredit(shop.db, uid)
  if (!held) return { rows: [], next: null }
  const { rows, next } = await store.findCreditMoves(shop.db, held.id, after)
  return { rows: rows.map(row => inJson(row)), next }
}

export const creditRoutes: Route[] = [
  route(contract.getCredit, (_, context) => view(context)),
  route(contract.listCreditMoves, ({ query }, context) => listMoves(context, query.after ?? null)),
  route(contract.takeRefundAsCredit, ({ params }, context) => take(context, params.orderNo)),
  route(contract.creditOwedRefund, ({ params, body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => credit(tx, context, params.id, body.payeeVersion)),
  ),
  route(contract.withdrawCredit, ({ body }, context) => withdraw(context, body)),
]
