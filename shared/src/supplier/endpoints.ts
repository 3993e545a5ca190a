import * as z from 'zod'
import { DELIVERS_KINDS } from '../catalogue/delivers.ts'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { SUPPLIER_NAMES } from '../provider-names.ts'
import { keysOf } from '../table.ts'
import { satang, instant as time } from '../wire.ts'
import { ATTEMPT_STATES, REJECTION } from './supplier.ts'

const stopped = z.object({ reason: z.enum(keysOf(REJECTION)), at: time })

export const getSupplier = endpoint({
  method: 'GET',
  path: '/romons.supplier/api/state',
  summary: 'Whether orders are delivered through suppliers now, and what waits for staff; polled by open pages',
  allow: 'supplier.look',
  reply: z.object({
    /** Those that are configured. */
    suppliers: z.array(
      z.object({
        name: z.string(),
        isOn: z.boolean(),
        /** Why and since when it refuses the shop; what nobody else can deliver stays paid in the meantime. */
        stopped: stopped.nullable(),
        /** Until when it rests after too many unclear answers. */
        brokenUntil: time.nullable(),
        isBalanceLow: z.boolean(),
      }),
    ),
    /** The number of paid orders that would be delivered if all were on. */
    waitingOrders: z.int(),
    /** The orders whose outcome staff must find out. */
    unclearOrderNos: z.array(z.string()),
  }),
})

const name = z.enum(SUPPLIER_NAMES)

const capabilities = z.object({
  currency: z.string(),
  ownReference: z.boolean(),
  findByReference: z.boolean(),
  refusesRepeats: z.boolean(),
  validates: z.enum(['none', 'optional', 'required']),
  callback: z.enum(['none', 'unsigned', 'signed']),
  delivers: z.array(z.enum(DELIVERS_KINDS)),
  mostPieces: z.int().nullable(),
})

const settings = z.object({
  name: z.enum(SUPPLIER_NAMES),
  capabilities,
  isOn: z.boolean(),
  stopped: stopped.nullable(),
  brokenUntil: time.nullable(),
  lastCallbackAt: time.nullable(),
  balanceSatang: satang.nullable(),
  balanceAt: time.nullable(),
  lowBalanceSatang: satang,
  lastError: z.string().nullable(),
  lastErrorAt: time.nullable(),
})
export type SupplierSettings = z.output<typeof settings>

export const getSupplierSettings = endpoint({
  method: 'GET',
  path: '/romons.supplier/api/settings',
  summary: 'The suppliers, the money with them, and their last troubles',
  allow: 'supplier.manage',
  reply: z.object({ suppliers: z.array(settings), waitingOrders: z.int() }),
})

export const saveSupplier = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/save',
  summary: 'Switches buying on or off; switched on, a stop ends and what waited goes on',
  allow: 'supplier.manage',
  body: z.object({ name, isOn: z.boolean(), lowBalanceSatang: satang.min(0).max(1_000_000_00) }),
  reply: settings,
  errors: ['SUPPLIER_OFF'],
})

export const testSupplier = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/test',
  summary: 'Asks a supplier for the balance, to see whether it answers',
  allow: 'supplier.manage',
  body: z.object({ name }),
  reply: settings,
  errors: ['SUPPLIER_OFF', 'SUPPLIER_SILENT'],
})

const product = z.object({
  sku: z.string(),
  name: z.string(),
  delivers: z.enum(DELIVERS_KINDS),
  /** As the supplier writes it. */
  price: z.string(),
  currency: z.string(),
  region: z.string(),
  costSatang: satang.nullable(),
  fields: z.array(z.string()),
  isInStock: z.boolean(),
})
export type ListedProduct = z.output<typeof product>

export const listSupplierProducts = endpoint({
  method: 'GET',
  path: '/romons.supplier/api/products',
  summary: 'What a supplier sells, and for how much',
  allow: 'supplier.manage',
  query: z.object({ name }),
  reply: z.array(product),
  errors: ['SUPPLIER_OFF', 'SUPPLIER_SILENT'],
})

const counts = z.object({
  sent: z.int(),
  /** Those that brought goods, and those whose outcome is known. */
  delivered: z.int(),
  settled: z.int(),
})

const health = z.object({
  name,
  isOn: z.boolean(),
  stopped: stopped.nullable(),
  brokenUntil: time.nullable(),
  callback: capabilities.shape.callback,
  lastCallbackAt: time.nullable(),
  /** null while it never told. */
  balanceSatang: satang.nullable(),
  balanceAt: time.nullable(),
  isBalanceLow: z.boolean(),
  lastError: z.string().nullable(),
  lastErrorAt: time.nullable(),
  /** The purchases of this Bangkok day, and of seven days with it. */
  day: counts,
  week: counts,
  /** From sending a purchase to its goods, of the week's; null without any. */
  medianSeconds: z.number().nullable(),
  /** The orders whose outcome staff must find out. */
  unclearOrderNos: z.array(z.string()),
})
export type SupplierHealth = z.output<typeof health>

export const getSupplierHealth = endpoint({
  method: 'GET',
  path: '/romons.supplier/api/health',
  summary: 'How each supplier does: money, share and speed of deliveries, rests and errors',
  allow: 'supplier.manage',
  reply: z.object({ suppliers: z.array(health), nowDate: time }),
})

/** The purchases for an order, as staff see them. */
export const deliveryView = z.object({
  quantity: z.int(),
  /** Its pieces that came, from wherever. */
  broughtPieces: z.int(),
  /** Those of them that are codes of the shop's own stock. */
  stockPieces: z.int(),
  /** The source that is asked next, by its `SourceName`; null when nothing follows. */
  next: z.string().nullable(),
  /** What would go back to the wallet if it ended with the pieces that came; null when it can't. */
  reduction: z.object({ missingPieces: z.int(), backSatang: satang }).nullable(),
  /** Whether the outcome of a purchase is unknown, so that the goods may still come. */
  isOpen: z.boolean(),
  canRetry: z.boolean(),
  attempts: z.array(
    z.object({
      id: z.uuid(),
      reference: z.string(),
      theirId: z.string().nullable(),
      supplier: z.string(),
      quantity: z.int(),
      broughtPieces: z.int(),
      state: z.enum(ATTEMPT_STATES),
      reason: z.string().nullable(),
      /** Its cost; null for callers who may not see costs. */
      costSatang: satang.nullable(),
      sentAt: time,
      settledAt: time.nullable(),
      /** Why staff must look at it. */
      staffCall: z.string().nullable(),
      contradiction: z.enum(ATTEMPT_STATES).nullable(),
      /** Whether the caller took the risk or refunded the order, so that somebody else must check the contradiction. */
      isOwnRisk: z.boolean(),
      overruledReason: z.string().nullable(),
      answers: z.array(
        z.object({
          asked: z.enum(['place', 'status']),
          at: time,
          answer: z.string(),
          httpStatus: z.int().nullable(),
          code: z.string().nullable(),
          message: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type DeliveryView = z.output<typeof deliveryView>

const orderNo = line(20).min(1)
const done = z.object({ orderNo: z.string() })

export const retryDelivery = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/retry',
  summary: 'Buys again for a paid order whose last purchase was clearly refused',
  allow: 'order.work',
  body: z.object({ orderNo }),
  reply: done,
  errors: ['ORDER_NOT_FOUND', 'OWN_ORDER', 'SUPPLIER_OFF', 'DELIVERY_NOT_RETRIABLE', 'MONEY_NOT_PROVEN'],
})

export const reduceDelivery = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/reduce',
  summary: 'Ends an order with the pieces that came, and gives back to the wallet what the others cost',
  allow: 'order.refund',
  secondWord: 'runs',
  /** `broughtPieces` as its caller saw them; with another number by now nothing is done. */
  body: z.object({ orderNo, broughtPieces: z.int().positive() }),
  reply: done,
  errors: [
    'ORDER_NOT_FOUND',
    'OWN_ORDER',
    'ORDER_STATUS_NOT_ALLOWED',
    'ORDER_CLAIMED_BY_OTHER',
    'DELIVERY_NOT_ENDED',
    'PIECES_CHANGED',
    'SECOND_WORD_NEEDED',
  ],
})

export const askDelivery = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/ask',
  summary: 'Asks the supplier once more what became of an order',
  allow: 'order.work',
  body: z.object({ orderNo }),
  reply: done,
  errors: ['ORDER_NOT_FOUND', 'SUPPLIER_OFF', 'DELIVERY_NOT_RETRIABLE'],
})

export const seeContradiction = endpoint({
  method: 'POST',
  path: '/romons.supplier/api/seen',
  summary:
    'Says that somebody has seen to what the supplier contradicted: another than who went on in spite of it or gave the money back',
  allow: 'order.refund',
  body: z.object({ orderNo, reason: line(500).min(1) }),
  reply: done,
  errors: ['ORDER_NOT_FOUND', 'DELIVERY_NOT_RETRIABLE', 'CONTRADICTION_OWN', 'OWN_ORDER'],
})
