import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { rowId as id, line, many, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { LINE_STATES, LINE_STEPS, OVERPAID, TARGET_KINDS } from './statement.ts'

const uuid = z.uuid()
const day = z.iso.date()
const reason = line(500)

const target = z.object({ kind: z.enum(TARGET_KINDS), id: uuid, no: z.string() })

const statementLine = z.object({
  id: uuid,
  /** Counts the lines of the shop; what the specification calls no. */
  no: z.int(),
  receivingAccountId: id,
  day,
  /** null when the bank tells the day only. */
  at: time.nullable(),
  precisionSeconds: z.int().nullable(),
  amountSatang: satang,
  balanceSatang: satang.nullable(),
  detail: z.string(),
  fromBank: z.string().nullable(),
  fromAccount: z.string().nullable(),
  channel: z.string().nullable(),
  state: z.enum(LINE_STATES),
  version: z.int(),
  target: target.nullable(),
  /** null = by the shop itself. */
  decidedByName: z.string().nullable(),
  decidedAt: time.nullable(),
  reason: z.string().nullable(),
  /** How many things are suggested as what it is the money of; null for lines that are decided. */
  candidates: z.int().nullable(),
  /** Those of them that fit in amount, account and time. */
  fitting: z.int().nullable(),
})
export type StatementLineView = z.output<typeof statementLine>

const filters = z.object({
  receivingAccountId: rowIdParam,
  from: day,
  to: day,
  /** Only lines of money in that nobody has said anything about. */
  noSaleOrder: z.stringbool().default(false),
  state: many(z.enum(LINE_STATES)),
  /** Part of the detail, or an amount in baht. */
  text: line(60).optional(),
})

export const listStatementAccounts = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/accounts',
  summary: 'Every receiving account, also those out of use, with how many lines wait on it',
  allow: 'statement.match',
  reply: z.array(
    z.object({
      id,
      bankCode: z.string(),
      accountNo: z.string(),
      accountName: z.string(),
      isActive: z.boolean(),
      waiting: z.int(),
      /** Of the latest line known. */
      latestDay: day.nullable(),
    }),
  ),
})

export const listStatementLines = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines',
  summary: 'Lines of one account and period, latest first, with what was matched of all',
  allow: 'statement.match',
  query: filters.extend(paging),
  reply: pageOf(statementLine).extend({
    summary: z.object({ moneyIn: z.int(), decided: z.int(), byItself: z.int(), inSatang: satang }),
  }),
  errors: ['STATEMENT_PERIOD_INVALID'],
})

export const exportStatementLines = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines/export',
  summary: 'CSV of the lines the filter selects',
  allow: 'statement.match',
  query: filters,
  reply: z.any(),
  replyKind: 'csv',
  errors: ['STATEMENT_PERIOD_INVALID'],
})

/** Why a candidate is or isn't likely, in words. */
const candidateReason = z.object({ tone: z.enum(['ok', 'warn', 'neutral']), text: z.string() })

const candidate = z.object({
  target,
  /** Game and package, or whose wallet. */
  title: z.string(),
  picture: z.string().nullable(),
  status: z.string(),
  amountSatang: satang,
  /** Line less amount: negative when too little came. */
  differenceSatang: satang,
  createdAt: time,
  slipId: uuid.nullable(),
  reasons: z.array(candidateReason),
  /** What has to be said to match the line to it; it is `impossible` with what has a line already or takes no money. */
  needs: z.enum(['nothing', 'reason', 'impossible']),
})
export type LineCandidate = z.output<typeof candidate>

const lineDetails = z.object({
  line: statementLine,
  /** Best first. */
  candidates: z.array(candidate),
  /** What may be decided now. */
  steps: z.array(z.enum(LINE_STEPS)),
  history: z.array(
    z.object({
      at: time,
      step: z.enum(LINE_STEPS),
      actorName: z.string().nullable(),
      reason: z.string().nullable(),
      target: target.nullable(),
    }),
  ),
})
export type LineDetails = z.output<typeof lineDetails>

export const getStatementLine = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines/:id',
  summary: 'A line with what it could be the money of, ranked, and what was decided about it',
  allow: 'statement.match',
  params: z.object({ id: uuid }),
  reply: lineDetails,
  errors: ['NOT_FOUND'],
})

export const searchStatementTargets = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines/:id/search',
  summary: 'Orders and top-ups by number, amount, game and package, as candidates of a line',
  allow: 'statement.match',
  params: z.object({ id: uuid }),
  query: z.object({
    no: line(20).optional(),
    amountSatang: z.coerce.number().pipe(satang).optional(),
    game: line(60).optional(),
    package: line(60).optional(),
    ...paging,
  }),
  reply: pageOf(candidate),
  errors: ['NOT_FOUND'],
})

export const decideStatementLine = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines/:id/decide',
  summary:
    'Says what a line is: the money of an order or top-up, of a wallet, to be given back, not ours; or takes that back',
  allow: 'statement.match',
  idempotent: true,
  params: z.object({ id: uuid }),
  body: z.discriminatedUnion('step', [
    z.object({
      step: z.literal('match'),
      version: z.int(),
      target: z.object({ kind: z.enum(TARGET_KINDS), id: uuid }),
      /** Required where the amount, the time or the state differs. */
      reason: reason.optional(),
      /** What becomes of money above the amount; the rest of a short one is the shop's loss. */
      overpaid: z.enum(OVERPAID).optional(),
      /** The order that has this amount on this account now, named by who saw it and matches the line elsewhere. */
      sameAmountOrderNo: line(20).optional(),
    }),
    z.object({ step: z.literal('creditWallet'), version: z.int(), walletId: uuid, reason: reason.min(1) }),
    z.object({
      step: z.literal('oweRefund'),
      version: z.int(),
      /** The order that the money came for, where one is known: its buyer tells where to send it. */
      orderId: uuid.optional(),
      reason: reason.min(1),
    }),
    z.object({ step: z.literal('ignore'), version: z.int(), reason: reason.min(1) }),
    z.object({ step: z.literal('undo'), version: z.int(), reason: reason.min(1) }),
  ]),
  reply: lineDetails,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'REASON_REQUIRED',
    'OWN_ORDER',
    'TOP_UP_OWN_ENTRY',
    'ORDER_STATUS_NOT_ALLOWED',
    'LINE_STEP_NOT_ALLOWED',
    'LINE_TARGET_TAKEN',
    'WALLET_NOT_FOUND',
    'WALLET_BALANCE_TOO_LOW',
    'TOP_UP_ABOVE_ROOM',
    'CREDIT_NEEDS_TWO',
    'OVERPAID_CHOICE_REQUIRED',
    'SAME_AMOUNT_ORDER',
    'REFUND_SENT',
    'FORBIDDEN',
  ],
})
export type LineDecision = z.output<typeof decideStatementLine.body>
