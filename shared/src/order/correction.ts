import { AppError } from '../errors.ts'
import { changeStatus, isOwnOrder, type Order, type OrderOutcome } from './order.ts'
import type { Player, TypedField } from './player.ts'
import type { Actor } from './status.ts'

/** How often a buyer may propose another player for one order: each is written down for good. */
const MOST_PROPOSALS = 10

/** Whether somebody must decide what becomes of the money of a top-up that failed. */
export const isCorrectable = ({ status }: Pick<Order, 'status'>): boolean => status === 'failed'

const textOf = (fields: readonly TypedField[]) => fields.map(({ label, value }) => `${label} ${value}`).join(', ')

const isSame = (a: readonly TypedField[], b: readonly TypedField[]) => textOf(a) === textOf(b)

/**
 * The buyer of an order that failed says whom to top up instead. Nothing else changes: staff decide. A later proposal
 * takes the place of an earlier one.
 * @param proposed how many proposals the order has had
 * @throws ORDER_STATUS_NOT_ALLOWED, SAME_PLAYER, RATE_LIMITED
 */
export function proposePlayer(
  order: Order,
  before: readonly TypedField[],
  player: Player,
  { actor, proposed }: { actor: Actor; proposed: number },
  now: Date,
): OrderOutcome {
  if (!isCorrectable(order)) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  if (isSame(before, player.fields)) throw new AppError('SAME_PLAYER')
  if (proposed >= MOST_PROPOSALS) throw new AppError('TOO_MANY_CORRECTIONS')
  const reason = textOf(player.fields)
  return {
    order: { ...order, version: order.version + 1 },
    event: { kind: 'player_proposed', from: order.status, to: order.status, actor, at: now, reason },
    ledger: null,
    proposedPlayer: player,
  }
}

/**
 * An order whose top-up failed is to be delivered after all, to the player that is given: it stands among the paid ones
 * again, with the money that it has held all along. Nothing is charged, and nothing is delivered by itself.
 * @param mayHaveArrived whether the goods of an earlier try may still come, or came
 * @throws OWN_ORDER, ORDER_STATUS_NOT_ALLOWED, GOODS_MAY_HAVE_ARRIVED
 */
export function redoOrder(
  order: Order,
  before: readonly TypedField[],
  player: Player,
  { actor, mayHaveArrived }: { actor: Actor; mayHaveArrived: boolean },
  now: Date,
): OrderOutcome {
  const change = isSame(before, player.fields) ? 'เติมใหม่' : `เติมใหม่: ${textOf(before)} → ${textOf(player.fields)}`
  const outcome = changeStatus(order, 'redo', actor, now, change)
  if (mayHaveArrived) throw new AppError('GOODS_MAY_HAVE_ARRIVED')
  const { playerId, playerName } = player
  const claim = { claimedBy: null, claimedAt: null }
  return {
    ...outcome,
    order: { ...outcome.order, ...claim, playerId, playerName, endedAt: null },
    player,
    proposedPlayer: null,
  }
}

/** Whether an actor's buttons may offer to do it again. */
export const canRedo = (order: Pick<Order, 'status' | 'buyerUid'>, actor: Actor): boolean =>
  isCorrectable(order) && !isOwnOrder(order, actor)
