import { invariant } from '@shop/shared/errors.ts'
import {
  beginDelivery,
  finishDelivery,
  handToStaff,
  isDelivering,
  leaveToStaff,
  mostForPiece,
} from '@shop/shared/order/delivery.ts'
import { decideAnswer, type Step } from '@shop/shared/supplier/decision.ts'
import { ATTEMPT_STATE, type PlaceAnswer, REJECTION, type StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { OutboxPayload, Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import { mustWait } from '../supplier/proof-store.ts'
import { notTold, type Purchase, type Supplier, type Told } from '../supplier/provider.ts'
import * as store from '../supplier/store.ts'
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

/** Takes a paid order and records its purchase before it is made; null when there is nothing to do. */
async function begin(
  tx: Sql,
  shop: Shop,
  supplier: Supplier,
  { orderId, after }: OutboxPayload['supplier.deliver'],
): Promise<Question | null> {
  const now = shop.now()
  const locked = await lockOrder(tx, { id: orderId })
  invariant(locked, 'a job names its order')
  const { order, snapshot } = locked
  const attempts = await store.findAttempts(tx, orderId)
  const [newest] = attempts
  if (newest && ATTEMPT_STATE[newest.state].isOpen) {
    // It was found at the supplier after a restore, while its order still waited for its money.
    if (order.status === 'paid' && !newest.overruledAt) await saveOutcome(tx, beginDelivery(order, now))
    // The process that was sending it died, so it is unknown whether the purchase arrived.
    const isLost = newest.state === 'sending'
    return newest.supplier === supplier.name ? { ask: isLost ? 'nothing' : 'status', attempt: newest } : null
  }
  if (order.status !== 'paid' || (newest?.id ?? null) !== after) return null
  // The order stays in the queue; proof of its money, or a second person, starts this job again.
  if (await mustWait(tx, orderId)) return null
  const sold = await store.findDeliveredPackage(tx, order.packageId)
  const { isOn, stoppedAt } = await store.findSupplier(tx, supplier.name)
  // The order stays paid; whoever lets the supplier go on starts this job again.
  if (!sold || !isOn || stoppedAt) return null
  const maxCostSatang = mostForPiece(order, sold)
  if (maxCostSatang === null) {
    const taken = beginDelivery(order, now)
    await saveOutcome(tx, taken)
    await saveOutcome(tx, leaveToStaff(taken.order, sold, now))
    return null
  }
  const fields = snapshot.fields.map(({ value }) => value)
  const reference = store.referenceOf(orderId, attempts.length)
  const bought = { reference, sku: sold.sku, quantity: order.quantity, fields, maxCostSatang }
  const attempt = await store.insertAttempt(tx, { ...bought, orderId, supplier: supplier.name, sentAt: now })
  await saveOutcome(tx, beginDelivery(order, now))
  return { ask: 'place', attempt }
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
function reasonOf(attempt: store.Attempt, { answer, message }: Told<Answer>) {
  const rejection = answer.kind === 'rejected' ? answer.reason : null
  const known = rejection ? REJECTION[rejection].text : ATTEMPT_STATE.failed.label
  const reason = message && message !== known ? `${known} (${message})` : known
  return { rejection, reason, forStaff: `ผู้จำหน่าย: ${reason} · อ้างอิง ${attempt.reference}` }
}

/** Applies the end of a purchase to its order, if the shop still has to deliver that. */
async function finish(tx: Sql, attempt: store.Attempt, isDelivered: boolean, told: Told<Answer>, now: Date) {
  const locked = await lockOrder(tx, { id: attempt.orderId })
  invariant(locked, 'a purchase names its order')
  if (!isDelivering(locked.order) || attempt.overruledAt) {
    // People went on by hand, so staff must see that the goods came as well.
    if (isDelivered) await store.saveContradiction(tx, attempt.id, 'delivered')
    return
  }
  const outcome = isDelivered
    ? finishDelivery(locked.order, told.theirId ?? attempt.theirId ?? attempt.reference, now)
    : handToStaff(locked.order, reasonOf(attempt, told).forStaff, now)
  await saveOutcome(tx, outcome)
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
  await lockOrder(tx, { id: named.orderId })
  const before = (await store.findAttempt(tx, { id: attemptId }))!
  const { attempt, step } = decideAnswer(before, told.answer, asked, now)
  const { rejection, reason } = reasonOf(before, told)
  const { theirId, costSatang } = told
  await store.insertAnswer(tx, attemptId, asked, told, { tookMs, at: now })
  const said = { rejection, reason: attempt.state !== 'delivered' ? reason : null, theirId, costSatang }
  await store.saveAttempt(tx, before, attempt, said, now)
  if (step.to === 'finish')
    await finish(tx, { ...before, theirId: theirId ?? before.theirId }, attempt.state === 'delivered', told, now)
  if (step.to === 'finish' && rejection && REJECTION[rejection].stops) {
    log('ERROR', 'supplier refuses the shop', { supplier: before.supplier, reason: rejection })
    await store.stopSupplier(tx, before.supplier, rejection, now)
  }
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
    const { supplier } = shop
    const question = supplier && (await shop.db.transaction(tx => begin(tx, shop, supplier, payload)))
    if (!question) return nothing
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
    const { supplier } = shop
    const attempt = await store.findAttempt(shop.db, { id: attemptId })
    if (!supplier || attempt?.supplier !== supplier.name) return nothing
    const { told, tookMs } = await askTimed(supplier, { ask: 'status', attempt })
    return async tx => {
      await hear(tx, shop, attemptId, { asked: 'status', told, tookMs })
      const dueAt = new Date(shop.now().getTime() + ASK_AGAIN_MS)
      return told.answer.kind === 'unknown' ? { to: 'waiting', dueAt, error: null } : { to: 'done' }
    }
  },
}
