import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { rowId as id, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'

const uuid = z.uuid()
const day = z.iso.date()

const owedRefund = z.object({
  id: uuid,
  /** The order that was refunded, or whose money came too much or too late; null for money of nobody known. */
  orderNo: z.string().nullable(),
  /** The statement line the money came with, where there is one. */
  lineId: uuid.nullable(),
  amountSatang: satang,
  reason: z.string(),
  /** Whom to ask where to send it: the buyer's name and contact, as far as they are known. */
  person: z.object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() }),
  /** Where the money came from, as the statement or the slip tells. */
  fromBank: z.string().nullable(),
  fromAccount: z.string().nullable(),
  createdAt: time,
  /** null while it is owed. */
  sent: z
    .object({
      at: time,
      byName: z.string().nullable(),
      receivingAccountId: id,
      reference: z.string(),
    })
    .nullable(),
})
export type OwedRefund = z.output<typeof owedRefund>

export const listOwedRefunds = endpoint({
  method: 'GET',
  path: '/romons.payment/api/refunds',
  summary: 'Money to be sent back to people without a wallet: what is owed, oldest first, or what was sent',
  allow: 'refund.look',
  query: z.object({ sent: z.stringbool().default(false), text: line(60).optional(), ...paging }),
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
  body: z.object({ receivingAccountId: id, reference: line(100).min(1) }),
  reply: owedRefund,
  errors: ['NOT_FOUND', 'CONFLICT', 'OWN_ORDER', 'RECEIVING_ACCOUNT_NOT_FOUND', 'SECOND_WORD_NEEDED'],
})

const dayOfAccount = z.object({
  receivingAccountId: id,
  day,
  /** Money in, as the bank tells. */
  inSatang: satang,
  lines: z.int(),
  /** Of that, what stands in the books by its line. */
  matchedSatang: satang,
  /** Matched to top-ups that somebody still has to approve: it is in no books yet. */
  waitingSatang: satang,
  waiting: z.array(z.object({ id: uuid, no: z.string() })),
  /** Money in that nobody has explained. */
  openSatang: satang,
  open: z.int(),
  /** Said to have nothing to do with the shop. These four together are all that came in. */
  unrelatedSatang: satang,
  /** Booked on the account that day by slips or staff, without a line so far. */
  withoutLineSatang: satang,
  withoutLine: z.int(),
  /** Those of it that wait longer than two days. */
  overdue: z.int(),
  /** What the ledger took in on the account that day. */
  ledgerSatang: satang,
  /** Ledger less what the bank's lines explain; 0 when the day is right. */
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
      /** null: a top-up approved on no account; its money stands in suspense. */
      receivingAccountId: id.nullable(),
      amountSatang: satang,
      bookedAt: time,
      /** Who said that the money is there: a slip service, or a person. */
      by: z.string(),
      isOverdue: z.boolean(),
    }),
  ),
})
