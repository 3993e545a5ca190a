import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { rowId as id, satang, instant as time } from '../wire.ts'
import { orderNo } from './own-endpoints.ts'
import { MAX_CLAIMED_AT_ONCE, QUEUE_GROUPS, QUEUED } from './queue.ts'
import { STAFF_COMMANDS } from './status.ts'

const queueRow = z.object({
  orderNo,
  queueNo: z.number().int(),
  group: z.enum(QUEUE_GROUPS),
  status: z.enum(QUEUED),
  gameId: id,
  gameName: z.string(),
  gamePicture: z.string(),
  packageName: z.string(),
  quantity: z.number().int(),
  playerId: z.string(),
  amountSatang: satang,
  paidAt: time,
  /** Since when its buyer waits: when the money came, according to the bank or its slip; at the latest `paidAt`. */
  waitsSince: time,
  usualMinutes: z.object({ from: z.number().int(), to: z.number().int() }),
  claimedBy: z.string().nullable(),
  claimedByName: z.string().nullable(),
  /** Whether it is paid on one person's word alone, and so not sent to the supplier yet. */
  isHeld: z.boolean(),
  /** The commands that the caller may give. */
  commands: z.array(z.enum(STAFF_COMMANDS)),
})
export type QueueRow = z.output<typeof queueRow>

export const listQueue = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/queue',
  summary: "Orders to deliver: the caller's, nobody's, others', each oldest first, at most 100 of a group",
  allow: 'order.list',
  query: z.object({
    group: z.enum(QUEUE_GROUPS).optional(),
    /** Part of an order number or player id, or a whole queue number. */
    text: typed().max(100).optional(),
    /** `version` of the answer that the caller already has. */
    since: z.string().max(64).optional(),
  }),
  reply: z.object({
    version: z.string(),
    /** null when nothing has changed since that answer. */
    list: z.object({ rows: z.array(queueRow), counts: z.record(z.enum(QUEUE_GROUPS), z.number().int()) }).nullable(),
    nowDate: time,
  }),
})

export const claimOrders = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/claim',
  summary: 'Claims several orders, each for itself: what somebody else was faster at is told with who has it',
  allow: 'order.work',
  body: z.object({ orderNos: z.array(orderNo).min(1).max(MAX_CLAIMED_AT_ONCE) }),
  reply: z.object({
    claimed: z.array(orderNo),
    /** `message` is a text for people. */
    refused: z.array(z.object({ orderNo, code: z.string(), message: z.string() })),
  }),
})

export const renewClaim = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/renewclaim',
  summary: "Says that the caller is still at an order: its claim's lease, and of those claimed with it, begins anew",
  allow: 'order.work',
  body: z.object({ orderNo }),
  /** null when the caller has no claim on it. */
  reply: z.object({ claimUntil: time.nullable() }),
})
