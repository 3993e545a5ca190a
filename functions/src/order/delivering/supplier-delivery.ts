import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { invariant } from '@shop/shared/errors.ts'
import {
  beginDelivery,
  type Delivery,
  finishDelivery,
  handToStaff,
  isDelivering,
  leaveToStaff,
  nextSource,
} from '@shop/shared/order/delivery.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { type AttemptFacts, decideAnswer, type Step } from '@shop/shared/supplier/decision.ts'
import { ATTEMPT_STATE, type PlaceAnswer, REJECTION } from '@shop/shared/supplier/supplier.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import type { Sql } from '../../database/database.ts'
import { sql, under } from '../../database/sql.ts'
import { log } from '../../http/log.ts'
import type { OutboxHandler } from '../../outbox/drain.ts'
import { askAgainAt } from '../../outbox/job-kind.ts'
import { enqueue, type Settlement } from '../../outbox/outbox.ts'
import type { OutboxPayload } from '../../outbox/payload.ts'
import type { Shop } from '../../shop/shop.ts'
import { mustWait } from '../../supplier/proof-store.ts'
import { notTold, type Purchase, type Supplier, supplierNamed, type Told } from '../../supplier/provider.ts'
import * as store from '../../supplier/store.ts'
import { supplierAttempt } from '../../supplier/tables.ts'
import { countSold, insertVouchers, reserveVouchers, sellReserved } from '../../voucher/store.ts'
import { lockOrder, saveOutcome } from '../store.ts'
import type { OrderSnapshot } from '../tables.ts'
import { piecesOf, STOCK_REFERENCE } from './brought.ts'
import { costByStock } from './code-cost.ts'
import { type Answer, forStaff, type Goods, soFar, type Why, whyNobody, whyOf } from './supplier-words.ts'

const attempts = under(supplierAttempt)
const LOCK_SECONDS = 180
/** What is known of a purchase that has ended is checked with a silent supplier for so long; then the night compares it. */
const ENDED_ASKED_SECONDS = 86_400

type Asked = 'place' | 'status'
/** The call to the supplier, which is made outside any transaction. */
interface Question {
  ask: Asked | 'nothing'
  attempt: store.Attempt
}

/** Takes a paid order and records its next purchase before it is made; null when there is nothing to ask. */
async function begin(
  tx: Sql,
  shop: Shop,
  { orderId, after, place = 0 }: OutboxPayload['supplier.deliver'],
): Promise<Question | null> {
  const now = shop.now()
  const locked = await lockOrder(tx, { id: orderId })
  invariant(locked, 'a job names its order')
  const { order } = locked
  const attempts = await store.findAttempts(tx, orderId)
  const [newest] = attempts
  if (newest && ATTEMPT_STATE[newest.state].isOpen) {
    // Somebody went on by hand and knows how it ended.
    if (newest.overruledAt && newest.isWithStaff) return null
    // It was found at the supplier after a restore, while its order still waited for its money.
    if (order.status === 'paid' && !newest.overruledAt) await saveOutcome(tx, beginDelivery(order, now))
    // The process that was sending it died, so it is unknown whether the purchase arrived.
    const isLost = newest.state === 'sending'
    return supplierNamed(shop.suppliers, newest.supplier)
      ? { ask: isLost ? 'nothing' : 'status', attempt: newest }
      : null
  }
  const isPaid = order.status === 'paid'
  if ((!isPaid && !isDelivering(order)) || (newest?.id ?? null) !== after) return null
  const sold = await store.findDelivery(tx, order.packageId)
  const brought = await countBrought(tx, order, sold?.delivers ?? newest?.delivers ?? 'top_up', attempts)
  if (!sold || (await mustWait(tx, orderId))) {
    // A paid order stays in the queue, where proof of its money, or a second person, starts this job again. Nothing would
    // start it for one that was under way when its package was set to be delivered by hand.
    if (!isPaid) await saveOutcome(tx, handToStaff(order, soFar(order, brought) + whyNobody(newest), now))
    return null
  }
  return beginNext(tx, shop, { ...locked, sold, attempts, brought, place })
}

interface Begun {
  order: Order
  snapshot: OrderSnapshot
  sold: Delivery
  attempts: readonly store.Attempt[]
  /** How many pieces the order has. */
  brought: number
  place: number
}

/** Sells what the stock has, or records a purchase at the next supplier; else leaves the order to staff. */
async function beginNext(tx: Sql, shop: Shop, begun: Begun): Promise<Question | null> {
  const { order, snapshot, sold, attempts, brought } = begun
  const now = shop.now()
  const take = async (): Promise<Order> => {
    if (order.status !== 'paid') return order
    const taken = beginDelivery(order, now)
    await saveOutcome(tx, taken)
    return taken.order
  }
  const standingOf = await store.findStandings(tx, shop.suppliers, now)
  let missing = order.quantity - brought
  let next = nextSource(order, sold, { place: begun.place, missing }, standingOf)
  while (next.from === 'stock') {
    const inStock = await sellFromStock(tx, order, missing, now)
    if (inStock >= missing) {
      await saveOutcome(tx, finishDelivery(await take(), STOCK_REFERENCE, now))
      await costByStock(tx, order)
      return null
    }
    missing -= inStock
    next = nextSource(order, sold, { place: next.place + 1, missing }, standingOf)
  }
  // The order stays paid; whoever lets the supplier go on starts this job again.
  if (next.from === 'later' && order.status === 'paid') return null
  const taken = await take()
  if (next.from !== 'supplier') {
    const [newest] = attempts
    const isTooDear = next.from === 'nobody' && next.isTooDear && !newest
    const reason = soFar(order, order.quantity - missing) + whyNobody(newest)
    await saveOutcome(tx, isTooDear ? leaveToStaff(taken, sold, now) : handToStaff(taken, reason, now))
    return null
  }
  const attempt = await store.insertAttempt(tx, {
    orderId: order.id,
    supplier: next.name,
    place: next.place,
    reference: store.referenceOf(order.id, attempts.length),
    sku: next.sku,
    delivers: sold.delivers,
    quantity: next.pieces,
    fields: snapshot.fields.map(({ value }) => value),
    maxCostSatang: next.maxCostSatang,
    sentAt: now,
  })
  return { ask: 'place', attempt }
}

/** Returns how many pieces an order has, from its purchases and from the stock. */
const countBrought = async (
  tx: Sql,
  { id }: Order,
  delivers: Delivers,
  attempts: readonly store.Attempt[],
): Promise<number> => (delivers === 'code' ? countSold(tx, id) : piecesOf(attempts))

/**
 * Hands an order the codes that it had reserved, and of the others in stock as many as it still misses. Returns how
 * many it handed over.
 */
async function sellFromStock(tx: Sql, { id: orderId, packageId }: Order, missing: number, now: Date): Promise<number> {
  const before = await countSold(tx, orderId)
  const reserved = (await sellReserved(tx, orderId, now)) - before
  if (reserved >= missing) return reserved
  await reserveVouchers(tx, { orderId, packageId, pieces: missing - reserved, day: bangkokDay(now), now })
  return (await sellReserved(tx, orderId, now)) - before
}

/** Makes a purchase, or reports that the player does not exist when the supplier can tell beforehand. */
async function buy(supplier: Supplier, purchase: Purchase): Promise<Told<PlaceAnswer>> {
  // A code is for nobody's account.
  if (purchase.delivers === 'top_up' && supplier.capabilities.validates !== 'none') {
    const found = await supplier.validatePlayer(purchase.sku, purchase.fields)
    if (found.kind === 'wrong') return notTold({ kind: 'rejected', reason: 'player' })
  }
  return supplier.place(purchase)
}

/**
 * Returns the place of the source that may be asked after a purchase that ended; null when people must go on. After a
 * refusal nothing was bought, so the next one is asked; after a purchase as large as this supplier allows it is asked for
 * more; after one that brought less, the next one is.
 */
function placeAfter({ place, quantity }: store.Attempt, goods: Goods | null, { rejection }: Why): number | null {
  if (goods?.hasUsed) return null
  if (goods?.state === 'part') return goods.pieces < quantity ? place + 1 : place
  return rejection !== null && REJECTION[rejection].goesOn ? place + 1 : null
}

interface Ended {
  order: Order
  before: store.Attempt
  after: AttemptFacts
  goods: Goods | null
  why: Why
  told: Told<Answer>
}

/** Applies the end of a purchase to its order, if the shop still has to deliver that. */
async function finish(tx: Sql, { order, before, after, goods, why, told }: Ended, now: Date): Promise<void> {
  if (!isOurs(order, before)) {
    // People went on by hand, so staff must see that the goods came as well.
    if (ATTEMPT_STATE[after.state].hasGoods) await store.saveContradiction(tx, before.id, 'delivered')
    return
  }
  if (after.state === 'delivered') {
    const reference = told.theirId ?? before.theirId ?? before.reference
    await saveOutcome(tx, finishDelivery(order, reference, now))
    return costByStock(tx, order)
  }
  const sold = await store.findDelivery(tx, order.packageId)
  const place = placeAfter(before, goods, why)
  if (place !== null && sold && place < sold.sources.length) {
    const payload = { orderId: order.id, after: before.id, place }
    return enqueue(tx, { kind: 'supplier.deliver', key: `${order.id}:after:${before.id}`, payload, now })
  }
  const brought = await countBrought(tx, order, before.delivers, await store.findAttempts(tx, order.id))
  await saveOutcome(tx, handToStaff(order, soFar(order, brought) + forStaff(before, why.reason), now))
}

/** Whether the shop still delivers the order of a purchase, and nobody went on by hand. */
const isOurs = (order: Order, { overruledAt }: store.Attempt): boolean => isDelivering(order) && overruledAt === null

/**
 * Keeps what a purchase brought. A code that the shop has seen before is no piece: somebody else may have it. Codes that
 * come after people went on by hand are kept from the order's buyer, who has others or the money.
 */
async function keepGoods(
  tx: Sql,
  { vouchers }: Pick<Shop, 'vouchers'>,
  order: Order,
  before: store.Attempt,
  told: Told<Answer>,
  now: Date,
) {
  const attempts = await store.findAttempts(tx, order.id)
  const missing = order.quantity - (await countBrought(tx, order, before.delivers, attempts))
  const goodsOf = (pieces: number, hasUsed = false): Goods => ({
    state: pieces === 0 ? 'failed' : pieces >= missing || !isOurs(order, before) ? 'delivered' : 'part',
    pieces,
    hasUsed,
  })
  if (before.delivers === 'top_up') return goodsOf(before.quantity)
  invariant(vouchers, 'codes are bought only where they can be encrypted')
  const { codes, costSatang } = told
  const of = {
    packageId: order.packageId,
    batchId: null,
    attemptId: before.id,
    costSatang: costSatang === null ? null : Math.round(costSatang / codes.length),
    ...(isOurs(order, before)
      ? ({ orderId: order.id, state: 'sold' } as const)
      : ({ orderId: null, state: 'withdrawn' } as const)),
  }
  const kept = await insertVouchers(tx, vouchers, codes, of, now)
  if (kept < codes.length)
    log('ERROR', 'supplier sent codes that were here before', { reference: before.reference, of: codes.length, kept })
  return goodsOf(kept, kept < codes.length)
}

interface Heard {
  asked: Asked
  told: Told<Answer>
  tookMs: number
}

/** Stores an answer and its effect on the purchase and on the order. */
async function hear(tx: Sql, shop: Shop, attemptId: string, { asked, told, tookMs }: Heard): Promise<Step> {
  const now = shop.now()
  const named = await store.findAttempt(tx, { id: attemptId })
  invariant(named, 'a job names its purchase')
  // The lock makes any other answer about this purchase wait here.
  const locked = await lockOrder(tx, { id: named.orderId })
  invariant(locked, 'a purchase names its order')
  const { order } = locked
  const before = (await store.findAttempt(tx, { id: attemptId }))!
  const { attempt: decided, step } = decideAnswer(before, told.answer, asked, now)
  const hasCome = step.to === 'finish' && decided.state === 'delivered'
  const goods = hasCome ? await keepGoods(tx, shop, order, before, told, now) : null
  const attempt = goods ? { ...decided, state: goods.state } : decided
  const why = whyOf(told, goods)
  const { theirId, costSatang } = told
  await store.insertAnswer(tx, attemptId, asked, told, { tookMs, at: now })
  const isGood = ATTEMPT_STATE[attempt.state].hasGoods
  const broughtPieces = goods?.pieces ?? before.broughtPieces
  const said = { rejection: why.rejection, reason: isGood ? null : why.reason, theirId, costSatang, broughtPieces }
  await store.saveAttempt(tx, before, attempt, said, now)
  if (step.to === 'finish') await finish(tx, { order, before, after: attempt, goods, why, told }, now)
  if (step.to === 'finish' && why.rejection && REJECTION[why.rejection].stops) {
    log('ERROR', 'supplier refuses the shop', { supplier: before.supplier, reason: why.rejection })
    await store.stopSupplier(tx, before.supplier, why.rejection, now)
  }
  if (asked === 'place' && attempt.state === 'unknown' && (await store.breakOff(tx, before.supplier, now)))
    log('ERROR', 'supplier gave too many unclear answers and rests', { supplier: before.supplier })
  if (step.to === 'staff') log('WARNING', `supplier purchase needs staff: ${step.why}`, { reference: before.reference })
  return step
}

const ASK: Record<Question['ask'], (supplier: Supplier, attempt: store.Attempt) => Promise<Told<Answer>>> = {
  place: buy,
  status: (supplier, attempt) => supplier.status(attempt, attempt.theirId),
  nothing: async () => notTold({ kind: 'unknown' }),
}

async function askTimed(supplier: Supplier, { ask, attempt }: Question) {
  const started = performance.now()
  const told = await ASK[ask](supplier, attempt)
  return { told, tookMs: Math.round(performance.now() - started) }
}

const nothing = async (): Promise<Settlement> => ({ to: 'done' })

/**
 * Delivers an order: records the purchase, makes it, and asks about it until its outcome is known or staff take over.
 */
export const supplierDeliveryHandler: OutboxHandler<'supplier.deliver'> = {
  concurrency: 8,
  lockSeconds: LOCK_SECONDS,
  mostFaults: 30,
  async run(shop, payload) {
    const question = await shop.db.transaction(tx => begin(tx, shop, payload))
    const supplier = question && supplierNamed(shop.suppliers, question.attempt.supplier)
    if (!supplier) return nothing
    const { told, tookMs } = await askTimed(supplier, question)
    return async tx => {
      const asked = question.ask === 'status' ? 'status' : 'place'
      const step = await hear(tx, shop, question.attempt.id, { asked, told, tookMs })
      const dueAt = 'at' in step ? step.at : null
      return dueAt ? { to: 'waiting', dueAt, error: null } : { to: 'done' }
    }
  },
  async giveUp(tx, { orderId }, now) {
    const open = await store.findOpenAttempt(tx, orderId)
    if (open)
      return void (await tx.query({
        text: sql`UPDATE ${attempts} SET ${attempts.isWithStaff} = true WHERE ${attempts.id} = $1`,
        values: [open.id],
      }))
    // It broke between two purchases: nobody else would look at the order again.
    const locked = await lockOrder(tx, { id: orderId })
    if (locked && isDelivering(locked.order))
      await saveOutcome(tx, handToStaff(locked.order, 'สั่งซื้อต่อจากผู้จำหน่ายไม่สำเร็จ กรุณาเติมเอง', now))
  },
}

/** Asks the supplier about a purchase after a callback or when staff want to know. */
export const supplierAskHandler: OutboxHandler<'supplier.ask'> = {
  concurrency: 8,
  lockSeconds: LOCK_SECONDS,
  mostFaults: 30,
  async run(shop, { attemptId }, { createdAt }) {
    const attempt = await store.findAttempt(shop.db, { id: attemptId })
    const supplier = attempt && supplierNamed(shop.suppliers, attempt.supplier)
    if (!supplier) return nothing
    const { told, tookMs } = await askTimed(supplier, { ask: 'status', attempt })
    return async tx => {
      await hear(tx, shop, attemptId, { asked: 'status', told, tookMs })
      const now = shop.now()
      const isLongEnough = addSeconds(createdAt, ENDED_ASKED_SECONDS) <= now
      if (told.answer.kind !== 'unknown' || (isLongEnough && !ATTEMPT_STATE[attempt.state].isOpen))
        return { to: 'done' }
      return { to: 'waiting', dueAt: askAgainAt(createdAt, null, now), error: told.answer.kind }
    }
  },
}
