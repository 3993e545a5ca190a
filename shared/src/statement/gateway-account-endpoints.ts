import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { GATEWAY_NAMES } from '../provider-names.ts'
import { page as pageOf, paging, satang, instant as time } from '../wire.ts'
import { GATEWAY_MOVES } from './gateway-move.ts'

const day = z.iso.date()
const gateway = z.enum(GATEWAY_NAMES)

/** A Bangkok day of what stands at a gateway. */
const dayOfGateway = z.object({
  day,
  /** The charges that were paid, with those that came too late. */
  charges: z.int(),
  /** The money of orders that they paid. */
  chargeSatang: satang,
  /** What buyers paid for the method. */
  surchargeSatang: satang,
  /** Money that came when its order did not wait for it; the shop owes it. */
  owed: z.int(),
  owedSatang: satang,
  /** What the gateway kept, of charges and of payouts; told later, it is of the day on which it was told. */
  feeSatang: satang,
  /** What was booked as its payouts on this day, whatever the day of the line, less what was taken back. */
  payouts: z.int(),
  payoutSatang: satang,
  /** What else moved there. */
  otherSatang: satang,
})
export type GatewayDay = z.output<typeof dayOfGateway>

export const getGatewayAccounts = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/reconciliation/gateways',
  summary:
    'What each payment gateway collected, kept, paid out and holds, per Bangkok day of the books; and what the last check found',
  allow: 'reconciliation.look',
  query: z.object({ from: day, to: day }),
  reply: z.object({
    /** Those that held money at the beginning, or had any on these days. */
    accounts: z.array(
      z.object({
        gateway,
        /** What it held before the first day. */
        openingSatang: satang,
        /** Those on which something moved, latest first. */
        days: z.array(dayOfGateway),
      }),
    ),
    /** The last comparison with the gateway's own list; null before the first one. */
    check: z
      .object({
        at: time,
        /** How many differences it found; the first of them are told, each with its order where that is known. */
        differences: z.int(),
        what: z.array(z.object({ text: z.string(), orderNo: z.string().nullable() })),
      })
      .nullable(),
    nowDate: time,
  }),
  errors: ['STATEMENT_PERIOD_INVALID'],
})
export type GatewayAccounts = z.output<typeof getGatewayAccounts.reply>

export const listGatewayMoves = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/reconciliation/gateways/moves',
  summary: 'Every movement of money at a gateway on a Bangkok day, oldest first, with its order or its statement line',
  allow: 'reconciliation.look',
  query: z.object({ gateway, day, ...paging }),
  reply: pageOf(
    z.object({
      at: time,
      move: z.enum(GATEWAY_MOVES),
      /** Positive for what the gateway then held more. */
      amountSatang: satang,
      orderNo: z.string().nullable(),
      line: z.object({ id: z.uuid(), no: z.int() }).nullable(),
    }),
  ),
  errors: ['STATEMENT_PERIOD_INVALID'],
})
