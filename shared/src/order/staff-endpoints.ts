import * as z from 'zod'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { otherOfSlip, slipVerdict, usedTransfer } from '../slipcheck/verdict-view.ts'
import { deliveryView } from '../supplier/endpoints.ts'
import { satang, instant as time } from '../wire.ts'
import { buyer, orderView, timelineEvent } from './endpoints.ts'
import { orderNo } from './own-endpoints.ts'
import { ORDER_STATUSES, STAFF_COMMANDS } from './status.ts'

/** What only an order's buyer needs, and what staff are told in another way. */
const FOR_BUYERS = {
  trackToken: true,
  promptPay: true,
  ahead: true,
  expected: true,
  codes: true,
  timeline: true,
} as const

export const getOrderForStaff = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/managedetails/:orderNo',
  summary: 'One order with everything staff decide by',
  allow: 'order.look',
  params: z.object({ orderNo }),
  reply: orderView.omit(FOR_BUYERS).extend({
    /** Its place in the order of payments; null until it is first paid. */
    queueNo: z.int().nullable(),
    buyer: buyer.extend({
      uid: z.string().nullable(),
      /** The ways in which they sign in. */
      providers: z.array(z.string()),
      /** The number of orders that were delivered to them. */
      finishedCount: z.number().int(),
    }),
    claimedBy: z.string().nullable(),
    claimedByName: z.string().nullable(),
    claimedAt: time.nullable(),
    /** When the claim ends unless it is renewed. */
    claimUntil: time.nullable(),
    /** Whether the caller may have it delivered again, see `redoOrder`. */
    canRedo: z.boolean(),
    /** Why it is not sent to the supplier yet: it is paid on one person's word alone. null when nothing holds it. */
    hold: z
      .object({
        heldByName: z.string().nullable(),
        /**
         * The file that is the only proof of its money and waits for a second person; null when a person said that it
         * came.
         */
        file: z.object({ id: z.uuid(), name: z.string() }).nullable(),
        /** Why the caller can't be the second person; null when they may confirm the money. */
        whyNot: z.string().nullable(),
      })
      .nullable(),
    /** The commands that the caller may give. */
    commands: z.array(z.enum(STAFF_COMMANDS)),
    /** For an expired order: the order that has its transfer amount now, because a late transfer may be for either. */
    sameAmountOrderNo: orderNo.nullable(),
    /** The statement line with its money. */
    statementLine: z
      .object({ id: z.uuid(), amountSatang: satang, day: z.string(), at: time.nullable(), detail: z.string() })
      .nullable(),
    /** What the gateway collected for it, the oldest first; several when it was paid more than once. */
    charges: z.array(
      z.object({
        method: z.enum(GATEWAY_METHODS),
        /** All that the buyer paid, with `surchargeSatang`. */
        amountSatang: satang,
        surchargeSatang: satang,
        /** What the gateway keeps of it; null while it has not said so. */
        feeSatang: satang.nullable(),
        /** Whether the order did not wait for it, so that the shop owes it. */
        isOwed: z.boolean(),
        paidAt: time,
      }),
    ),
    /** The result of its slip's check; null when there was none. */
    slipVerdict: z.nullable(slipVerdict),
    /** Whether its package delivers codes. */
    hasCodes: z.boolean(),
    /** Its purchases from a supplier; null when there were none. */
    delivery: z.nullable(deliveryView),
    /** Other things that its slip was handed in for. */
    slipOthers: z.array(otherOfSlip),
    /** What may already have its money, while it can still be marked paid. */
    maybeUsedBy: z.array(usedTransfer),
    timeline: z.array(
      timelineEvent.extend({
        from: z.enum(ORDER_STATUSES).nullable(),
        actorName: z.string().nullable(),
        actorRole: z.string(),
      }),
    ),
  }),
  errors: ['ORDER_NOT_FOUND'],
})
export type StaffOrderView = z.output<typeof getOrderForStaff.reply>
