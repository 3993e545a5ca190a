import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant as time } from '../wire.ts'

export const getSlipService = endpoint({
  method: 'GET',
  path: '/romons.payment/api/slip/service',
  summary: 'How the checking of slips is doing: who checks, how much of the month is used, and whether it has stopped',
  allow: 'order.list',
  reply: z.object({
    /** null = slips are not checked. */
    provider: z.string().nullable(),
    /** Verdicts are shown, and nothing is marked paid. */
    isShadow: z.boolean(),
    usedThisMonth: z.number().int(),
    monthlyQuota: z.number().int(),
    /** Four fifths of the month's quota are used. */
    isQuotaLow: z.boolean(),
    /** The provider refused us, so it is not asked before this moment. */
    stopped: z.object({ code: z.string().nullable(), until: time }).nullable(),
    nowDate: time,
  }),
})
