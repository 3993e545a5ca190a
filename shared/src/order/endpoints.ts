import * as z from 'zod'
import { pin } from '../account/fields.ts'
import { PIN_ERRORS } from '../account/pin-endpoints.ts'
import { DELIVERS_KINDS } from '../catalogue/delivers.ts'
import { playerField, receivingAccount } from '../catalogue/endpoints.ts'
import { playerText } from '../catalogue/fields.ts'
import { PAYMENT_CODES } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { chargeSummary } from '../gateway/fields.ts'
import { line, typed } from '../line.ts'
import { slipCheckState } from '../slipcheck/slip-check.ts'
import { rowId as id, page, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { orderCodes } from './codes.ts'
import { ORDER_SORTS, SHORTEST_SEARCH, WAITING_FOR } from './history.ts'
import { historyQuery, historyRow, orderNo, status } from './own-endpoints.ts'
import { payeeEnd } from './payee.ts'
import { PAYEE_FITS } from './payer.ts'
import {
  BUYING_ERRORS,
  CREDIT_ERRORS,
  creditSatang,
  OFFER_ERRORS,
  orderRequest,
  REQUEST_ERRORS,
  withCredit,
} from './request.ts'
import { soldFilters } from './sold-filters.ts'
import { EVENT_KINDS, STAFF_COMMANDS } from './status.ts'

const priceParams = z.object({
  gameCode: z.string().min(1).max(50),
  packageId: rowIdParam,
  playerId: playerText.min(1),
  paymentCode: z.enum(PAYMENT_CODES),
})

const AMOUNTS = ['RECEIVING_ACCOUNT_NOT_FOUND', 'ACCOUNT_AMOUNTS_EXHAUSTED', 'AMOUNTS_EXHAUSTED'] as const
/** Why somebody gets no amount to transfer, on hold or for an order. */
const AMOUNT_ERRORS = [...BUYING_ERRORS, ...AMOUNTS] as const

export const getPrice = endpoint({
  method: 'GET',
  path: '/romons.payment/api/getprice/:gameCode/:packageId/:playerId/:paymentCode',
  summary: 'The price in force for the caller; changes nothing',
  allow: 'catalogue.browse',
  forOthers: true,
  params: priceParams,
  reply: z.object({ priceSatang: satang }),
  errors: [...OFFER_ERRORS, 'PAYMENT_METHOD_NOT_ALLOWED'],
})

export const holdPrice = endpoint({
  method: 'POST',
  path: '/romons.payment/api/getprice/:gameCode/:packageId/:playerId/:paymentCode',
  summary: "Holds a transfer amount for five minutes; a buyer's next hold takes the place of the one before",
  allow: 'order.create',
  forOthers: true,
  idempotent: true,
  params: priceParams,
  body: z.object({ receivingAccountId: id, creditSatang }),
  /** `point` is the number of satang that the held amount adds to the price. */
  reply: z.object({ id: z.uuid(), point: z.number().int().min(1).max(99), priceSatang: satang, heldUntil: time }),
  errors: [...OFFER_ERRORS, ...AMOUNT_ERRORS, 'CREDIT_COVERS_ALL', 'CREDIT_TOO_LOW'],
})

export const timelineEvent = z.object({
  kind: z.enum(EVENT_KINDS),
  to: status,
  at: time,
  reason: z.string().nullable(),
})

export const buyer = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  tel: z.string().nullable(),
  /** LINE's id of the person. */
  lineId: z.string().nullable(),
  hasFacebook: z.boolean(),
})

/** Money that the shop owes or has sent back to an order's buyer. */
const orderRefund = z.object({
  amountSatang: satang,
  /** The account that it is to be sent to, or was; null while nobody has named one. */
  payee: payeeEnd.nullable(),
  payeeAt: time.nullable(),
  /**
   * The account that paid, to which it can be sent back at once: in short, with what the buyer has to type of it. null for
   * who may not say where it goes, and where the bank did not tell enough.
   */
  payer: z
    .object({
      bankCode: z.string(),
      account: z.string(),
      name: z.string().nullable(),
      wants: z.object({ number: z.boolean(), name: z.boolean() }),
    })
    .nullable(),
  /** How the named account stands to the one that paid; null for the same viewers, and while there is none. */
  payeeFit: z.enum(PAYEE_FITS).nullable(),
  /** Whether it becomes shop credit, or has become it. */
  asCredit: z.boolean(),
  /** null while it is owed. */
  sentAt: time.nullable(),
  /** The slip of the transfer, if the shop has added one. */
  slipId: z.uuid().nullable(),
})

const orderField = playerField.omit({ format: true }).extend({ value: z.string() })

/** An order as its buyer sees it. */
export const orderView = z.object({
  orderNo,
  status,
  game: z.object({ code: z.string(), name: z.string(), picture: z.string() }),
  package: z.object({ id, name: z.string(), delivers: z.enum(DELIVERS_KINDS) }),
  playerId: z.string(),
  playerName: z.string().nullable(),
  fields: z.array(orderField),
  payment: z.enum(PAYMENT_CODES),
  quantity: z.number().int(),
  priceSatang: satang,
  /** Added to the price so that its transfer can be distinguished from others. */
  tailSatang: satang,
  amountSatang: satang,
  /** The part that shop credit pays beside another method, and what is left to be paid by that. */
  creditSatang: satang,
  dueSatang: satang,
  receivingAccount: receivingAccount.nullable(),
  /**
   * The text of the PromptPay QR code for the exact amount; null without PromptPay, and when the order should not be
   * paid any more.
   */
  promptPay: z.string().nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
  transferReportedAt: time.nullable(),
  slipId: z.uuid().nullable(),
  /** The state of the slip's check with the bank; null when slips are not checked, or none was sent. */
  slipCheck: z.nullable(slipCheckState),
  paidAt: time.nullable(),
  endedAt: time.nullable(),
  deliveryReference: z.string().nullable(),
  /** The part of the reason for a failure, cancellation or refund that the customer may read. */
  reason: z.string().nullable(),
  /** How many orders that were paid earlier still wait for their goods; null unless it waits itself, and in the answer that places it. Stops at 100. */
  ahead: z.int().nullable(),
  /** Between which moments its goods are expected; null while it waits for none. */
  expected: z.object({ from: time, to: time }).nullable(),
  /** The buyer; null for guests, and for a viewer with only the tracking link. */
  buyer: buyer.nullable(),
  /** The terms of the order, and when the buyer first accepted them, at the latest with the order. */
  termsVersion: z.string(),
  termsAcceptedAt: time,
  /** The package's warning that the buyer accepted with the order; empty for none. */
  warning: z.string(),
  trackToken: z.string(),
  usualMinutes: z.object({ from: z.number().int(), to: z.number().int() }),
  canReport: z.boolean(),
  /** Whether a slip can be added to a report without one, and until when if the order ends without it. */
  canAddSlip: z.boolean(),
  addSlipBy: time.nullable(),
  canCancel: z.boolean(),
  /** For a failed order: whether its buyer may propose another player, and whom they proposed. */
  canCorrect: z.boolean(),
  proposedFields: z.array(orderField).nullable(),
  /** For a failed order: when its buyer asked for the money back, and whether the viewer may ask for it. */
  refundAskedAt: time.nullable(),
  canAskRefund: z.boolean(),
  /** What came back of it as shop credit. */
  creditBackSatang: satang,
  /** Where its guest is told by mail what becomes of a failed order, and whether the viewer may say so. */
  newsAddress: z.string().nullable(),
  canGiveNewsAddress: z.boolean(),
  /** What the buyer is told when the shop used another player than theirs. */
  playerChange: z.string().nullable(),
  /** What its buyer is told when only some of its pieces came, and what went back. */
  reduction: z.string().nullable(),
  refunds: z.array(orderRefund),
  /** Whether the viewer may say where the owed money is to be sent, and take it as shop credit instead. */
  canGivePayee: z.boolean(),
  canTakeCredit: z.boolean(),
  /** The newest try to pay it through the gateway; null before there is one. */
  charge: chargeSummary.nullable(),
  /** Its codes; null for an order that brings none, or shows none in its status. */
  codes: z.nullable(orderCodes),
  timeline: z.array(timelineEvent),
  /** The server's clock at the answer; countdowns start from it. */
  nowDate: time,
})
export type OrderView = z.output<typeof orderView>

export const confirmPrice = endpoint({
  method: 'POST',
  path: '/romons.payment/api/confirmprice',
  summary: 'Places a bank order, adopting a held amount when one is named',
  allow: 'order.create',
  idempotent: true,
  body: orderRequest.extend({
    receivingAccountId: id,
    ...withCredit,
    /** The id of a hold from `holdPrice`. */
    randPointId: z.uuid().optional(),
    /** Version of the terms the customer accepted. */
    termsVersion: z.string().min(1).max(20),
  }),
  reply: orderView,
  errors: [
    ...REQUEST_ERRORS,
    ...AMOUNT_ERRORS,
    ...CREDIT_ERRORS,
    'UNPAID_ORDER_EXISTS',
    'TOO_MANY_UNPAID',
    'HOLD_EXPIRED',
  ],
})

export const confirmOrder = endpoint({
  method: 'POST',
  path: '/romons.payment/api/confirmorder',
  summary: "Buys from the caller's own wallet: debit and order in one transaction, the PIN checked inside it",
  allow: 'order.payByWallet',
  idempotent: true,
  body: orderRequest.extend({
    pin,
    quantity: z.number().int().min(1).max(1000).default(1),
    /** Version of the terms the agent accepted. */
    termsVersion: z.string().min(1).max(20),
  }),
  reply: orderView,
  errors: [
    ...REQUEST_ERRORS,
    'WALLET_NOT_FOUND',
    'WALLET_BALANCE_TOO_LOW',
    'QUANTITY_OVER_TIER_LIMIT',
    'ORDER_OVER_TIER_LIMIT',
    'PIN_WRONG',
    ...PIN_ERRORS,
    'RATE_LIMITED',
    'SHOP_HOLDS',
  ],
})

/** The longest reference of a delivery. */
export const MOST_REFERENCE = 200

export const updateOrderStatus = endpoint({
  method: 'PUT',
  path: '/romons.payment/api/updateorderstatus',
  summary: 'Changes a status: customers cancel their own unpaid order, staff make any legal change',
  allow: 'order.changeOwn',
  secondWord: 'runs',
  body: z.object({
    orderNo,
    status,
    reason: typed().max(500).optional(),
    deliveryReference: typed().max(MOST_REFERENCE).optional(),
    /**
     * Needed to mark an expired order paid while another order has its amount: that order's number, as the caller saw
     * it.
     */
    sameAmountOrderNo: orderNo.optional(),
    /**
     * The thing that may already have its money, named by a caller who has seen it and says that this is another
     * transfer.
     */
    usedByNo: z.string().max(20).optional(),
    /** Needed to go on by hand while a supplier may still deliver: the reason of a caller who was told the risk. */
    supplierRiskReason: typed().min(1).max(500).optional(),
    /** For staff, with `paid`: whether they also claim the order in the same call. */
    andClaim: z.boolean().optional(),
  }),
  reply: z.object({ orderNo, status }),
  /** SAME_AMOUNT_ORDER carries `details.orderNo`. */
  errors: [
    'FORBIDDEN',
    'OWN_ORDER',
    'SAME_AMOUNT_ORDER',
    'SUPPLIER_OUTCOME_OPEN',
    'ORDER_NOT_FOUND',
    'ORDER_STATUS_NOT_ALLOWED',
    'ORDER_ALREADY_REPORTED',
    'ORDER_CLAIMED_BY_OTHER',
    'REASON_REQUIRED',
    'DELIVERY_REFERENCE_REQUIRED',
    'SECOND_WORD_NEEDED',
    'TRANSFER_MAY_BE_USED',
    'PAID_THROUGH_GATEWAY',
    'CREDIT_RETURNED',
    'SLIP_PAID_OTHER',
  ],
})

export const listWaitingOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/waitting',
  summary: "The caller's unpaid orders",
  allow: 'order.own',
  forOthers: true,
  reply: z.array(
    z.object({
      orderNo,
      amountSatang: satang,
      gameCode: z.string(),
      gameName: z.string(),
      gamePicture: z.string(),
      packageName: z.string(),
      expiresAt: time,
      transferReportedAt: time.nullable(),
      nowDate: time,
    }),
  ),
})

export const getOrder = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/details/:orderNo',
  summary: "One of the caller's own orders",
  allow: 'order.own',
  params: z.object({ orderNo }),
  reply: orderView,
  errors: ['ORDER_NOT_FOUND'],
})

export const trackOrder = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/track',
  summary:
    'The order behind a tracking link, whose token comes in the Track-Token header; 30 days after its end player fields and delivery reference are masked',
  allow: 'order.own',
  reply: orderView,
  errors: ['ORDER_NOT_FOUND'],
})

export const reportOrderTransfer = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/report/:orderNo',
  summary: 'The customer says the money was transferred, optionally with a slip',
  allow: 'order.changeOwn',
  idempotent: true,
  params: z.object({ orderNo }),
  body: z.object({ slipId: z.uuid().optional() }),
  reply: orderView,
  errors: ['ORDER_NOT_FOUND', 'ORDER_STATUS_NOT_ALLOWED', 'REPORT_TOO_LATE', 'SLIP_NOT_FOUND', 'SLIP_REUSED'],
})

const { page: _page, pageSize: _size, ...ownFilters } = historyQuery.shape

export const orderFilters = z.object({
  ...ownFilters,
  ...soldFilters,
  /** Part of an order's number, player id or player's name, of its buyer's name or email, their phone, or its slip's reference. */
  text: line(100).min(SHORTEST_SEARCH).optional(),
  waiting: z.enum(WAITING_FOR).optional(),
  /**
   * With `paidAt` a month is that of the payment; with `queueNo` orders without a number are left out. Without it the
   * newest come first; of unpaid orders the reported ones come first, longest wait first.
   */
  sort: z.enum(ORDER_SORTS).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
})

const allOrdersQuery = orderFilters.extend({
  ...paging,
  /**
   * `next` of the previous page: continues after its last row, whatever was added since. Without it, pages are
   * numbered.
   */
  after: z.string().max(300).optional(),
})

export const listAllOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/managehistory',
  summary:
    'All orders for staff; a month of open statuses has what earlier months left, too; `total` stops counting at 1,001',
  allow: 'order.list',
  query: allOrdersQuery,
  reply: page(
    historyRow.extend({
      buyerName: z.string().nullable(),
      lineId: z.string().nullable(),
      queueNo: z.int().nullable(),
      claimedBy: z.string().nullable(),
      claimedByName: z.string().nullable(),
      /** The commands that the caller may give. */
      commands: z.array(z.enum(STAFF_COMMANDS)),
    }),
  ).extend({
    /** The position of the next page; null after the last one. */
    next: z.string().nullable(),
    /** For a list of one month: how many open orders of earlier months it leaves out, at most 1,001. */
    openBefore: z.int(),
  }),
})
