import { AppError, invariant } from '../errors.ts'
import { addSeconds } from '../time.ts'
import { changeStatus, type Order, type OrderEvent, type OrderOutcome, required } from './order.ts'
import { type Actor, SYSTEM } from './status.ts'

/** How long a claim lasts unless its claimer renews it. */
const CLAIM_SECONDS = 15 * 60

/** Returns when a claim ends that is made or renewed now. */
export const claimUntilFrom = (now: Date): Date => addSeconds(now, CLAIM_SECONDS)

/** A staff member takes a paid order; the first one gets it. */
export function claimOrder(order: Order, actor: Actor, now: Date): OrderOutcome {
  if (order.status === 'processing' && order.claimedBy !== actor.uid) throw new AppError('ORDER_CLAIMED_BY_OTHER')
  const outcome = changeStatus(order, 'claim', actor, now, null)
  const claim = { claimedBy: actor.uid, claimedAt: now, claimUntil: claimUntilFrom(now) }
  return { ...outcome, order: { ...outcome.order, ...claim } }
}

/** Returns a claimed order to the queue. */
export function releaseClaim(order: Order, actor: Actor, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'release', actor, now, null)
  return {
    ...outcome,
    order: { ...outcome.order, claimedBy: null, claimedAt: null },
    event: { ...outcome.event, kind: 'claim_released' },
  }
}

/** Releases an order whose claim was not renewed. The job calls it only for claims past `claimUntil`. */
export function releaseLapsed(order: Order, now: Date): OrderOutcome {
  invariant(order.claimUntil && order.claimUntil <= now, 'only claims past their lease run out')
  return releaseClaim(order, SYSTEM, now)
}

/** Returns whose claim ended last, if nothing has happened to the order since; `events` are in their order. */
export function lapsedClaimOf(events: readonly OrderEvent[]): string | null {
  const last = events.at(-1)
  if (last?.kind !== 'claim_released' || last.actor.role !== SYSTEM.role) return null
  return events.findLast(({ to }) => to === 'processing')?.actor.uid ?? null
}

/**
 * Completes an order; the reference tells how it was delivered. Somebody whose claim has ended may still do this while
 * nobody else took the order, because what they delivered must not be delivered again. @param lapsedClaim see
 * `lapsedClaimOf`
 */
export function completeOrder(
  order: Order,
  actor: Actor,
  deliveryReference: string | null,
  now: Date,
  lapsedClaim: string | null = null,
): OrderOutcome {
  const reference = required(deliveryReference, 'DELIVERY_REFERENCE_REQUIRED')
  const outcome = changeStatus(order, 'complete', actor, now, null)
  if (order.status === 'paid' && !mayCompleteLate(actor, lapsedClaim))
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const claim = order.status === 'paid' ? { claimedBy: actor.uid, claimedAt: now } : {}
  return { ...outcome, order: { ...outcome.order, ...claim, deliveryReference: reference, endedAt: now } }
}

/**
 * Replaces the reference of a delivery by whoever completed it, who mistyped it. The history keeps both. @throws
 * ORDER_STATUS_NOT_ALLOWED, FORBIDDEN, DELIVERY_REFERENCE_REQUIRED
 */
export function correctReference(order: Order, actor: Actor, typed: string, now: Date): OrderOutcome {
  const reference = required(typed, 'DELIVERY_REFERENCE_REQUIRED')
  if (order.status !== 'success') throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  if (order.claimedBy === null || order.claimedBy !== actor.uid) throw new AppError('FORBIDDEN')
  const reason = `${order.deliveryReference} → ${reference}`
  return {
    order: { ...order, version: order.version + 1, deliveryReference: reference },
    event: { kind: 'reference_corrected', from: order.status, to: order.status, actor, at: now, reason },
    ledger: null,
  }
}

export const mayCompleteLate = (actor: Actor, lapsedClaim: string | null): boolean =>
  lapsedClaim !== null && lapsedClaim === actor.uid
