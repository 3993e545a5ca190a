import { AppError, invariant } from '../errors.ts'
import { addSeconds } from '../time.ts'
import { changeStatus, type Order, type OrderEvent, type OrderOutcome, required } from './order.ts'
import { type Actor, SYSTEM } from './status.ts'

/** How long a claim holds while nothing is heard of its claimer. */
const CLAIM_SECONDS = 15 * 60

/** When a claim that is heard of now runs out. */
export const claimUntilFrom = (now: Date): Date => addSeconds(now, CLAIM_SECONDS)

/** A staff member takes a paid order; the first one wins. */
export function claimOrder(order: Order, actor: Actor, now: Date): OrderOutcome {
  if (order.status === 'processing' && order.claimedBy !== actor.uid) throw new AppError('ORDER_CLAIMED_BY_OTHER')
  const outcome = changeStatus(order, 'claim', actor, now, null)
  const claim = { claimedBy: actor.uid, claimedAt: now, claimUntil: claimUntilFrom(now) }
  return { ...outcome, order: { ...outcome.order, ...claim } }
}

/** Puts a claimed order back for others. */
export function releaseClaim(order: Order, actor: Actor, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'release', actor, now, null)
  return {
    ...outcome,
    order: { ...outcome.order, claimedBy: null, claimedAt: null },
    event: { ...outcome.event, kind: 'claim_released' },
  }
}

/** Puts back an order whose claimer was not heard of. Called by the job only for claims past `claimUntil`. */
export function releaseLapsed(order: Order, now: Date): OrderOutcome {
  invariant(order.claimUntil && order.claimUntil <= now, 'only claims past their lease run out')
  return releaseClaim(order, SYSTEM, now)
}

/** Whose lease ran out last, if nothing has happened to the order since; from its events in their order. */
export function lapsedClaimOf(events: readonly OrderEvent[]): string | null {
  const last = events.at(-1)
  if (last?.kind !== 'claim_released' || last.actor.role !== SYSTEM.role) return null
  return events.findLast(({ to }) => to === 'processing')?.actor.uid ?? null
}

/**
 * The player has the goods; the reference says how it was delivered. Whose lease ran out may still say so while nobody
 * else took the order: what they delivered must not be delivered again.
 * @param lapsedClaim see `lapsedClaimOf`
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

export const mayCompleteLate = (actor: Actor, lapsedClaim: string | null): boolean =>
  lapsedClaim !== null && lapsedClaim === actor.uid
