import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { satang, instant as time } from '../wire.ts'

export const getLost = endpoint({
  method: 'GET',
  path: '/romons.restore/api/lost',
  summary: 'Money that came in the time that a restored database has lost, as far as bank lines and slips tell of it',
  allow: 'order.work',
  reply: z.object({
    /** The time that is lost; null when nothing was. */
    from: time.nullable(),
    to: time.nullable(),
    /** Bank lines of that time of which no order is known. */
    lines: z.array(
      z.object({
        id: z.uuid(),
        at: time,
        amountSatang: satang,
        detail: z.string(),
        fromBank: z.string().nullable(),
        fromAccount: z.string().nullable(),
      }),
    ),
    /** Slips that were found as files only, until somebody has dealt with them. */
    slips: z.array(
      z.object({
        slipId: z.uuid(),
        createdAt: time,
        sendingBank: z.string().nullable(),
        bankReference: z.string().nullable(),
      }),
    ),
    /** What the supplier delivered and no order here knows, until somebody has dealt with it. */
    purchases: z.array(
      z.object({
        id: z.uuid(),
        reference: z.string(),
        theirId: z.string().nullable(),
        boughtAt: time.nullable(),
        product: z.string().nullable(),
        player: z.string().nullable(),
        costSatang: satang.nullable(),
      }),
    ),
  }),
})
export type Lost = z.output<typeof getLost.reply>

export const closeLostSlip = endpoint({
  method: 'POST',
  path: '/romons.restore/api/slip/:id/close',
  summary: 'Says that somebody has dealt with a slip that was found after a restore',
  allow: 'order.work',
  params: z.object({ id: z.uuid() }),
  body: z.object({ reason: line(500).min(1) }),
  reply: z.object({ id: z.uuid() }),
  errors: ['NOT_FOUND'],
})

export const closeLostPurchase = endpoint({
  method: 'POST',
  path: '/romons.restore/api/purchase/:id/close',
  summary: 'Says that somebody has dealt with a purchase that was found at the supplier after a restore',
  allow: 'order.work',
  params: z.object({ id: z.uuid() }),
  body: z.object({ reason: line(500).min(1) }),
  reply: z.object({ id: z.uuid() }),
  errors: ['NOT_FOUND'],
})
