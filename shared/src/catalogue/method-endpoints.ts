import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line, typed } from '../line.ts'
import { GATEWAY_NAMES } from '../provider-names.ts'
import { HOURS } from '../time.ts'
import { satang } from '../wire.ts'
import { GATEWAY_METHODS, PAYMENT_CODES, PAYMENT_KINDS } from './payment-method.ts'
import { MOST_PRICE_SATANG } from './price-editing.ts'

const namedMethod = z.object({ code: z.enum(PAYMENT_CODES), name: line(50).min(1) })
export const savePaymentMethods = endpoint({
  method: 'POST',
  path: '/romons.payment/api/paymentmethods/save',
  summary: 'Sets the names of the payment methods and their order',
  allow: 'settings.pay',
  body: z.object({
    methods: z.array(namedMethod).min(1).max(PAYMENT_CODES.length),
    /** The list that the edit is based on. */
    seen: z.array(namedMethod),
  }),
  reply: z.array(namedMethod),
  /** CONFLICT: `details.current` is the list that is there now. */
  errors: ['CONFLICT', 'INVALID_INPUT'],
})

/** What the owner may ask of buyers for a method; more would drive them away, and is rather a slip of the finger. */
export const MOST_SURCHARGE_BASIS_POINTS = 1000
export const MOST_SURCHARGE_SATANG = 100_00

const limit = satang.min(1).max(MOST_PRICE_SATANG).nullable()
/** `MethodTerms` */
const terms = z.object({
  isOn: z.boolean(),
  leastSatang: limit,
  mostSatang: limit,
  surchargeBasisPoints: z.int().min(0).max(MOST_SURCHARGE_BASIS_POINTS),
  surchargeSatang: satang.min(0).max(MOST_SURCHARGE_SATANG),
  openingHours: z.union([z.literal(''), typed().regex(HOURS)], 'เวลาเปิด-ปิด เช่น 09:00-23:00'),
})

const managedMethod = namedMethod.extend({
  kind: z.enum(PAYMENT_KINDS),
  /** Only of a method of the payment gateway. */
  gateway: z
    .object({
      terms,
      /** What the gateway itself takes; null when it is not configured or does not collect by this method. */
      takes: z.object({ leastSatang: satang, mostSatang: satang }).nullable(),
    })
    .nullable(),
})
export type ManagedMethod = z.output<typeof managedMethod>

export const listManagedMethods = endpoint({
  method: 'GET',
  path: '/romons.payment/api/paymentmethods/managed',
  summary: 'Every payment method, in order, also those that are off',
  allow: 'settings.pay',
  reply: z.object({
    /** The payment gateway that the shop uses; null without one. */
    gateway: z.enum(GATEWAY_NAMES).nullable(),
    methods: z.array(managedMethod),
  }),
})

export const saveMethodTerms = endpoint({
  method: 'POST',
  path: '/romons.payment/api/paymentmethods/saveterms',
  summary: 'Sets when and for what a method of the payment gateway may be used, and what it costs the buyer',
  allow: 'settings.pay',
  body: z.object({
    code: z.enum(GATEWAY_METHODS),
    terms: terms.refine(
      ({ leastSatang, mostSatang }) => leastSatang === null || mostSatang === null || leastSatang <= mostSatang,
      { path: ['mostSatang'], message: 'ยอดสูงสุดต้องไม่น้อยกว่ายอดต่ำสุด' },
    ),
    /** The terms that the edit is based on. */
    seen: terms,
  }),
  reply: terms,
  /** CONFLICT: `details.current` are the terms that are there now. */
  errors: ['NOT_FOUND', 'GATEWAY_METHOD_OFF', 'CONFLICT', 'INVALID_INPUT'],
})
