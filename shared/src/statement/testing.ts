import { AppError } from '../errors.ts'
import { amountOf, type Order, placeOrder } from '../order/order.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import type { Role } from '../permissions.ts'
import { addSeconds } from '../time.ts'
import { entriesOf } from '../wallet/ledger.ts'
import type { TopUpStatus } from '../wallet/top-up.ts'
import {
  type CreditedWallet,
  type DecidedFacts,
  decideLine,
  type LineChoice,
  type LineDecider,
  type LineOutcome,
  type MatchSubject,
  type NumberedLine,
} from './line-decision.ts'
import type { Payable } from './matching.ts'
import type { LineStep } from './statement.ts'

export const now = new Date('2026-11-20T07:10:00Z')
export const made = new Date('2026-11-20T07:00:00Z')
export const LARGE = 2_000_000
export const by = (uid = 'm1', role: Role = 'manager'): LineDecider => ({
  actor: { uid, role },
  largeAboveSatang: LARGE,
})

const draft = {
  id: 'o',
  orderNo: 'KT1',
  buyerUid: 'c1',
  payment: 'bank' as const,
  receivingAccountId: 1,
  walletId: null,
  creditId: null,
  creditSatang: 0,
  gameId: 1,
  packageId: 2,
  playerId: '1',
  playerName: null,
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  costSatang: null,
}
export const waiting = placeOrder(draft, 15, { uid: 'c1', role: 'customer' }, made).order
export const AMOUNT = amountOf(waiting)
export const orderIn = (status: OrderStatus): Order => ({
  ...waiting,
  status,
  paidAt: ORDER_STATUS[status].money === 'none' ? null : now,
  endedAt: ORDER_STATUS[status].isEnded ? now : null,
})

export const lineOf = (change: Partial<NumberedLine> = {}): NumberedLine => ({
  id: 'l',
  no: 12,
  receivingAccountId: 1,
  day: '2026-11-20',
  at: addSeconds(made, 120),
  precisionSeconds: 60,
  amountSatang: AMOUNT,
  balanceSatang: null,
  detail: '',
  fromBank: null,
  fromAccount: null,
  channel: null,
  state: 'unmatched',
  version: 3,
  target: null,
  walletId: null,
  hasPaid: false,
  ...change,
})

const payableOf = (order: Order): Payable => ({
  target: { kind: 'order', id: order.id, no: order.orderNo },
  amountSatang: amountOf(order),
  receivingAccountId: order.receivingAccountId,
  status: order.status,
  createdAt: order.createdAt,
  expiresAt: order.expiresAt,
  paidAt: order.paidAt,
  endedAt: order.endedAt,
  reportedAt: order.transferReportedAt,
  lineId: null,
  toldAt: null,
  isCorrected: false,
  isCreditBack: false,
})

export const wallet: CreditedWallet = {
  id: 'w',
  ownerUid: 'c1',
  balanceSatang: 0,
  maxAmountSatang: 10_000_000,
  receivedTodaySatang: 0,
}
export const subjectOf = (order: Order, change: Partial<MatchSubject> = {}): MatchSubject => ({
  payable: payableOf(order),
  order,
  isOwn: false,
  wallet,
  rivalNo: null,
  ...change,
})
export const topUpSubject = (status: TopUpStatus, change: Partial<Payable> = {}): MatchSubject => ({
  payable: {
    ...payableOf(waiting),
    target: { kind: 'topUp', id: 'u', no: 'WT1' },
    status,
    expiresAt: null,
    paidAt: status === 'approve' ? now : null,
    ...change,
  },
  order: null,
  isOwn: false,
  wallet,
  rivalNo: null,
})

/** Nothing else has the money of the line. */
export const unused = { user: null, usedByNo: null }
type Match = Extract<LineChoice, { step: 'match' }>
export const matchOf = (subject: MatchSubject, change: Partial<Match> = {}): Match => ({
  step: 'match',
  subject,
  reason: null,
  overpaid: null,
  sameAmountOrderNo: null,
  ...unused,
  ...change,
})
type Payout = Extract<LineChoice, { step: 'bookPayout' }>
export const payoutOf = (change: Partial<Payout> = {}): Payout => ({
  step: 'bookPayout',
  gateway: 'opn',
  feeSatang: 0,
  heldSatang: 1_000_000,
  reason: null,
  rivalNo: null,
  sameAmountOrderNo: null,
  ...unused,
  ...change,
})
export const because = { reason: 'ลูกค้ายืนยัน' }
export const nothing: DecidedFacts = {
  subject: null,
  sale: null,
  booked: null,
  wallet: null,
  isRefundSent: false,
  canWait: false,
}

export const decide = (line: NumberedLine, choice: LineChoice, decider = by()) => decideLine(line, choice, decider, now)
export function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}
export const codeOfMatch = (line: NumberedLine, choice: Match, decider = by()) =>
  codeOf(() => decide(line, choice, decider))

/** What an outcome moves, by account, as "bank:1 -14937, sales 14937". */
export function moves({ order, ledger }: Pick<LineOutcome, 'order' | 'ledger'>): string {
  const sums = new Map<string, number>()
  const transactions = [order?.ledger, ledger].filter(each => each != null)
  for (const { account, amountSatang } of transactions.flatMap(each => entriesOf(each.postings)))
    sums.set(account, (sums.get(account) ?? 0) + amountSatang)
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .sort()
    .map(([account, sum]) => `${account} ${sum}`)
    .join(', ')
}

export const choices: Record<LineStep, LineChoice> = {
  match: matchOf(subjectOf(waiting)),
  bookPayout: payoutOf(),
  creditWallet: { step: 'creditWallet', wallet, reason: 'x', ...unused },
  oweRefund: { step: 'oweRefund', order: null, reason: 'x', ...unused },
  ignore: { step: 'ignore', reason: 'x' },
  undo: { step: 'undo', decided: nothing, reason: 'x' },
}
