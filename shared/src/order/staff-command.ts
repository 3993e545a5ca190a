import { isGatewayMethod } from '../catalogue/payment-method.ts'
import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { type Action, can } from '../permissions.ts'
import { claimOrder, completeOrder, mayCompleteLate, releaseClaim } from './claim.ts'
import {
  amountOf,
  cancelOrder,
  failOrder,
  isClaimedByOther,
  isLeftToCancel,
  isOwnOrder,
  markPaid,
  type Order,
  type OrderOutcome,
} from './order.ts'
import { refundOrder } from './refund.ts'
import {
  type Actor,
  movesOf,
  ORDER_STATUS,
  ORDER_STATUSES,
  type OrderMove,
  type OrderStatus,
  STAFF_COMMANDS,
} from './status.ts'

export type StaffCommand = (typeof STAFF_COMMANDS)[number]

/** The texts that commands need. */
export interface CommandInput {
  reason: string | null
  deliveryReference: string | null
}

/** Somebody who gives a command. */
interface Giver {
  actor: Actor
  /** By how much the order's statement line is less than its amount; a refund gives back only what came. */
  shortSatang: Satang
  /** Whose claim of the order ended last, see `lapsedClaimOf`. */
  lapsedClaim: string | null
}

interface CommandEntry {
  allow: Action
  /** The permission for an order above the two-person amount, when that needs more. */
  allowLarge?: Action
  /** The text of its button. */
  label: string
  /** The question above the input, which names what will happen. */
  question: string
  /** The message after it was done. */
  done: string
  /** The text that it needs; null when it is carried out at once. */
  needs: keyof CommandInput | null
  isDanger: boolean
  decide(order: Order, input: CommandInput, by: Giver, now: Date): OrderOutcome
}

const withReason = { needs: 'reason', isDanger: true } as const
const atOnce = { question: '', needs: null, isDanger: false } as const

/** The table of all commands of staff. */
export const STAFF_COMMAND: Record<StaffCommand, CommandEntry> = {
  cancel: {
    allow: 'order.work',
    label: 'ยกเลิกคำสั่งซื้อ…',
    question: 'ยกเลิกคำสั่งซื้อ',
    done: 'ยกเลิกคำสั่งซื้อแล้ว',
    ...withReason,
    decide: (order, { reason }, { actor }, now) => cancelOrder(order, actor, reason, now),
  },
  refund: {
    allow: 'order.refund',
    label: 'คืนเงิน…',
    question: 'คืนเงินให้ลูกค้า',
    done: 'สั่งคืนเงินแล้ว',
    ...withReason,
    decide: (order, { reason }, { actor, shortSatang }, now) => refundOrder(order, actor, reason, now, shortSatang),
  },
  fail: {
    allow: 'order.work',
    label: 'เติมไม่ได้…',
    question: 'บันทึกว่าเติมไม่สำเร็จ',
    done: 'บันทึกว่าเติมไม่สำเร็จแล้ว',
    ...withReason,
    decide: (order, { reason }, { actor }, now) => failOrder(order, actor, reason, now),
  },
  release: {
    allow: 'order.work',
    label: 'คืนเข้าคิว',
    done: 'คืนเข้าคิวแล้ว',
    ...atOnce,
    decide: (order, _, { actor }, now) => releaseClaim(order, actor, now),
  },
  markPaid: {
    allow: 'order.work',
    allowLarge: 'order.markLargePaid',
    label: 'ได้รับเงินแล้ว…',
    question: 'ยืนยันว่าร้านได้รับเงินแล้ว',
    done: 'บันทึกการรับเงินแล้ว',
    needs: 'reason',
    isDanger: false,
    decide: (order, { reason }, { actor }, now) => markPaid(order, actor, reason, now),
  },
  claim: {
    allow: 'order.work',
    label: 'รับเรื่อง',
    done: 'รับเรื่องแล้ว',
    ...atOnce,
    decide: (order, _, { actor }, now) => claimOrder(order, actor, now),
  },
  complete: {
    allow: 'order.work',
    label: 'เติมสำเร็จ แจ้งลูกค้า',
    question: 'ยืนยันว่าเติมให้ลูกค้าแล้ว',
    done: 'บันทึกการเติมแล้ว',
    needs: 'deliveryReference',
    isDanger: false,
    decide: (order, { deliveryReference }, { actor, lapsedClaim }, now) =>
      completeOrder(order, actor, deliveryReference, now, lapsedClaim),
  },
}

/** Lists of orders that are paid already leave out how. */
type Commanded = Pick<Order, 'status' | 'claimedBy' | 'buyerUid' | 'priceSatang' | 'tailSatang'> &
  Partial<Pick<Order, 'payment'>> &
  Parameters<typeof isLeftToCancel>[0]

/** @param largeAboveSatang the two-person amount; a larger order needs a manager */
function mayGive(command: StaffCommand, order: Commanded, { role }: Actor, largeAboveSatang: Satang): boolean {
  const { allow, allowLarge = allow } = STAFF_COMMAND[command]
  return role !== 'system' && can(role, amountOf(order) > largeAboveSatang ? allowLarge : allow)
}

/** Returns the commands that a person's buttons may offer for an order. @param lapsedClaim see `lapsedClaimOf` */
export function staffCommandsOf(
  order: Commanded,
  actor: Actor,
  largeAboveSatang: Satang,
  lapsedClaim: string | null = null,
): StaffCommand[] {
  if (isOwnOrder(order, actor) || isClaimedByOther(order, actor)) return []
  const isLeft = (move: OrderMove) => {
    if (move === 'cancel') return isLeftToCancel(order)
    // Whether a gateway has the money, only the gateway can say.
    if (move === 'markPaid') return order.payment === undefined || !isGatewayMethod(order.payment)
    return move !== 'complete' || order.status !== 'paid' || mayCompleteLate(actor, lapsedClaim)
  }
  const moves = movesOf(order.status).filter(isLeft)
  return STAFF_COMMANDS.filter(command => moves.includes(command) && mayGive(command, order, actor, largeAboveSatang))
}

/** Decides a command of staff. @throws FORBIDDEN, OWN_ORDER, and the errors of the decision itself */
export function giveCommand(
  command: StaffCommand,
  order: Order,
  input: CommandInput,
  by: Giver & { largeAboveSatang: Satang },
  now: Date,
): OrderOutcome {
  if (isOwnOrder(order, by.actor)) throw new AppError('OWN_ORDER')
  if (!mayGive(command, order, by.actor, by.largeAboveSatang)) throw new AppError('FORBIDDEN')
  return STAFF_COMMAND[command].decide(order, input, by, now)
}

/**
 * Returns the command of a call that names only the wanted status; null when none leads there. Who wants an order
 * `refunded` means the refund, also where the money must still be sent. When the order already has that status, it
 * returns the command that led there, so that the refusal says what happened.
 */
export function commandTo(wanted: OrderStatus, from: OrderStatus): StaffCommand | null {
  const leads = (command: StaffCommand, status: OrderStatus) => {
    const next = ORDER_STATUS[status].moves[command]
    return next !== undefined && (next === wanted || ORDER_STATUS[next].moves.sendRefund === wanted)
  }
  return (
    STAFF_COMMANDS.find(command => leads(command, from)) ??
    STAFF_COMMANDS.findLast(command => ORDER_STATUSES.some(status => leads(command, status))) ??
    null
  )
}
