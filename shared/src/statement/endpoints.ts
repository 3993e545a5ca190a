import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { GATEWAY_NAMES } from '../provider-names.ts'
import { rowId as id, many, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { CHAIN_STATES } from './chain.ts'
import { SOURCE_KINDS, sourceText } from './line-source.ts'
import { LINE_EVENTS, LINE_STATES, LINE_STEPS, OVERPAID, TARGET_KINDS } from './statement.ts'

const uuid = z.uuid()
const day = z.iso.date()
const reason = line(500)

/** Gateways take some baht for a payout; with more, somebody would write money off as a fee. */
const MOST_PAYOUT_FEE_SATANG = 100_000

/** An order or a top-up by its number. */
export const target = z.object({ kind: z.enum(TARGET_KINDS), id: uuid, no: z.string() })

/** A file with its uploader, or a key; a key without id is older than this record. */
const source = z.object({
  kind: z.enum(SOURCE_KINDS),
  id: uuid.nullable(),
  name: z.string().nullable(),
  byName: z.string().nullable(),
})
export type LineSourceView = z.output<typeof source>

const statementLine = z.object({
  id: uuid,
  /** The shop's number of the line, called "no" in the specification. */
  no: z.int(),
  receivingAccountId: id,
  day,
  /** null when the bank gives only the day. */
  at: time.nullable(),
  precisionSeconds: z.int().nullable(),
  amountSatang: satang,
  balanceSatang: satang.nullable(),
  detail: z.string(),
  fromBank: z.string().nullable(),
  fromAccount: z.string().nullable(),
  channel: z.string().nullable(),
  source,
  /** Whether its balance follows from the lines before it; only people match a `gap`. */
  chain: z.enum(CHAIN_STATES),
  /**
   * Since when somebody must settle it: its key's lines were taken back, but the effect of this one could not be
   * undone.
   */
  disputedAt: time.nullable(),
  state: z.enum(LINE_STATES),
  version: z.int(),
  target: target.nullable(),
  /** null when the shop itself decided. */
  decidedByName: z.string().nullable(),
  decidedAt: time.nullable(),
  reason: z.string().nullable(),
  /** The number of things that its money could be for; null for decided lines. */
  candidates: z.int().nullable(),
  /** The number of those that fit by amount, account and time, and can take the money. */
  fitting: z.int().nullable(),
  /** Whether the likeliest of them can't take the money, which should go back to its buyer. */
  goesBack: z.boolean(),
})
export type StatementLineView = z.output<typeof statementLine>

const filters = z.object({
  /** Without it the lines of all accounts are listed. */
  receivingAccountId: rowIdParam.optional(),
  /** Without a period all lines that wait are listed, however old; of decided ones those of the last three months. */
  from: day.optional(),
  to: day.optional(),
  /** Only lines of incoming money that nobody has decided about. */
  noSaleOrder: z.stringbool().default(false),
  state: many(z.enum(LINE_STATES)),
  /** "file" or "feed", or one of them: "file:<id>". */
  source: sourceText.optional(),
  /** Whether only lines are listed whose balance does not follow. */
  gap: z.stringbool().default(false),
  /** Whether only lines are listed that somebody must settle after their key was taken back. */
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
      /** The day of the latest known line. */
      latestDay: day.nullable(),
    }),
  ),
})

export const listStatementLines = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/lines',
  summary:
    'Lines of bank accounts: what waits oldest first, all others latest first; with what was matched of a period',
  allow: 'statement.look',
  query: filters.extend(paging),
  reply: pageOf(statementLine).extend({
    /** null without a period. */
    summary: z.object({ moneyIn: z.int(), decided: z.int(), byItself: z.int(), inSatang: satang }).nullable(),
    /** The sources of lines in the account and period, latest first. */
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

/** Why a candidate is likely or not, in words. */
const candidateReason = z.object({ tone: z.enum(['ok', 'warn', 'neutral']), text: z.string() })

const candidate = z.object({
  target,
  /** The game and package, or the owner of the wallet. */
  title: z.string(),
  picture: z.string().nullable(),
  status: z.string(),
  amountSatang: satang,
  /** The line's amount minus the candidate's; negative when too little came. */
  differenceSatang: satang,
  createdAt: time,
  slipId: uuid.nullable(),
  reasons: z.array(candidateReason),
  /** What matching the line to it needs; `impossible` when it has a line already or accepts no money. */
  needs: z.enum(['nothing', 'reason', 'impossible']),
  /** Whether it is the likeliest candidate and can be matched; always false for search results. */
  isBest: z.boolean(),
  /** Why the money should go back to its buyer, when it is the likeliest but can't take it; else null. */
  goesBackFor: z.string().nullable(),
})
export type LineCandidate = z.output<typeof candidate>

const lineDetails = z.object({
  line: statementLine,
  /** Best first. */
  candidates: z.array(candidate),
  /** The gateways that may have sent the money of an open line, and whether its detail names them; those that it names first. */
  payers: z.array(z.object({ gateway: z.enum(GATEWAY_NAMES), isNamed: z.boolean() })),
  /** The payout that it was booked as, with what the gateway kept of that. */
  payout: z.object({ gateway: z.enum(GATEWAY_NAMES), feeSatang: satang }).nullable(),
  /** The decisions that are possible now. */
  steps: z.array(z.enum(LINE_STEPS)),
  /** Why nobody can undo the decision any more; null when it can be undone, or there is none. */
  undoBarrier: z.string().nullable(),
  /** Why its balance does not follow; null when it follows, or when that can't be decided. */
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

/**
 * The thing that may already have the line's money, named by a caller who has seen it and says that this is another
 * transfer.
 */
const usedByNo = line(20).optional()

export const decideStatementLine = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines/:id/decide',
  summary:
    'Says what a line is: the money of an order or top-up, of a wallet, a gateway’s payout, to be given back, not ours; or takes that back',
  allow: 'statement.match',
  secondWord: 'runs',
  idempotent: true,
  params: z.object({ id: uuid }),
  body: z.discriminatedUnion('step', [
    z.object({
      step: z.literal('match'),
      version: z.int(),
      target: z.object({ kind: z.enum(TARGET_KINDS), id: uuid }),
      /** Required when the amount, the time or the state differs. */
      reason: reason.optional(),
      /** What happens to money above the amount; the missing part of a smaller one is the shop's loss. */
      overpaid: z.enum(OVERPAID).optional(),
      /**
       * The order that has this amount on this account now, named by a caller who has seen it and matches the line
       * elsewhere.
       */
      sameAmountOrderNo: line(20).optional(),
      usedByNo,
    }),
    z.object({
      step: z.literal('bookPayout'),
      version: z.int(),
      gateway: z.enum(GATEWAY_NAMES),
      /** What the gateway kept of the payout itself, beside the fees of its charges. */
      feeSatang: satang.min(0).max(MOST_PAYOUT_FEE_SATANG).default(0),
      /** Required when the line fits an order, or its money may be in the books. */
      reason: reason.optional(),
      /** As for a match. */
      sameAmountOrderNo: line(20).optional(),
      usedByNo,
    }),
    z.object({ step: z.literal('creditWallet'), version: z.int(), walletId: uuid, reason: reason.min(1), usedByNo }),
    z.object({
      step: z.literal('oweRefund'),
      version: z.int(),
      /** The order that the money came for, if known: its buyer is asked where to send it. */
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
    'LINE_TARGET_OVER',
    'LINE_TARGET_AMOUNT',
    'LINE_TARGET_TAKEN',
    'WALLET_NOT_FOUND',
    'WALLET_BALANCE_TOO_LOW',
    'TOP_UP_ABOVE_ROOM',
    'CREDIT_NEEDS_TWO',
    'OVERPAID_CHOICE_REQUIRED',
    'SAME_AMOUNT_ORDER',
    'TRANSFER_MAY_BE_USED',
    'PAYOUT_ABOVE_HELD',
    'REFUND_SENT',
    'FORBIDDEN',
    'SECOND_WORD_NEEDED',
  ],
})
export type LineDecision = z.output<typeof decideStatementLine.body>
