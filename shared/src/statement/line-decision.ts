import { AppError, invariant } from '../errors.ts'
import type { Satang } from '../money.ts'
import { payByLine, undoPayment } from '../order/line-payment.ts'
import { amountOf, type NewOwedRefund, type Order, type OrderOutcome, required } from '../order/order.ts'
import { type Actor, ORDER_STATUS, SYSTEM } from '../order/status.ts'
import { can } from '../permissions.ts'
import { mayBeUsed, type TransferUse, type UsedTransfer } from '../transfer/transfer.ts'
import {
  type LedgerAccount,
  type LedgerTransaction,
  type NewTransaction,
  type Posting,
  reversalOf,
} from '../wallet/ledger.ts'
import { checkRoom, needsTwoApprovers } from '../wallet/top-up.ts'
import { momentOf, needsOf, type Payable, standingOf } from './matching.ts'
import {
  LINE_STATE,
  type LineEvent,
  type LineStep,
  type LineTarget,
  type Overpaid,
  type StatementLine,
} from './statement.ts'

/** Who decides. `largeAboveSatang`: the two-person amount, above which more than one word is needed. */
export interface LineDecider {
  actor: Actor
  largeAboveSatang: Satang
}

/** A wallet that money may be put on. */
export interface CreditedWallet {
  id: string
  ownerUid: string
  balanceSatang: Satang
  maxAmountSatang: Satang
  /** What it received on this day so far. */
  receivedTodaySatang: Satang
}

/** What a line is to be matched to, locked, with the wallet of whose money it would be. */
export interface MatchSubject {
  payable: Payable
  /** null for a top-up. */
  order: Order | null
  /** Whether who decides bought or entered it. */
  isOwn: boolean
  wallet: CreditedWallet | null
  /** An unpaid order that the line fits without a question, where it is not to be matched to that. */
  rivalNo: string | null
}

/** What a decided line led to, as far as it has to be taken back. */
export interface DecidedFacts {
  /** What it was matched to; null where it was matched to nothing. `isBooked`: its money is in the books without the line. */
  subject: (Pick<MatchSubject, 'order' | 'isOwn'> & { isBooked: boolean }) | null
  /** The sale that stands of that order. */
  sale: LedgerTransaction | null
  /** What the line itself posted and still stands. */
  booked: LedgerTransaction | null
  /** Where it put money on a wallet. */
  wallet: Pick<CreditedWallet, 'ownerUid' | 'balanceSatang'> | null
  isRefundSent: boolean
  /** Whether the order could wait for its money again, see `undoPayment`. */
  canWait: boolean
}

/** What may have the money of a line already, by a slip or a person's word, and the number of that which was seen. */
interface Users {
  user: UsedTransfer | null
  usedByNo: string | null
}

export type LineChoice =
  | ({
      step: 'match'
      subject: MatchSubject
      reason: string | null
      overpaid: Overpaid | null
      /** The rival that was seen. */
      sameAmountOrderNo: string | null
    } & Users)
  | ({ step: 'creditWallet'; wallet: CreditedWallet; reason: string } & Users)
  | ({ step: 'oweRefund'; order: { id: string; orderNo: string; isOwn: boolean } | null; reason: string } & Users)
  | { step: 'ignore'; reason: string }
  | { step: 'undo'; decided: DecidedFacts; reason: string }

export type NumberedLine = StatementLine & { no: number }

/** All that a decision about a line leads to; stored in one transaction. */
export interface LineOutcome {
  line: StatementLine
  event: LineEvent
  order: OrderOutcome | null
  /** What the line moves beside the sale of an order, or takes back of that. */
  ledger: NewTransaction | null
  owed: NewOwedRefund | null
  /** What was owed because of this line no longer is. */
  endsOwed: boolean
  /** The bank transfer that its money is, where no order's outcome names it. */
  uses: TransferUse | null
  /** What an undone decision gives back: the whole transfer, or, of what stays paid without it, the line alone. */
  frees: 'transfer' | 'line' | null
}

/**
 * Decides what a line is.
 * @throws LINE_STEP_NOT_ALLOWED, LINE_TARGET_TAKEN, REASON_REQUIRED, SAME_AMOUNT_ORDER, OVERPAID_CHOICE_REQUIRED, OWN_ORDER, TOP_UP_OWN_ENTRY,
 *   FORBIDDEN, WALLET_NOT_FOUND, WALLET_BALANCE_TOO_LOW, TOP_UP_ABOVE_ROOM, CREDIT_NEEDS_TWO, REFUND_SENT,
 *   ORDER_STATUS_NOT_ALLOWED, TRANSFER_MAY_BE_USED
 */
export function decideLine(line: NumberedLine, choice: LineChoice, by: LineDecider, now: Date): LineOutcome {
  if (!LINE_STATE[line.state].steps[choice.step]) throw new AppError('LINE_STEP_NOT_ALLOWED')
  if (choice.step === 'match') return match(line, choice, by, now)
  if (choice.step === 'undo') return undo(line, choice.decided, choice.reason, by, now)
  const outcome = changed(line, choice.step, { target: null, reason: choice.reason, actor: by.actor, now })
  if (choice.step === 'ignore') return outcome
  mustKnowUser(choice)
  const uses = useOf(line, { kind: 'line', id: line.id }, null)
  if (choice.step === 'creditWallet') {
    const posting = credit(line, choice.wallet, line.amountSatang, by)
    const onWallet = { ...outcome.line, walletId: choice.wallet.id }
    return { ...outcome, line: onWallet, ledger: booked([posting], choice.reason), uses }
  }
  const { order } = choice
  if (order?.isOwn) throw new AppError('OWN_ORDER')
  const posting: Posting = { from: bankOf(line), to: 'refunds', amountSatang: line.amountSatang }
  return {
    ...outcome,
    event: { ...outcome.event, target: order && { kind: 'order', id: order.id, no: order.orderNo } },
    ledger: booked([posting], choice.reason),
    owed: { orderId: order?.id ?? null, lineId: line.id, amountSatang: line.amountSatang, reason: choice.reason },
    uses,
  }
}

/** Money that a slip or a person's word brought already came once: who books it again has seen what has it. */
function mustKnowUser({ user, usedByNo, reason }: Users & { reason: string | null }): void {
  if (user === null) return
  if (user.no !== usedByNo) throw mayBeUsed(user)
  required(reason, 'REASON_REQUIRED')
}

const useOf = (
  line: StatementLine,
  { kind, id }: { kind: TransferUse['kind']; id: string },
  slipId: string | null,
): TransferUse => ({
  kind,
  subjectId: id,
  receivingAccountId: line.receivingAccountId,
  amountSatang: line.amountSatang,
  made: momentOf(line),
  slipId,
  toldAt: null,
  lineId: line.id,
})

/** The match that nobody has to confirm, of what `matchOf` found. `order`: locked, null for a top-up. */
export function matchByItself(line: NumberedLine, payable: Payable, order: Order | null, now: Date): LineOutcome {
  const subject = { payable, order, isOwn: false, wallet: null, rivalNo: null }
  const unseen = { sameAmountOrderNo: null, user: null, usedByNo: null }
  const choice = { step: 'match', subject, reason: null, overpaid: null, ...unseen } as const
  return decideLine(line, choice, { actor: SYSTEM, largeAboveSatang: 0 }, now)
}

const bankOf = (line: StatementLine): LedgerAccount => `bank:${line.receivingAccountId}`

function booked(postings: Posting[], reason: string | null): NewTransaction | null {
  return postings.length === 0 ? null : { kind: 'line_booked', postings, reason, reversesId: null }
}

/** The line after a step, with nothing moved yet. */
function changed(
  line: NumberedLine,
  step: LineStep,
  { target, reason, actor, now }: { target: LineTarget | null; reason: string | null; actor: Actor; now: Date },
): LineOutcome {
  const state = LINE_STATE[line.state].steps[step]
  invariant(state, 'a step that the table knows')
  return {
    line: { ...line, state, version: line.version + 1, target, walletId: null, hasPaid: false },
    event: { step, target, actorUid: actor.uid, reason, at: now },
    order: null,
    ledger: null,
    owed: null,
    endsOwed: false,
    uses: null,
    frees: null,
  }
}

/** Money of a line put on a wallet; what takes two people is entered as a top-up and approved by them. */
function credit(line: StatementLine, wallet: CreditedWallet, amountSatang: Satang, by: LineDecider): Posting {
  if (wallet.ownerUid === by.actor.uid) throw new AppError('TOP_UP_OWN_ENTRY')
  checkRoom(amountSatang, wallet)
  const weight = { twoApproversAboveSatang: by.largeAboveSatang, receivedTodaySatang: wallet.receivedTodaySatang }
  if (needsTwoApprovers({ amountSatang }, weight)) throw new AppError('CREDIT_NEEDS_TWO')
  return { from: bankOf(line), to: `wallet:${wallet.id}`, amountSatang }
}

function mustBeOthers(isOwn: boolean, kind: LineTarget['kind']): void {
  if (isOwn) throw new AppError(kind === 'order' ? 'OWN_ORDER' : 'TOP_UP_OWN_ENTRY')
}

type MatchChoice = Extract<LineChoice, { step: 'match' }>

function match(line: NumberedLine, choice: MatchChoice, by: LineDecider, now: Date): LineOutcome {
  const { payable, order, isOwn, rivalNo } = choice.subject
  const { target, amountSatang } = payable
  mustBeOthers(isOwn, target.kind)
  if (payable.lineId !== null) throw new AppError('LINE_TARGET_TAKEN')
  const needs = needsOf(line, payable)
  if (needs === 'impossible') throw new AppError('LINE_STEP_NOT_ALLOWED', { details: { status: payable.status } })
  const reason = choice.reason?.trim() || null
  if (needs === 'reason' && !reason) throw new AppError('REASON_REQUIRED')
  if (rivalNo !== null && rivalNo !== choice.sameAmountOrderNo)
    throw new AppError('SAME_AMOUNT_ORDER', { values: { orderNo: rivalNo }, details: { orderNo: rivalNo } })
  mustKnowUser(choice)
  const { actor } = by
  const uses = useOf(line, target, order?.slipId ?? null)
  const outcome = { ...changed(line, 'match', { target, reason, actor, now }), uses }
  const rest = placeRest(line, choice, by)
  const owed = rest?.to === 'refunds' && {
    orderId: order?.id ?? null,
    lineId: line.id,
    amountSatang: rest.amountSatang,
  }
  const owing = owed ? { owed: { ...owed, reason: reason ?? '' } } : {}
  if (standingOf(payable) === 'booked') {
    const covered = coverage(line, amountSatang, accountOf(payable))
    return { ...outcome, ...owing, ledger: booked(rest ? [...covered, rest] : covered, reason) }
  }
  // The money of a top-up is put on its wallet when it is approved.
  if (!order) return outcome
  if (actor.role !== 'system' && amountSatang > by.largeAboveSatang && !can(actor.role, 'order.markLargePaid'))
    throw new AppError('FORBIDDEN')
  const postings = coverage(line, amountSatang, 'sales')
  const paid = payByLine(order, actor, { reason: paidBy(line, reason), postings, uses }, now)
  const paying = { ...outcome.line, hasPaid: true }
  return { ...outcome, ...owing, line: paying, order: paid, ledger: booked(rest ? [rest] : [], reason), uses: null }
}

/** What an order's history says of the line that paid it. */
const paidBy = ({ no }: Pick<NumberedLine, 'no'>, reason: string | null): string =>
  `รายการเงินเข้าหมายเลข ${no}${reason ? ` · ${reason}` : ''}`

/** Where the money of what is in the books stands as having come from. */
const accountOf = ({ receivingAccountId }: Payable): LedgerAccount =>
  receivingAccountId === null ? 'suspense' : `bank:${receivingAccountId}`

/** The line's money where the amount is to stand; what is missing of it the shop gives up. */
function coverage(line: StatementLine, amountSatang: Satang, to: LedgerAccount): Posting[] {
  const came = Math.min(line.amountSatang, amountSatang)
  const short = amountSatang - came
  const from = bankOf(line)
  const postings: Posting[] = from === to ? [] : [{ from, to, amountSatang: came }]
  return short > 0 ? [...postings, { from: 'differences', to, amountSatang: short }] : postings
}

/** What becomes of money above the amount; null without any. */
function placeRest(line: StatementLine, { subject, overpaid }: MatchChoice, by: LineDecider): Posting | null {
  const amountSatang = line.amountSatang - subject.payable.amountSatang
  if (amountSatang <= 0) return null
  if (!overpaid) throw new AppError('OVERPAID_CHOICE_REQUIRED')
  if (overpaid !== 'credit')
    return { from: bankOf(line), to: overpaid === 'owe' ? 'refunds' : 'differences', amountSatang }
  if (!subject.wallet) throw new AppError('WALLET_NOT_FOUND')
  return credit(line, subject.wallet, amountSatang, by)
}

/** Takes a decision back: what it moved is reversed, and the line is open again. */
function undo(
  line: NumberedLine,
  decided: DecidedFacts,
  reason: string,
  { actor }: LineDecider,
  now: Date,
): LineOutcome {
  const { subject, sale, wallet, canWait } = decided
  if (line.target) mustBeOthers(subject?.isOwn ?? false, line.target.kind)
  if (wallet && wallet.ownerUid === actor.uid) throw new AppError('TOP_UP_OWN_ENTRY')
  if (decided.isRefundSent) throw new AppError('REFUND_SENT')
  const creditedSatang = (decided.booked?.postings ?? [])
    .filter(({ to }) => to.startsWith('wallet:'))
    .reduce((sum, { amountSatang }) => sum + amountSatang, 0)
  invariant(creditedSatang === 0 || wallet, 'who undoes a credit knows the wallet')
  if (wallet && wallet.balanceSatang < creditedSatang) throw new AppError('WALLET_BALANCE_TOO_LOW')
  const order = subject?.order ?? null
  const outcome = changed(line, 'undo', { target: line.target, reason, actor, now })
  return {
    ...outcome,
    line: { ...outcome.line, target: null },
    order: line.hasPaid ? takeBack(order, sale, { actor, reason, canWait }, now) : mayUnlink(line, order),
    ledger: decided.booked && reversalOf(decided.booked, reason, 'line_undone'),
    endsOwed: true,
    // What undoes the payment of an order frees its transfer itself.
    frees: line.hasPaid ? null : subject?.isBooked ? 'line' : 'transfer',
  }
}

function takeBack(
  order: Order | null,
  sale: LedgerTransaction | null,
  by: Parameters<typeof undoPayment>[2],
  now: Date,
) {
  invariant(order, 'a line that paid an order is matched to it')
  if (!sale) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  return undoPayment(order, sale, by, now)
}

/** An order that was paid without the line stays as it is; what was given back of it was what this line brought. */
function mayUnlink(line: StatementLine, order: Order | null): null {
  if (order && ORDER_STATUS[order.status].money === 'returned' && line.amountSatang < amountOf(order))
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  return null
}
