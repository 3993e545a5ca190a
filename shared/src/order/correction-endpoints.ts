import * as z from 'zod'
import { playerField } from '../catalogue/endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { line, typedMail } from '../line.ts'
import { orderView } from './endpoints.ts'
import { orderNo } from './own-endpoints.ts'
import { playerValues } from './request.ts'
import { ORDER_STATUSES } from './status.ts'

/** Returns the player inputs of an order's game as they are asked for now. */
export const listPlayerFields = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/playerfields/:orderNo',
  summary:
    "The player inputs of an order's game as they are asked for now, for its buyer and for staff; none for codes",
  allow: 'order.own',
  params: z.object({ orderNo }),
  reply: z.array(playerField),
  errors: ['ORDER_NOT_FOUND'],
})

export const proposePlayer = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/proposeplayer/:orderNo',
  summary: 'The buyer of an order whose top-up failed says whom to top up instead; staff decide',
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: z.object(playerValues),
  reply: orderView,
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_STATUS_NOT_ALLOWED',
    'PLAYER_FIELD_REQUIRED',
    'PLAYER_NOT_FOUND',
    'SAME_PLAYER',
    'TOO_MANY_CORRECTIONS',
    'RATE_LIMITED',
  ],
})

export const askRefund = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/askrefund/:orderNo',
  summary:
    'The buyer of an order whose top-up failed asks for the money back; staff decide, and asking again changes nothing',
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: z.object({}),
  reply: orderView,
  errors: ['ORDER_NOT_FOUND', 'ORDER_STATUS_NOT_ALLOWED'],
})

export const giveNewsAddress = endpoint({
  method: 'PUT',
  path: '/romons.order/api/order/newsaddress/:orderNo',
  summary: 'Where a guest wants to be told by mail what becomes of an order whose top-up failed',
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: z.object({ address: typedMail() }),
  reply: orderView,
  errors: ['ORDER_NOT_FOUND', 'ORDER_STATUS_NOT_ALLOWED', 'RATE_LIMITED'],
})

export const redoOrder = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/redo',
  summary:
    'Puts an order that failed among the paid ones again, for a player whom its buyer named, or by a manager for another; no money moves. Codes are for no player ("-")',
  allow: 'order.work',
  secondWord: 'runs',
  body: z.object({
    orderNo,
    ...playerValues,
    /** Why it is delivered to a player whom the buyer did not name; the buyer can read it. */
    reason: line(200).optional(),
  }),
  reply: z.object({ orderNo, status: z.enum(ORDER_STATUSES) }),
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_STATUS_NOT_ALLOWED',
    'OWN_ORDER',
    'GOODS_MAY_HAVE_ARRIVED',
    'REDO_OTHER_PLAYER',
    'SECOND_WORD_NEEDED',
    'REASON_REQUIRED',
    'PLAYER_FIELD_REQUIRED',
    'PLAYER_NOT_FOUND',
  ],
})
