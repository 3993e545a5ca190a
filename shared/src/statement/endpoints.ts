import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { rowId as id, many, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { CHAIN_STATES } from './chain.ts'
import { SOURCE_KINDS, sourceText } from './line-source.ts'
import { LINE_EVENTS, LINE_STATES, LINE_STEPS, OVERPAID, TARGET_KINDS } from './statement.ts'

const uuid = z.uuid()
const day = z.iso.date()
const reason = line(500)

const target = z.object({ kind: z.enum(TARGET_KINDS), id: uuid, no: z.string() })

/** A file and who gave it, or a key; a key without id is one of before they were kept. */
const source = z.object({
  kind: z.enum(SOURCE_KINDS),
  id: uuid.nullable(),
  name: z.string().nullable(),
  byName: z.string().nullable(),
})
export type LineSourceView = z.output<typeof source>

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
  source,
  /** Whether its balance follows from what is known before it; `gap` is matched by people only. */
  chain: z.enum(CHAIN_STATES),
  /** Since when somebody has to settle what it paid: its key's lines were taken back, and this one could not be. */
  disputedAt: time.nullable(),
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
  /** "file" or "feed", or one of them: "file:<id>". */
  source: sourceText.optional(),
  /** Only lines whose balance does not follow. */
  gap: z.stringbool().default(false),
  /** Only lines whose key was taken back and which could not be. */
  disputed: z.stringbool().default(false),
  /** Part of the detail, or of an amount in baht as it is written, "35.0" or "1,500". */
  text: line(60).optional(),
})

export const listStatementAccounts = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/accounts',
  summary: 'Every receiving account, also those out of use, with how many lines wait on it',
  allow: 'statement.look',
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
  allow: 'statement.look',
  query: filters.extend(paging),
  reply: pageOf(statementLine).extend({
    summary: z.object({ moneyIn: z.int(), decided: z.int(), byItself: z.int(), inSatang: satang }),
    /** Where the lines of the account and period come from, latest first. */
    sources: z.array(source),
  }),
  errors: ['STATEMENT_PERIOD_INVALID'],
})

export const exportStatementLines = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines/export',
  summary: 'CSV of the lines the filter selects',
  allow: 'statement.look',
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
  /** The likeliest, and one that the line can be the money of; always false of what was searched for. */
  isBest: z.boolean(),
})
export type LineCandidate = z.output<typeof candidate>

const lineDetails = z.object({
  line: statementLine,
  /** Best first. */
  candidates: z.array(candidate),
  /** What may be decided now. */
  steps: z.array(z.enum(LINE_STEPS)),
  /** Why a decision can't be taken back by anybody any more; null where it can, or there is none. */
  undoBarrier: z.string().nullable(),
  /** Why its balance does not follow; null where it does, or nothing can be said. */
  gapNote: z.string().nullable(),
  history: z.array(
    z.object({
      at: time,
      step: z.enum(LINE_EVENTS),
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
  allow: 'statement.look',
  params: z.object({ id: uuid }),
  reply: lineDetails,
  errors: ['NOT_FOUND'],
})

export const trustStatementLine = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines/:id/trust',
  summary: 'Says that the balance of a line is the bank’s: it, and what follows from it, is matched as any other line',
  allow: 'statement.match',
  idempotent: true,
  params: z.object({ id: uuid }),
  body: z.object({ version: z.int(), reason: reason.min(1) }),
  reply: lineDetails,
  errors: ['NOT_FOUND', 'CONFLICT', 'LINE_FOLLOWS', 'LINE_OWN_SOURCE'],
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

/** What may have the line's money already by a slip or a person's word, named by who saw it and takes it for another transfer. */
const usedByNo = line(20).optional()

export const decideStatementLine = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines/:id/decide',
  summary:
    'Says what a line is: the money of an order or top-up, of a wallet, to be given back, not ours; or takes that back',
  allow: 'statement.match',
  secondWord: 'runs',
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
      usedByNo,
    }),
    z.object({ step: z.literal('creditWallet'), version: z.int(), walletId: uuid, reason: reason.min(1), usedByNo }),
    z.object({
      step: z.literal('oweRefund'),
      version: z.int(),
      /** The order that the money came for, where one is known: its buyer tells where to send it. */
      orderId: uuid.optional(),
      reason: reason.min(1),
      usedByNo,
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
    'TRANSFER_MAY_BE_USED',
    'REFUND_SENT',
    'FORBIDDEN',
    'SECOND_WORD_NEEDED',
  ],
})
export type LineDecision = z.output<typeof decideStatementLine.body>
