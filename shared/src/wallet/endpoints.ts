import * as z from 'zod'
import { pinState } from '../account/pin-endpoints.ts'
import { GATEWAY_METHODS } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { ERROR_CODES } from '../errors.ts'
import { chargeForStaff } from '../gateway/fields.ts'
import { typed } from '../line.ts'
import { otherOfSlip, slipVerdict, usedTransfer } from '../slipcheck/verdict-view.ts'
import { many, month, page as pageOf, paging, rowId, rowIdParam, satang, instant as time } from '../wire.ts'
import { amountSatang } from './fields.ts'
import { ACTION_TYPES, TOP_UP_STATUSES, TRANS_TYPES } from './top-up.ts'

const uuid = z.uuid()
const status = z.enum(TOP_UP_STATUSES)
const reason = typed().max(500)
const receivingAccountId = rowId.nullable()
/** How a top-up is paid; null for money that moved for something else. */
const payment = z.enum(['bank', ...GATEWAY_METHODS]).nullable()

/** What somebody asks for with a top-up; without a slip (null) from `uploadSlip` it can't be approved. */
const request = { amountSatang, slipId: uuid.nullable(), receivingAccountId: receivingAccountId.optional() }
const REQUEST_ERRORS = [
  'WALLET_NOT_FOUND',
  'TOP_UP_ABOVE_ROOM',
  'TOP_UP_BELOW_MINIMUM',
  'SLIP_NOT_FOUND',
  'SLIP_REUSED',
  'RECEIVING_ACCOUNT_NOT_FOUND',
] as const
/** A top-up after a change. */
const changed = z.object({ id: uuid, no: z.string(), status })

const filters = z.object({
  /** Bangkok month "YYYY-MM"; without it every month is listed. */
  month: month.optional(),
  actionType: many(z.enum(ACTION_TYPES)),
  status: many(status),
  /** Part of a top-up or order number. */
  transactionNo: typed().max(20).optional(),
})
const staffFilters = filters.extend({ agentName: typed().max(100).optional() })

/** One line of a wallet's history: a top-up in any state, or money that moved for an order. */
const walletTransaction = z.object({
  /** The id of the top-up, else of the ledger transaction. */
  id: uuid,
  /** The number of the top-up, else of the order. */
  no: z.string(),
  actionType: z.enum(ACTION_TYPES),
  transType: z.enum(TRANS_TYPES),
  /** Always positive; `ถอน` leaves the wallet, the others arrive. */
  amountSatang: satang,
  unit: z.literal('บาท'),
  status,
  /** The slip, whose picture `getSlip` of upload/endpoints returns. */
  slipId: uuid.nullable(),
  receivingAccountId,
  payment,
  orderNo: z.string().nullable(),
  gameName: z.string().nullable(),
  packageName: z.string().nullable(),
  /** Why it was rejected, refunded or corrected. */
  reason: z.string().nullable(),
  createdDate: time,
  canEdit: z.boolean(),
  canCancel: z.boolean(),
})
export type WalletTransaction = z.output<typeof walletTransaction>

const ownTransaction = walletTransaction.extend({
  /** Whether the bank has confirmed the slip of a top-up. A manager approves it nevertheless. */
  isSlipConfirmed: z.boolean(),
})
export type OwnTransaction = z.output<typeof ownTransaction>

export const getWallet = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/me',
  summary: "The caller's own wallet with its tier's limits",
  allow: 'wallet.own',
  reply: z.object({
    id: uuid,
    tier: z.object({ id: z.int(), name: z.string() }),
    balanceSatang: satang,
    maxAmountSatang: satang,
    minTopUpSatang: satang,
    maxAmountPerOrderSatang: satang,
    maxItemPerOrder: z.int(),
    /** The sum of the top-ups that wait for approval. */
    waitingSatang: satang,
    /** The sum of the approved top-ups entered in this Bangkok calendar month. */
    thisMonthSatang: satang,
    /** The amount that can still be topped up: maximum minus balance. */
    roomSatang: satang,
    /** When one day's top-ups exceed this amount, two people must approve. */
    twoApproversAboveSatang: satang,
    /** The PIN for spending from it; null when none is set. */
    pin: pinState.nullable(),
    nowDate: time,
  }),
  errors: ['WALLET_NOT_FOUND'],
})
export type WalletView = z.output<typeof getWallet.reply>

export const listOwnTransactions = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/transactions',
  summary: "History of the caller's own wallet, newest first",
  allow: 'wallet.own',
  query: filters.extend(paging),
  reply: pageOf(ownTransaction),
  errors: ['WALLET_NOT_FOUND'],
})

export const exportOwnTransactions = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/transactions/export',
  summary: "CSV of the rows the filter selects in the caller's own wallet",
  allow: 'wallet.own',
  query: filters,
  reply: z.any(),
  replyKind: 'csv',
  errors: ['WALLET_NOT_FOUND'],
})

const statementRow = z.object({
  at: time,
  no: z.string(),
  actionType: z.enum(ACTION_TYPES),
  transType: z.enum(TRANS_TYPES),
  detail: z.string(),
  /** Negative when it left the wallet. */
  amountSatang: satang,
  /** The balance after this row. */
  balanceSatang: satang,
})

export const getStatement = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/statement/:month',
  summary: "What moved on the caller's own wallet in a Bangkok month, oldest first",
  allow: 'wallet.own',
  params: z.object({ month }),
  reply: z.object({
    month,
    openingSatang: satang,
    inSatang: satang,
    outSatang: satang,
    closingSatang: satang,
    rows: z.array(statementRow),
  }),
  errors: ['WALLET_NOT_FOUND', 'NOT_FOUND'],
})
export type WalletStatement = z.output<typeof getStatement.reply>

export const exportStatement = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/statement/:month/export',
  summary: 'The same statement as CSV',
  allow: 'wallet.own',
  params: z.object({ month }),
  reply: z.any(),
  replyKind: 'csv',
  errors: ['WALLET_NOT_FOUND', 'NOT_FOUND'],
})

export const getTopUpQr = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/topup/qr/:receivingAccountId/:amountSatang',
  summary: "The PromptPay QR that pays a top-up of the caller's own wallet, if the wallet can take the amount",
  allow: 'wallet.own',
  params: z.object({ receivingAccountId: rowIdParam, amountSatang: z.coerce.number().pipe(amountSatang) }),
  /** null for an account without PromptPay. */
  reply: z.object({ promptPay: z.string().nullable() }),
  errors: ['WALLET_NOT_FOUND', 'TOP_UP_ABOVE_ROOM', 'TOP_UP_BELOW_MINIMUM', 'RECEIVING_ACCOUNT_NOT_FOUND'],
})

export const saveTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/topup',
  summary: "Asks for a top-up of the caller's own wallet, or edits one that waits",
  allow: 'wallet.own',
  idempotent: true,
  body: z.object({
    /** The waiting row to edit; without it a new one. */
    id: uuid.optional(),
    ...request,
  }),
  reply: changed,
  errors: [...REQUEST_ERRORS, 'TOP_UP_NOT_WAITING', 'TOP_UP_HAS_LINE', 'NOT_FOUND', 'RATE_LIMITED', 'SHOP_HOLDS'],
})

export const cancelTopUp = endpoint({
  method: 'PATCH',
  path: '/romons.payment/api/wallet/status',
  summary: 'Takes a waiting top-up back: its enterer or the owner of the wallet',
  allow: 'wallet.own',
  body: z.object({ id: uuid, status: z.literal('cancel') }),
  reply: changed,
  errors: ['NOT_FOUND', 'TOP_UP_NOT_WAITING', 'TOP_UP_HAS_LINE'],
})

export const listWalletStatuses = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/statuses',
  summary: 'Statuses of wallet transactions with their Thai names',
  allow: 'wallet.own',
  reply: z.array(z.object({ code: status, name: z.string() })),
})

export const listAllTransactions = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/managetransactions',
  summary:
    'Transactions of every wallet for staff, newest first, what waits oldest first; `total` stops counting at 1,001',
  allow: 'wallet.look',
  query: staffFilters.extend(paging),
  reply: pageOf(
    walletTransaction.extend({
      walletId: uuid,
      uid: z.string(),
      agentName: z.string(),
      tierName: z.string(),
      /** Whether it is a top-up, which has details and can be decided. */
      isTopUp: z.boolean(),
      /** Whether a line of a bank statement shows the top-up's money. */
      hasStatementLine: z.boolean(),
    }),
  ),
})

export const exportAllTransactions = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/managetransactions/export',
  summary: 'CSV of the rows the filter selects',
  allow: 'wallet.look',
  query: staffFilters,
  reply: z.any(),
  replyKind: 'csv',
})

export const getTopUpForStaff = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/managedetails/:id',
  summary: 'One top-up with everything the approval is decided by',
  allow: 'wallet.look',
  params: z.object({ id: uuid }),
  reply: z.object({
    id: uuid,
    no: z.string(),
    /** Send it back with the decision, so that exactly what was looked at gets approved. */
    version: z.int(),
    status,
    amountSatang: satang,
    createdDate: time,
    walletId: uuid,
    uid: z.string(),
    agentName: z.string(),
    fullName: z.string(),
    tel: z.string().nullable(),
    email: z.string().nullable(),
    /** The agent's own bank account, from their profile. */
    bankCode: z.string().nullable(),
    bankAccount: z.string().nullable(),
    tierName: z.string(),
    balanceSatang: satang,
    maxAmountSatang: satang,
    roomSatang: satang,
    slipId: uuid.nullable(),
    /** From the slip's mini QR code; one reference is used for one order or top-up only. */
    slipReference: z.object({ sendingBank: z.string(), reference: z.string() }).nullable(),
    /** The result of the slip's check; null when there was none. */
    slipVerdict: z.nullable(slipVerdict),
    /** Other things that its slip was handed in for. */
    slipOthers: z.array(otherOfSlip),
    /** Things that may already have its money, by account, amount and time; an approver must name the first of them. */
    maybeUsedBy: z.array(usedTransfer),
    receivingAccountId,
    payment: payment.unwrap(),
    /** The charge that paid it, else the newest try; null for a transfer. */
    charge: chargeForStaff.nullable(),
    /** The statement line with its money; null while none is matched. */
    statementLine: z
      .object({
        id: uuid,
        no: z.int(),
        day: z.iso.date(),
        /** null when the bank gives only the day. */
        at: time.nullable(),
        receivingAccountId: z.int(),
        fromBank: z.string().nullable(),
        fromAccount: z.string().nullable(),
      })
      .nullable(),
    enteredByName: z.string(),
    firstApprovedByName: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedDate: time.nullable(),
    reason: z.string().nullable(),
    needsTwoApprovers: z.boolean(),
    /** The sum of other top-ups on this Bangkok day, which counts towards the two-person amount. */
    receivedTodaySatang: satang,
    /** Why the caller can't approve it; null when they can. */
    approvalBarrier: z.enum(ERROR_CODES).nullable(),
    canReject: z.boolean(),
    /** Whether its money was taken back by a correction. */
    isCorrected: z.boolean(),
    canCorrect: z.boolean(),
  }),
  errors: ['NOT_FOUND'],
})
export type TopUpForStaff = z.output<typeof getTopUpForStaff.reply>

export const decideTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/managestatus',
  summary:
    'Approves or rejects a waiting top-up; above the set amount the first approval leaves it waiting for a second',
  allow: 'wallet.approve',
  secondWord: 'runs',
  idempotent: true,
  body: z.object({
    id: uuid,
    version: z.int().positive(),
    status: z.enum(['approve', 'reject']),
    /** Required to reject. */
    reason: reason.optional(),
    /**
     * The account that received the money, when the request names none or a wrong one; changing it voids a first
     * approval.
     */
    receivingAccountId: receivingAccountId.optional(),
    /**
     * The thing that may already have its money, named by a caller who has seen it and says that this is another
     * transfer.
     */
    usedByNo: z.string().max(20).optional(),
  }),
  /** `waiting_approve` after the first of two approvals. */
  reply: changed,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'REASON_REQUIRED',
    'TOP_UP_NOT_WAITING',
    'TOP_UP_HAS_LINE',
    'TOP_UP_NEEDS_SLIP',
    'TOP_UP_OWN_ENTRY',
    'TOP_UP_RECENT_RESET',
    'TOP_UP_NEEDS_SECOND_APPROVER',
    'TOP_UP_ABOVE_ROOM',
    'RECEIVING_ACCOUNT_NOT_FOUND',
    'SLIP_PAID_OTHER',
    'TRANSFER_MAY_BE_USED',
    'SECOND_WORD_NEEDED',
  ],
})

export const addTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/managetopup',
  summary: 'Staff enter a top-up on behalf of an agent; it waits for approval like any other',
  allow: 'wallet.addTopUp',
  idempotent: true,
  body: z.object({ walletId: uuid, ...request }),
  reply: changed,
  errors: REQUEST_ERRORS,
})

export const correctTopUp = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/managecorrection',
  summary: 'Takes the money of an approved top-up back by a reversing entry with a reason',
  allow: 'wallet.approve',
  idempotent: true,
  body: z.object({ id: uuid, reason: reason.min(1) }),
  reply: z.object({ id: uuid, no: z.string(), balanceSatang: satang }),
  errors: ['NOT_FOUND', 'CONFLICT', 'TOP_UP_GATEWAY', 'TOP_UP_OWN_ENTRY', 'TOP_UP_HAS_LINE', 'WALLET_BALANCE_TOO_LOW'],
})

export const searchWallets = endpoint({
  method: 'GET',
  path: '/romons.payment/api/wallet/manageusers',
  summary: 'People with a wallet, by part of their name or email; at most 20',
  allow: 'wallet.look',
  query: z.object({ name: typed().max(100).optional() }),
  reply: z.array(
    z.object({
      /** The id of the wallet. */
      id: uuid,
      uid: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      tierName: z.string(),
      balanceSatang: satang,
      roomSatang: satang,
      minTopUpSatang: satang,
    }),
  ),
})
