import * as z from 'zod'
import { PAYMENT_CODES } from '../catalogue/payment-method.ts'
import { SALE_CHANNELS } from '../dashboard/channel.ts'
import { line } from '../line.ts'
import { rowIdParam } from '../wire.ts'

/** What a number of the sales dashboard is made of, so that its orders can be listed. */
export const soldFilters = {
  /** The first and the last Bangkok day of payment. */
  paidFrom: z.iso.date().optional(),
  paidTo: z.iso.date().optional(),
  package: rowIdParam.optional(),
  payment: z.enum(PAYMENT_CODES).optional(),
  channel: z.enum(SALE_CHANNELS).optional(),
  /** The uid of who bought. */
  buyer: line(128).optional(),
}
