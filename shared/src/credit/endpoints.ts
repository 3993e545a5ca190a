import * as z from 'zod'
import { pin } from '../account/fields.ts'
import { PIN_ERRORS, pinState } from '../account/pin-endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { orderView } from '../order/endpoints.ts'
import { payee } from '../order/fields.ts'
import { orderNo } from '../order/own-endpoints.ts'
import { payeeEnd } from '../order/payee.ts'
import { CREDIT_ERRORS, orderRequest, REQUEST_ERRORS } from '../order/request.ts'
import { owedRefund } from '../statement/refund-endpoints.ts'
import { keysOf } from '../table.ts'
import { satang, instant as time } from '../wire.ts'
import { CREDIT_MOVES } from './credit.ts'

/** Credit that its owner wants as a transfer. It is the account's, whatever orders the credit came from. */
const withdrawal = z.object({
  id: z.uuid(),
  amountSatang: satang,
  askedAt: time,
  payee: payeeEnd.nullable(),
  /** null while the shop has not sent it. */
  sentAt: time.nullable(),
  /** The slip of the transfer that sent it. */
  slipId: z.uuid().nullable(),
})
export type Withdrawal = z.output<typeof withdrawal>

const creditView = z.object({
  balanceSatang: satang,
  /** What leaves takes the PIN once it is more than this since the PIN was last typed. */
  pinAboveSatang: satang,
  /** So much may still be spent before the PIN is asked for. */
  withoutPinSatang: satang,
  /** Until when nothing can be withdrawn, because the shop has just set a password or PIN of the account. */
  restsUntil: time.nullable(),
  /** The latest ones, newest first. */
  withdrawals: z.array(withdrawal),
  /** How the tries at the PIN stand; null while none is set. */
  pin: pinState.nullable(),
  nowDate: time,
})
export type CreditView = z.output<typeof creditView>

export const getCredit = endpoint({
  method: 'GET',
  path: '/romons.payment/api/credit',
  summary: "The caller's shop credit, and when using it takes the PIN",
  allow: 'credit.own',
  reply: creditView,
})

const creditMove = z.object({
  id: z.uuid(),
  at: time,
  move: z.enum(keysOf(CREDIT_MOVES)),
  /** Above zero for what came. */
  amountSatang: z.int(),
  orderNo: orderNo.nullable(),
})
export type CreditMoveRow = z.output<typeof creditMove>

export const listCreditMoves = endpoint({
  method: 'GET',
  path: '/romons.payment/api/credit/moves',
  summary: "What came to the caller's shop credit and went from it, newest first",
  allow: 'credit.own',
  query: z.object({
    /** `next` of the page before. */
    after: z.uuid().optional(),
  }),
  reply: z.object({
    rows: z.array(creditMove),
    /** Where the next page begins; null after the last one. */
    next: z.uuid().nullable(),
  }),
})

export const takeRefundAsCredit = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/refundcredit/:orderNo',
  summary:
    'The buyer of an order takes the money that the shop owes them for it as shop credit: at once, or once a second person has agreed',
  allow: 'credit.own',
  idempotent: true,
  params: z.object({ orderNo }),
  reply: orderView,
  errors: [
    'ORDER_NOT_FOUND',
    'NOTHING_TO_REFUND',
    'CREDIT_OFF',
    'CREDIT_UNPROVEN',
    'CREDIT_NOT_BUYERS',
    'SHOP_HOLDS',
    'RATE_LIMITED',
  ],
})

export const creditOwedRefund = endpoint({
  method: 'POST',
  path: '/romons.payment/api/refunds/:id/credit',
  summary: 'Pays owed money as shop credit, where its owner has asked for that',
  allow: 'order.refund',
  secondWord: 'runs',
  idempotent: true,
  params: z.object({ id: z.uuid() }),
  body: z.object({
    /** The version of the payee that the caller has looked at. */
    payeeVersion: z.int().min(0),
  }),
  reply: owedRefund,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'CREDIT_NOT_ASKED',
    'PAYEE_CHANGED',
    'OWN_ORDER',
    'SET_OWNERS_SECRET',
    'SECOND_WORD_NEEDED',
  ],
})

/** Why money of shop credit is not sent where its owner wants it. */
const WITHDRAWAL_ERRORS = [
  'CREDIT_RESTS',
  'CREDIT_PIN_NOT_SET',
  'PIN_WRONG',
  ...PIN_ERRORS,
  'SHOP_HOLDS',
  'RATE_LIMITED',
] as const

export const withdrawCredit = endpoint({
  method: 'POST',
  path: '/romons.payment/api/credit/withdraw',
  summary:
    'Turns all of the shop credit back into the refund that it was: the shop sends it to a bank account. It always takes the PIN',
  allow: 'credit.own',
  idempotent: true,
  body: payee.safeExtend({ pin }),
  reply: creditView,
  errors: ['CREDIT_TOO_LOW', ...WITHDRAWAL_ERRORS],
})

export const giveWithdrawalPayee = endpoint({
  method: 'POST',
  path: '/romons.payment/api/credit/withdraw/:id/payee',
  summary: 'The owner of shop credit names another account for a withdrawal that was not sent yet; it takes the PIN',
  allow: 'credit.own',
  params: z.object({ id: z.uuid() }),
  body: payee.safeExtend({ pin }),
  reply: creditView,
  errors: ['NOT_FOUND', 'CONFLICT', ...WITHDRAWAL_ERRORS],
})

export const confirmCredit = endpoint({
  method: 'POST',
  path: '/romons.payment/api/confirmcredit',
  summary: "Buys with the caller's shop credit alone: debit and order in one transaction",
  allow: 'credit.own',
  idempotent: true,
  body: orderRequest.extend({
    pin: pin.optional(),
    /** Version of the terms the customer accepted. */
    termsVersion: z.string().min(1).max(20),
  }),
  reply: orderView,
  errors: [...REQUEST_ERRORS, ...CREDIT_ERRORS, 'PAYMENT_METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'SHOP_HOLDS'],
})
