import * as z from 'zod'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { chargeView } from '../gateway/fields.ts'
import { orderView } from './endpoints.ts'
import { orderNo } from './own-endpoints.ts'
import { BUYING_ERRORS, CREDIT_ERRORS, orderRequest, REQUEST_ERRORS, withCredit } from './request.ts'

const params = z.object({ orderNo })

export const chargeOrder = endpoint({
  method: 'POST',
  path: '/romons.payment/api/orders/:orderNo/charge',
  summary: 'Asks the gateway to collect an unpaid order by a method; a charge by another method is ended',
  allow: 'order.create',
  params,
  body: z.object({ method: z.enum(GATEWAY_METHODS) }),
  reply: chargeView,
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_STATUS_NOT_ALLOWED',
    'PAYMENT_METHOD_NOT_ALLOWED',
    'AMOUNT_NOT_FOR_METHOD',
    'GATEWAY_UNAVAILABLE',
    'RATE_LIMITED',
    'SHOP_HOLDS',
  ],
})

export const transferInstead = endpoint({
  method: 'POST',
  path: '/romons.payment/api/orders/:orderNo/transfer',
  summary: 'Has an unpaid order of the gateway paid by a bank transfer instead; its charges are ended. Once is enough',
  allow: 'order.create',
  params,
  reply: orderView,
  errors: [
    'ORDER_NOT_FOUND',
    'FORBIDDEN',
    'ORDER_STATUS_NOT_ALLOWED',
    'RECEIVING_ACCOUNT_NOT_FOUND',
    'AMOUNTS_EXHAUSTED',
    'ACCOUNT_AMOUNTS_EXHAUSTED',
    'RATE_LIMITED',
    'SHOP_HOLDS',
  ],
})

export const getCharge = endpoint({
  method: 'GET',
  path: '/romons.payment/api/orders/:orderNo/charge',
  summary: 'The newest charge for an order, with what its buyer pays it by',
  allow: 'order.create',
  params,
  reply: chargeView.nullable(),
  errors: ['ORDER_NOT_FOUND'],
})

export const confirmCharge = endpoint({
  method: 'POST',
  path: '/romons.payment/api/confirmcharge',
  summary: 'Places an order that is paid through the payment gateway; it is charged for by chargeOrder',
  allow: 'order.create',
  idempotent: true,
  body: orderRequest.extend({
    payment: z.enum(GATEWAY_METHODS),
    ...withCredit,
    /** Version of the terms the customer accepted. */
    termsVersion: z.string().min(1).max(20),
  }),
  reply: orderView,
  errors: [
    ...REQUEST_ERRORS,
    ...BUYING_ERRORS,
    ...CREDIT_ERRORS,
    'AMOUNT_NOT_FOR_METHOD',
    'UNPAID_ORDER_EXISTS',
    'TOO_MANY_UNPAID',
  ],
})
