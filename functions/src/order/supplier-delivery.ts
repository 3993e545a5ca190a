import { invariant } from '@shop/shared/errors.ts'
import {
  beginDelivery,
  finishDelivery,
  handToStaff,
  isDelivering,
  leaveToStaff,
  nextSource,
} from '@shop/shared/order/delivery.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { type AttemptFacts, decideAnswer, type Step } from '@shop/shared/supplier/decision.ts'
import {
  ATTEMPT_STATE,
  type PlaceAnswer,
  REJECTION,
  type Rejection,
  type StatusAnswer,
} from '@shop/shared/supplier/supplier.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { enqueue, type OutboxPayload, type Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import { mustWait } from '../supplier/proof-store.ts'
import { notTold, type Purchase, type Supplier, supplierNamed, type Told } from '../supplier/provider.ts'
import * as store from '../supplier/store.ts'
import { countSold, insertVouchers, reserveVouchers, sellReserved } from '../voucher/store.ts'
import { costByStock } from './code-cost.ts'
import { lockOrder, saveOutcome } from './store.ts'

const LOCK_SECONDS = 180
/** An answer that came by callback is checked again with the supplier after this time, up to this many times. */
const ASK_AGAIN_MS = 60_000
const ASK_TIMES = 5

type Answer = PlaceAnswer | StatusAnswer
type Asked = 'place' | 'status'
/** The call to the supplier, which is made outside any transaction. */
interface Question {
  ask: Asked | 'nothing'
  attempt: store.Attempt
}

/** Why nobody can deliver what an order misses: the last refusal, if there was one. */
function whyNobody(order: Order, newest: store.Attempt | undefined, brought: number): string {
  if (brought > 0) return `ส่งแล้ว ${brought} จาก ${order.quantity} ชิ้น ไม่มีผู้จำหน่ายใดส่งส่วนที่เหลือได้`
  if (newest?.reason) return forStaff(newest, newest.reason)
  return 'ไม่มีผู้จำหน่ายใดส่งสินค้านี้ได้ กรุณาเติมเอง'
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
  const { snapshot } = locked
  const attempts = await store.findAttempts(tx, orderId)
  const [newest] = attempts
  if (newest && ATTEMPT_STATE[newest.state].isOpen) {
    // It was found at the supplier after a restore, while its order still waited for its money.
    if (locked.order.status === 'paid' && !newest.overruledAt) await saveOutcome(tx, beginDelivery(locked.order, now))
    // The process that was sending it died, so it is unknown whether the purchase arrived.
    const isLost = newest.state === 'sending'
    return supplierNamed(shop.suppliers, newest.supplier)
      ? { ask: isLost ? 'nothing' : 'status', attempt: newest }
      : null
  }
  const isPaid = locked.order.status === 'paid'
  if ((!isPaid && !isDelivering(locked.order)) || (newest?.id ?? null) !== after) return null
  // The order stays in the queue; proof of its money, or a second person, starts this job again.
  if (await mustWait(tx, orderId)) return null
  const sold = await store.findDelivery(tx, locked.order.packageId)
  if (!sold) return null
  const take = async (): Promise<Order> => {
    if (!isPaid) return locked.order
    const taken = beginDelivery(locked.order, now)
    await saveOutcome(tx, taken)
    return taken.order
  }
  const standingOf = await store.findStandings(tx, shop.suppliers, now)
  const brought = sold.delivers === 'code' ? await countSold(tx, orderId) : piecesOf(attempts)
  let missing = locked.order.quantity - brought
  let next = nextSource(locked.order, sold, { place, missing }, standingOf)
  while (next.from === 'stock') {
    const inStock = await sellFromStock(tx, locked.order, missing, now)
    if (inStock.pieces >= missing) {
      await saveOutcome(tx, finishDelivery(await take(), STOCK_REFERENCE, now))
      await costByStock(tx, locked.order)
      return null
    }
    missing -= inStock.pieces
    next = nextSource(locked.order, sold, { place: next.place + 1, missing }, standingOf)
  }
  // The order stays paid; whoever lets the supplier go on starts this job again.
  if (next.from === 'later' && isPaid) return null
  const order = await take()
  if (next.from !== 'supplier') {
    const isTooDear = next.from === 'nobody' && next.isTooDear && !newest
    const reason = whyNobody(order, newest, order.quantity - missing)
    await saveOutcome(tx, isTooDear ? leaveToStaff(order, sold, now) : handToStaff(order, reason, now))
    return null
  }
  const attempt = await store.insertAttempt(tx, {
    orderId,
    supplier: next.name,
    place: next.place,
    reference: store.referenceOf(orderId, attempts.length),
    sku: next.sku,
    delivers: sold.delivers,
    quantity: next.pieces,
    fields: snapshot.fields.map(({ value }) => value),
    maxCostSatang: next.maxCostSatang,
    sentAt: now,
  })
  return { ask: 'place', attempt }
}

const STOCK_REFERENCE = 'สต็อกของร้าน'

/** How many pieces an order's purchases brought. */
const piecesOf = (attempts: readonly store.Attempt[]): number =>
  attempts.reduce((sum, { broughtPieces }) => sum + broughtPieces, 0)

/** Hands an order the codes that it had reserved, and of the others in stock as many as it still misses. */
async function sellFromStock(tx: Sql, { id: orderId, packageId }: Order, missing: number, now: Date) {
  const before = await countSold(tx, orderId)
  const reserved = (await sellReserved(tx, orderId, now)) - before
  if (reserved < missing) {
    await reserveVouchers(tx, { orderId, packageId, pieces: missing - reserved, day: bangkokDay(now), now })
    await sellReserved(tx, orderId, now)
  }
  return { pieces: (await countSold(tx, orderId)) - before }
}

/** Makes a purchase, or reports that the player does not exist when the supplier can tell beforehand. */
async function buy(supplier: Supplier, purchase: Purchase): Promise<Told<PlaceAnswer>> {
  if (supplier.capabilities.validates !== 'none') {
    const found = await supplier.validatePlayer(purchase.sku, purchase.fields)
    if (found.kind === 'wrong') return notTold({ kind: 'rejected', reason: 'player' })
  }
  return supplier.place(purchase)
}

/** Returns why a purchase brought no goods: our own words for known reasons, and the supplier's. */
function reasonOf({ answer, message }: Told<Answer>) {
  const rejection = answer.kind === 'rejected' ? answer.reason : null
  const known = rejection ? REJECTION[rejection].text : ATTEMPT_STATE.failed.label
  return { rejection, reason: message && message !== known ? `${known} (${message})` : known }
}

const forStaff = ({ supplier, reference }: store.Attempt, reason: string): string =>
  `ผู้จำหน่าย ${supplierLabel(supplier)}: ${reason} · อ้างอิง ${reference}`

/** Whether another purchase may follow one that ended: others may have what it refused, or the pieces that it lacks. */
const goesOn = ({ state }: AttemptFacts, rejection: Rejection | null): boolean =>
  state === 'part' || (state === 'rejected' && rejection !== null && REJECTION[rejection].goesOn)

/** Applies the end of a purchase to its order, if the shop still has to deliver that. */
async function finish(tx: Sql, before: store.Attempt, after: AttemptFacts, told: Told<Answer>, now: Date) {
  const locked = await lockOrder(tx, { id: before.orderId })
  invariant(locked, 'a purchase names its order')
  const { order } = locked
  if (!isDelivering(order) || before.overruledAt) {
    // People went on by hand, so staff must see that the goods came as well.
    if (ATTEMPT_STATE[after.state].hasGoods) await store.saveContradiction(tx, before.id, 'delivered')
    return
  }
  if (after.state === 'delivered') {
    const reference = told.theirId ?? before.theirId ?? before.reference
    await saveOutcome(tx, finishDelivery(order, reference, now))
    return costByStock(tx, order)
  }
  const { rejection, reason } = reasonOf(told)
  const sold = await store.findDelivery(tx, order.packageId)
  const place = after.state === 'part' ? before.place : before.place + 1
  if (goesOn(after, rejection) && sold && place < sold.sources.length) {
    const payload = { orderId: order.id, after: before.id, place }
    return enqueue(tx, { kind: 'supplier.deliver', key: `${order.id}:after:${before.id}`, payload, now })
  }
  await saveOutcome(tx, handToStaff(order, forStaff(before, reason), now))
}

/**
 * Keeps the codes that a purchase brought; returns how many of its pieces came. A code that the shop has seen before is
 * no piece: somebody else may have it.
 */
async function keepGoods(tx: Sql, { vouchers }: Shop, before: store.Attempt, told: Told<Answer>, now: Date) {
  if (before.delivers === 'top_up') return before.quantity
  invariant(vouchers, 'codes are bought only where they can be encrypted')
  const { orderId, quantity, id: attemptId } = before
  const { order } = (await lockOrder(tx, { id: orderId }))!
  const costSatang = told.costSatang === null ? null : Math.round(told.costSatang / quantity)
  const of = { packageId: order.packageId, batchId: null, attemptId, orderId, state: 'sold', costSatang } as const
  const kept = await insertVouchers(tx, vouchers, told.codes, of, now)
  if (kept < told.codes.length)
    log('ERROR', 'supplier sent codes that were here before', {
      reference: before.reference,
      of: told.codes.length,
      kept,
    })
  return kept
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
  const before = (await store.findAttempt(tx, { id: attemptId }))!
  const { attempt: decided, step } = decideAnswer(before, told.answer, asked, now)
  const isNew = step.to === 'finish' && decided.state === 'delivered'
  const broughtPieces = isNew ? await keepGoods(tx, shop, before, told, now) : before.broughtPieces
  const brought = isNew ? piecesOf(await store.findAttempts(tx, before.orderId)) + broughtPieces : 0
  const isWhole =
    before.delivers === 'code'
      ? (await countSold(tx, before.orderId)) >= locked!.order.quantity
      : brought >= locked!.order.quantity
  const attempt = isNew && !isWhole ? { ...decided, state: 'part' as const } : decided
  const { rejection, reason } = reasonOf(told)
  const { theirId, costSatang } = told
  await store.insertAnswer(tx, attemptId, asked, told, { tookMs, at: now })
  const isGood = ATTEMPT_STATE[attempt.state].hasGoods
  const said = { rejection, reason: isGood ? null : reason, theirId, costSatang, broughtPieces }
  await store.saveAttempt(tx, before, attempt, said, now)
  if (step.to === 'finish') await finish(tx, before, attempt, told, now)
  if (step.to === 'finish' && rejection && REJECTION[rejection].stops) {
    log('ERROR', 'supplier refuses the shop', { supplier: before.supplier, reason: rejection })
    await store.stopSupplier(tx, before.supplier, rejection, now)
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
  maxAttempts: 30,
  async run(shop, payload) {
    const question = await shop.db.transaction(tx => begin(tx, shop, payload))
    const supplier = question && supplierNamed(shop.suppliers, question.attempt.supplier)
    if (!supplier) return nothing
    const { told, tookMs } = await askTimed(supplier, question)
    return async tx => {
      const asked = question.ask === 'status' ? 'status' : 'place'
      const step = await hear(tx, shop, question.attempt.id, { asked, told, tookMs })
      return step.to === 'ask' ? { to: 'waiting', dueAt: step.at, error: null } : { to: 'done' }
    }
  },
  async giveUp(tx, { orderId }) {
    const open = await store.findOpenAttempt(tx, orderId)
    if (open)
      await tx.query({ text: 'UPDATE supplier_attempt SET is_with_staff = true WHERE id = $1', values: [open.id] })
  },
}

/** Asks the supplier about a purchase after a callback or when staff want to know. */
export const supplierAskHandler: OutboxHandler<'supplier.ask'> = {
  concurrency: 8,
  lockSeconds: LOCK_SECONDS,
  maxAttempts: ASK_TIMES,
  async run(shop, { attemptId }) {
    const attempt = await store.findAttempt(shop.db, { id: attemptId })
    const supplier = attempt && supplierNamed(shop.suppliers, attempt.supplier)
    if (!supplier) return nothing
    const { told, tookMs } = await askTimed(supplier, { ask: 'status', attempt })
    return async tx => {
      await hear(tx, shop, attemptId, { asked: 'status', told, tookMs })
      const dueAt = new Date(shop.now().getTime() + ASK_AGAIN_MS)
      return told.answer.kind === 'unknown' ? { to: 'waiting', dueAt, error: null } : { to: 'done' }
    }
  },
}
