import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { orderView } from '../order/endpoints.ts'
import { accountNo, payee } from '../order/fields.ts'
import { orderNo } from '../order/own-endpoints.ts'
import { payeeEnd } from '../order/payee.ts'
import { PAYEE_FITS } from '../order/payer.ts'
import { rowId as id, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'

const uuid = z.uuid()
/** Who has agreed to an account: a second person, the only one there is, or who compared it with the buyer's slip. */
const AGREED_AS = ['second', 'alone', 'slip'] as const
export type AgreedAs = (typeof AGREED_AS)[number]
const day = z.iso.date()

const reason = line(200).min(1)

export const owedRefund = z.object({
  id: uuid,
  /** The order that was refunded, or that received too much money or received it too late; null when there is none. */
  orderNo: z.string().nullable(),
  /** The statement line with the money, if there is one. */
  lineId: uuid.nullable(),
  amountSatang: satang,
  reason: z.string(),
  /** The person to ask where to send it: the buyer, as far as they are known. */
  person: z.object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() }),
  /**
   * The account that the money came from, according to the bank's line or the slip; null when nobody tells it. Of its
   * number the last digits, and all that is known of it for those who may send the money.
   */
  payer: z
    .object({ bankCode: z.string().nullable(), account: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  createdAt: time,
  /** Where it is to be sent, or was, for those who may send it; null while nobody has named an account. */
  payee: payee.nullable(),
  /** The same for everybody else. */
  payeeEnd: payeeEnd.nullable(),
  /** Counts the changes of the payee, so that nothing is sent to an account that was not looked at. */
  payeeVersion: z.int(),
  payeeAt: time.nullable(),
  /** The member of the staff who wrote it down; null when its owner named it themselves. */
  payeeByName: z.string().nullable(),
  /** How it stands to the account that paid, and what its owner says of why it is another one. */
  payeeFit: z.enum(PAYEE_FITS).nullable(),
  payeeReason: z.string().nullable(),
  /** Who agreed to send to it, where it is not the account that paid; null while nobody has. */
  payeeAgreed: z.object({ byName: z.string().nullable(), as: z.enum(AGREED_AS) }).nullable(),
  /** How many other buyers money came from this account of, or went back to it. */
  payeeOthers: z.int(),
  /** The buyer's slip of their own transfer, to compare with. */
  paidSlipId: uuid.nullable(),
  /** Whether its owner wants it as shop credit, or has it so. */
  asCredit: z.boolean(),
  /** Whether it was shop credit before, and its owner asked for a transfer. */
  fromCredit: z.boolean(),
  /** null while it is owed. */
  sent: z
    .object({
      at: time,
      byName: z.string().nullable(),
      /** null for what became shop credit. */
      receivingAccountId: id.nullable(),
      reference: z.string().nullable(),
      slipId: uuid.nullable(),
    })
    .nullable(),
})
export type OwedRefund = z.output<typeof owedRefund>

export const listOwedRefunds = endpoint({
  method: 'GET',
  path: '/romons.payment/api/refunds',
  summary: 'Money to be sent back to people without a wallet: what is owed, oldest first, or what was sent',
  allow: 'refund.look',
  query: z.object({
    sent: z.stringbool().default(false),
    text: line(60).optional(),
    /** The uid of whose money it is. */
    buyer: line(128).optional(),
    ...paging,
  }),
  reply: pageOf(owedRefund).extend({ owedSatang: satang }),
})

export const sendOwedRefund = endpoint({
  method: 'POST',
  path: '/romons.payment/api/refunds/:id/send',
  summary: 'Records that the money was sent back, from which account and with which reference',
  allow: 'order.refund',
  secondWord: 'runs',
  idempotent: true,
  params: z.object({ id: uuid }),
  body: z.object({
    receivingAccountId: id,
    reference: line(100).min(1),
    /** The version of the payee that the caller has looked at. */
    payeeVersion: z.int().min(0),
    /** The slip of the transfer, from `uploadSlip`. */
    slipId: uuid.optional(),
  }),
  reply: owedRefund,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'PAYEE_CHANGED',
    'PAYEE_NEEDED',
    'PAYEE_NOT_AGREED',
    'OWN_ORDER',
    'SET_OWNERS_SECRET',
    'RECEIVING_ACCOUNT_NOT_FOUND',
    'SLIP_NOT_FOUND',
    'SLIP_REUSED',
    'SECOND_WORD_NEEDED',
  ],
})

export const agreeRefundPayee = endpoint({
  method: 'POST',
  path: '/romons.payment/api/refunds/:id/agree',
  summary: 'Asks a second person whether owed money may go to an account that did not pay it, before it is sent',
  allow: 'order.refund',
  secondWord: 'runs',
  idempotent: true,
  params: z.object({ id: uuid }),
  body: z.object({
    /** The version of the payee that the caller has looked at. */
    payeeVersion: z.int().min(0),
    /** Where nobody told the payer's account: the caller has compared the payee with the buyer's slip. */
    isSlipCompared: z.boolean().default(false),
  }),
  reply: owedRefund,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'PAYEE_CHANGED',
    'PAYEE_NEEDED',
    'PAYEE_NEEDS_NO_WORD',
    'NO_SLIP_TO_COMPARE',
    'OWN_ORDER',
    'SECOND_WORD_NEEDED',
  ],
})

export const setRefundPayee = endpoint({
  method: 'POST',
  path: '/romons.payment/api/refunds/:id/payee',
  summary: 'Writes down where owed money is to be sent, as its owner told staff',
  allow: 'order.refund',
  params: z.object({ id: uuid }),
  body: payee.safeExtend({ payeeVersion: z.int().min(0), reason: reason.optional() }),
  reply: owedRefund,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'PAYEE_CHANGED',
    'OWN_ORDER',
    'SET_OWNERS_SECRET',
    'PAYEE_IS_OWNERS',
    'REFUND_REASON_NEEDED',
  ],
})

export const giveRefundPayee = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/refundpayee/:orderNo',
  summary: 'The buyer of an order says where the money that the shop owes them is to be sent, until it was sent',
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  body: payee.safeExtend({
    /** Why it is not the account that paid. */
    reason: reason.optional(),
    /** The slip of the buyer's own transfer, from `uploadSlip`, where the shop does not know who paid. */
    paidSlipId: uuid.optional(),
  }),
  reply: orderView,
  errors: [
    'ORDER_NOT_FOUND',
    'NOTHING_TO_REFUND',
    'PAYEE_CHANGED_TOO_OFTEN',
    'REFUND_REASON_NEEDED',
    'SLIP_NOT_FOUND',
    'SLIP_REUSED',
  ],
})

export const refundToPayer = endpoint({
  method: 'POST',
  path: '/romons.order/api/order/refundtopayer/:orderNo',
  summary: 'The buyer of an order has the money that the shop owes them sent back to the account that paid it',
  allow: 'order.changeOwn',
  params: z.object({ orderNo }),
  /** What the bank did not tell the shop, see `payer` of the order's refunds. */
  body: z.object({ accountNo: accountNo.optional(), accountName: line(100).min(1).optional() }),
  reply: orderView,
  errors: [
    'ORDER_NOT_FOUND',
    'NOTHING_TO_REFUND',
    'PAYEE_CHANGED_TOO_OFTEN',
    'PAYER_NOT_KNOWN',
    'PAYER_NUMBER_DIFFERS',
  ],
})

const dayOfAccount = z.object({
  receivingAccountId: id,
  day,
  /** The incoming money according to the bank. */
  inSatang: satang,
  lines: z.int(),
  /** The part of it that a line has brought into the books. */
  matchedSatang: satang,
  /** The part matched to top-ups that somebody must still approve, so it is not in the books yet. */
  waitingSatang: satang,
  waiting: z.array(z.object({ id: uuid, no: z.string() })),
  /** The part that nobody has explained. */
  openSatang: satang,
  open: z.int(),
  /** The part that does not concern the shop. These four parts add up to `inSatang`. */
  unrelatedSatang: satang,
  /** Money booked on the account on this day by slips or staff, without a line so far. */
  withoutLineSatang: satang,
  withoutLine: z.int(),
  /** How many of them have waited for more than two days. */
  overdue: z.int(),
  /** What the ledger received on the account on this day. */
  ledgerSatang: satang,
  /** The ledger's sum minus what the bank's lines explain; 0 when the day is right. */
  differenceSatang: satang,
})
export type ReconciliationDay = z.output<typeof dayOfAccount>

export const getReconciliation = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/reconciliation',
  summary: 'Per receiving account and Bangkok day: the bank, what is matched, what has no line yet, the ledger',
  allow: 'reconciliation.look',
  query: z.object({ receivingAccountId: rowIdParam.optional(), from: day, to: day }),
  reply: z.object({ days: z.array(dayOfAccount), nowDate: time }),
  errors: ['STATEMENT_PERIOD_INVALID'],
})

export const listBookedWithoutLine = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/withoutline',
  summary: 'Orders and top-ups booked on an account without a statement line, oldest first',
  allow: 'reconciliation.look',
  query: z.object({
    receivingAccountId: rowIdParam.optional(),
    day: day.optional(),
    overdue: z.stringbool().default(false),
    ...paging,
  }),
  reply: pageOf(
    z.object({
      kind: z.enum(['order', 'topUp']),
      id: uuid,
      no: z.string(),
      /** null for a top-up that was approved without an account; its money is in suspense. */
      receivingAccountId: id.nullable(),
      amountSatang: satang,
      bookedAt: time,
      /** Who said that the money came: a slip service or a person. */
      by: z.string(),
      isOverdue: z.boolean(),
    }),
  ),
})
