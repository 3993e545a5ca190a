import { NO_PLAYER } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import { can } from '../permissions.ts'
import { changeStatus, isOwnOrder, type Order, type OrderEvent, type OrderOutcome, required } from './order.ts'
import type { Player, TypedField } from './player.ts'
import type { Actor } from './status.ts'

/** How often a buyer may propose another player for one order, because each proposal is stored for ever. */
const MOST_PROPOSALS = 10

/** Tells whether an order was sold to a player; codes are for nobody's account. */
export const isForPlayer = ({ playerId }: Pick<Order, 'playerId'>): boolean => playerId !== NO_PLAYER

/** Tells whether its buyer may name another player for an order: its top-up failed. */
export const isCorrectable = (order: Pick<Order, 'status' | 'playerId'>): boolean =>
  order.status === 'failed' && isForPlayer(order)

const textOf = (fields: readonly TypedField[]) => fields.map(({ label, value }) => `${label} ${value}`).join(', ')

/** Labels are ignored, because the game may have renamed its inputs since. */
const isSame = (a: readonly TypedField[], b: readonly TypedField[]) =>
  a.length === b.length && a.every(({ name, value }) => b.some(each => each.name === name && each.value === value))

/**
 * Stores the player whom the buyer of a failed order proposes instead. Nothing else changes, because staff decide. A
 * later proposal replaces an earlier one. @param proposed the number of proposals so far @throws
 * ORDER_STATUS_NOT_ALLOWED, SAME_PLAYER, RATE_LIMITED
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

/** The facts that decide whom a failed order may be delivered to instead. */
interface Redo {
  actor: Actor
  /** Whether the goods of an earlier try came or may still come. */
  mayHaveArrived: boolean
  /** The player whom the buyer proposed last. */
  proposed: Player | null
  /** Why the shop uses a player whom the buyer did not name. */
  reason: string | null
}

/** Tells whether the buyer named a player, in the order or in a later proposal. */
const isNamedByBuyer = (player: Player, before: readonly TypedField[], proposed: Player | null): boolean =>
  isSame(before, player.fields) || (proposed !== null && isSame(proposed.fields, player.fields))

function againText(before: readonly TypedField[], player: Player): string {
  if (!isForPlayer(player)) return 'ส่งรหัสใหม่'
  return isSame(before, player.fields) ? 'เติมใหม่' : `เติมใหม่: ${textOf(before)} → ${textOf(player.fields)}`
}

/** Returns the history's event for the change. When the buyer did not name the player, the buyer can read it. */
function changeOf(before: readonly TypedField[], player: Player, { actor, proposed, reason }: Redo) {
  if (isNamedByBuyer(player, before, proposed)) return { kind: 'status', text: againText(before, player) } as const
  if (actor.role === 'system' || !can(actor.role, 'order.redoToOther')) throw new AppError('REDO_OTHER_PLAYER')
  const why = required(reason, 'REASON_REQUIRED')
  return {
    kind: 'player_changed',
    text: `ร้านเติมให้ผู้เล่น ${textOf(player.fields)} แทน ${textOf(before)} (เหตุผล ${why})`,
  } as const
}

/**
 * Makes an order that failed a paid one again, to be delivered to the given player, or of codes to nobody's account. No money moves, and staff
 * deliver it. For a player whom the buyer did not name it takes a manager and a reason, which the buyer can read.
 * @throws OWN_ORDER, ORDER_STATUS_NOT_ALLOWED, GOODS_MAY_HAVE_ARRIVED, REDO_OTHER_PLAYER, REASON_REQUIRED
 */
export function redoOrder(
  order: Order,
  before: readonly TypedField[],
  player: Player,
  redo: Redo,
  now: Date,
): OrderOutcome {
  if (isOwnOrder(order, redo.actor)) throw new AppError('OWN_ORDER')
  const { kind, text } = changeOf(before, player, redo)
  const outcome = changeStatus(order, 'redo', redo.actor, now, text)
  if (redo.mayHaveArrived) throw new AppError('GOODS_MAY_HAVE_ARRIVED')
  const { playerId, playerName } = player
  const claim = { claimedBy: null, claimedAt: null }
  return {
    ...outcome,
    order: { ...outcome.order, ...claim, playerId, playerName, endedAt: null },
    event: { ...outcome.event, kind },
    player,
    proposedPlayer: null,
  }
}

/**
 * Returns what the buyer is told when the shop used another player than theirs; null when the buyer named the player.
 */
export function playerChangeOf(events: readonly Pick<OrderEvent, 'kind' | 'from' | 'to' | 'reason'>[]): string | null {
  const last = events.findLast(({ from, to }) => from === 'failed' && to === 'paid')
  return last?.kind === 'player_changed' ? last.reason : null
}

/** Tells whether the buttons of an actor may offer to deliver it again. */
export const canRedo = (order: Pick<Order, 'status' | 'buyerUid'>, actor: Actor): boolean =>
  order.status === 'failed' && !isOwnOrder(order, actor)
