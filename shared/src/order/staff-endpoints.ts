import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { otherOfSlip, slipVerdict, usedTransfer } from '../slipcheck/verdict-view.ts'
import { deliveryView } from '../supplier/endpoints.ts'
import { satang, instant as time } from '../wire.ts'
import { buyer, orderView, timelineEvent } from './endpoints.ts'
import { orderNo } from './own-endpoints.ts'
import { ORDER_STATUSES, STAFF_COMMANDS } from './status.ts'

export const getOrderForStaff = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/managedetails/:orderNo',
  summary: 'One order with everything staff decide by',
  allow: 'order.look',
  params: z.object({ orderNo }),
  reply: orderView.omit({ trackToken: true, promptPay: true, timeline: true }).extend({
    buyer: buyer.extend({
      uid: z.string().nullable(),
      /** Ways they sign in. */
      providers: z.array(z.string()),
      /** Orders that were delivered to them. */
      finishedCount: z.number().int(),
    }),
    claimedBy: z.string().nullable(),
    claimedByName: z.string().nullable(),
    claimedAt: time.nullable(),
    /** The claim's lease ends then, unless it is renewed. */
    claimUntil: time.nullable(),
    /** Whether the caller may have it topped up again, see `redoOrder`. */
    canRedo: z.boolean(),
    /** Paid by one person's word alone, and so not sent to the supplier yet; null when it is not kept back. */
    hold: z
      .object({
        heldByName: z.string().nullable(),
        /** The file that alone tells of its money and waits for a second person; null where a person said it came. */
        file: z.object({ id: z.uuid(), name: z.string() }).nullable(),
        /** Why the caller is not to be the second person; null when they may confirm the money. */
        whyNot: z.string().nullable(),
      })
      .nullable(),
    /** What the caller may do to it. */
    commands: z.array(z.enum(STAFF_COMMANDS)),
    /** Of an expired order: the one that has its transfer amount now. A late transfer may be for either. */
    sameAmountOrderNo: orderNo.nullable(),
    /** The line of a bank statement that shows its money. */
    statementLine: z
      .object({ id: z.uuid(), amountSatang: satang, day: z.string(), at: time.nullable(), detail: z.string() })
      .nullable(),
    /** What the check of its slip found; null when there was none. */
    slipVerdict: z.nullable(slipVerdict),
    /** Its purchases from a supplier; null when there were none. */
    delivery: z.nullable(deliveryView),
    /** What else its slip was handed in for. */
    slipOthers: z.array(otherOfSlip),
    /** What may have its money already, where it is still to be marked paid. */
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
