import * as z from 'zod'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { chargeSummary, chargeView } from '../gateway/fields.ts'
import { instant, satang } from '../wire.ts'
import { amountSatang } from './fields.ts'
import { TOP_UP_STATUSES } from './top-up.ts'

/** Top-ups of the caller's own wallet that are paid through the payment gateway. */

const id = z.uuid()
const method = z.enum(GATEWAY_METHODS)
const params = z.object({ id })

export const listTopUpMethods = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/topup/methods',
  summary: "The gateway's methods that a top-up can be paid by",
  allow: 'wallet.own',
  reply: z.array(
    z.object({
      code: method,
      name: z.string(),
      /** `MethodTerms`, with the limits of the gateway itself. */
      terms: z.object({
        leastSatang: satang,
        mostSatang: satang,
        surchargeBasisPoints: z.int(),
        surchargeSatang: satang,
        openingHours: z.string(),
      }),
    }),
  ),
})

export const addGatewayTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/topup/gateway',
  summary: "Begins a top-up of the caller's own wallet that is paid through the gateway",
  allow: 'wallet.own',
  idempotent: true,
  body: z.object({ amountSatang, method }),
  reply: z.object({ id, no: z.string() }),
  errors: [
    'WALLET_NOT_FOUND',
    'TOP_UP_ABOVE_ROOM',
    'TOP_UP_BELOW_MINIMUM',
    'PAYMENT_METHOD_NOT_ALLOWED',
    'AMOUNT_NOT_FOR_METHOD',
    'RATE_LIMITED',
    'SHOP_HOLDS',
  ],
})

export const getGatewayTopUp = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/topup/:id',
  summary: 'One such top-up with the newest try to pay it',
  allow: 'wallet.own',
  params,
  reply: z.object({
    id,
    no: z.string(),
    status: z.enum(TOP_UP_STATUSES),
    /** What comes onto the wallet. */
    amountSatang: satang,
    method,
    charge: chargeSummary.nullable(),
    createdDate: instant,
    expiresAt: instant,
    /** What is on the wallet now. */
    balanceSatang: satang,
    nowDate: instant,
  }),
  errors: ['NOT_FOUND'],
})
export type GatewayTopUp = z.output<typeof getGatewayTopUp.reply>

export const chargeTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/topup/:id/charge',
  summary: 'Asks the gateway to collect such a top-up by a method; a charge by another method is ended',
  allow: 'wallet.own',
  params,
  body: z.object({ method }),
  reply: chargeView,
  errors: [
    'NOT_FOUND',
    'TOP_UP_NOT_WAITING',
    'PAYMENT_METHOD_NOT_ALLOWED',
    'AMOUNT_NOT_FOR_METHOD',
    'GATEWAY_UNAVAILABLE',
    'RATE_LIMITED',
    'SHOP_HOLDS',
  ],
})

export const getTopUpCharge = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/topup/:id/charge',
  summary: 'The newest charge for such a top-up, with what its owner pays it by',
  allow: 'wallet.own',
  params,
  reply: chargeView.nullable(),
  errors: ['NOT_FOUND'],
})
