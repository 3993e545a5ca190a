import { AppError, invariant } from '../errors.ts'
import { formatBaht, type Satang } from '../money.ts'
import { payByLine, undoPayment } from '../order/line-payment.ts'
import { dueOf, type NewOwedRefund, type Order, type OrderOutcome, required } from '../order/order.ts'
import { type Actor, ORDER_STATUS, SYSTEM } from '../order/status.ts'
import { can } from '../permissions.ts'
import type { GatewayName } from '../provider-names.ts'
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

/** The person who decides. `largeAboveSatang` is the two-person amount, above which one person's word is not enough. */
export interface LineDecider {
  actor: Actor
  largeAboveSatang: Satang
}

/** A wallet that may receive money. */
export interface CreditedWallet {
  id: string
  ownerUid: string
  balanceSatang: Satang
  maxAmountSatang: Satang
  /** The sum that it has received on this day. */
  receivedTodaySatang: Satang
}

/** The locked order or top-up that a line is matched to, with the wallet of the person whose money it would be. */
export interface MatchSubject {
  payable: Payable
  /** null for a top-up. */
  order: Order | null
  /** Whether the person who decides bought or entered it. */
  isOwn: boolean
  wallet: CreditedWallet | null
  /** The number of an unpaid order that the line fits exactly, when it is to be matched to something else. */
  rivalNo: string | null
}

/** The results of a decided line that an undo must reverse. */
export interface DecidedFacts {
  /** The thing it was matched to; null when there is none. `isBooked`: its money is in the books without the line. */
  subject: (Pick<MatchSubject, 'order' | 'isOwn'> & { isBooked: boolean }) | null
  /** The sale of that order, if it was not reversed. */
  sale: LedgerTransaction | null
  /** What the line itself posted, if it was not reversed. */
  booked: LedgerTransaction | null
  /** The wallet that received its money. */
  wallet: Pick<CreditedWallet, 'ownerUid' | 'balanceSatang'> | null
  isRefundSent: boolean
  /** Whether the order could be unpaid again, see `undoPayment`. */
  canWait: boolean
}

/**
 * Something that may already have a line's money on a slip's or a person's word, and the number that the caller saw.
 */
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
      /** The number of the rival order that the caller saw. */
      sameAmountOrderNo: string | null
    } & Users)
  | ({
      step: 'bookPayout'
      gateway: GatewayName
      /** What the gateway keeps of what it pays out. */
      feeSatang: Satang
      /** What it has collected and not paid out by the books. */
      heldSatang: Satang
      reason: string | null
      rivalNo: string | null
      sameAmountOrderNo: string | null
    } & Users)
  | ({ step: 'creditWallet'; wallet: CreditedWallet; reason: string } & Users)
  | ({ step: 'oweRefund'; order: { id: string; orderNo: string; isOwn: boolean } | null; reason: string } & Users)
  | { step: 'ignore'; reason: string }
  | { step: 'undo'; decided: DecidedFacts; reason: string }

export type NumberedLine = StatementLine & { no: number }

/** All results of a decision about a line, stored in one transaction. */
export interface LineOutcome {
  line: StatementLine
  event: LineEvent
  order: OrderOutcome | null
  /** The transaction of the line, beside the sale of an order, or its reversal. */
  ledger: NewTransaction | null
  owed: NewOwedRefund | null
  /** Whether the refunds owed because of this line are cancelled. */
  endsOwed: boolean
  /** The bank transfer that the money came by, unless an order's outcome names it. */
  uses: TransferUse | null
  /** What undoing a decision frees: the whole transfer or, for a thing that stays paid, only the line. */
  frees: 'transfer' | 'line' | null
}

/**
 * Decides what a line is.
 * @throws LINE_STEP_NOT_ALLOWED, LINE_TARGET_TAKEN, REASON_REQUIRED, SAME_AMOUNT_ORDER, OVERPAID_CHOICE_REQUIRED,
 *   OWN_ORDER, TOP_UP_OWN_ENTRY, FORBIDDEN, WALLET_NOT_FOUND, WALLET_BALANCE_TOO_LOW, TOP_UP_ABOVE_ROOM, CREDIT_NEEDS_TWO,
 *   REFUND_SENT, ORDER_STATUS_NOT_ALLOWED, TRANSFER_MAY_BE_USED, PAYOUT_ABOVE_HELD
 */
export function decideLine(line: NumberedLine, choice: LineChoice, by: LineDecider, now: Date): LineOutcome {
  if (!LINE_STATE[line.state].steps[choice.step]) throw new AppError('LINE_STEP_NOT_ALLOWED')
  if (choice.step === 'match') return match(line, choice, by, now)
  if (choice.step === 'undo') return undo(line, choice.decided, choice.reason, by, now)
  const outcome = changed(line, choice.step, { target: null, reason: choice.reason, actor: by.actor, now })
  if (choice.step === 'ignore') return outcome
  mustKnowUser(choice)
  if (choice.step === 'bookPayout') return { ...outcome, ...payOut(line, choice) }
  const uses = useOf(line, { kind: 'line', id: line.id }, null, choice.user)
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

/**
 * Money that came on a slip's or a person's word is in the books already, so a caller who books it again must have seen
 * what has it.
 */
function mustKnowUser({ user, usedByNo, reason }: Users & { reason: string | null }): void {
  if (user === null) return
  if (user.no !== usedByNo) throw mayBeUsed(user)
  required(reason, 'REASON_REQUIRED')
}

/** An order that the line fits exactly would lose its money, so a caller who books it elsewhere must have seen that order. */
function mustKnowRival({ rivalNo, sameAmountOrderNo }: { rivalNo: string | null; sameAmountOrderNo: string | null }) {
  if (rivalNo !== null && rivalNo !== sameAmountOrderNo)
    throw new AppError('SAME_AMOUNT_ORDER', { values: { orderNo: rivalNo }, details: { orderNo: rivalNo } })
}

/**
 * The gateway sends what it has collected. That came in when it was collected, so it only moves on; what is more than the
 * gateway holds is somebody else's money, or that of charges the shop does not know yet.
 */
function payOut(
  line: NumberedLine,
  choice: Extract<LineChoice, { step: 'bookPayout' }>,
): Pick<LineOutcome, 'ledger' | 'uses'> {
  const { gateway, feeSatang, heldSatang, reason } = choice
  mustKnowRival(choice)
  if (choice.rivalNo !== null) required(reason, 'REASON_REQUIRED')
  if (line.amountSatang + feeSatang > heldSatang)
    throw new AppError('PAYOUT_ABOVE_HELD', { values: { held: formatBaht(heldSatang) } })
  const to: LedgerAccount = `gateway:${gateway}`
  const fee: Posting[] = feeSatang > 0 ? [{ from: 'fees', to, amountSatang: feeSatang }] : []
  return {
    ledger: booked([{ from: bankOf(line), to, amountSatang: line.amountSatang }, ...fee], reason),
    uses: useOf(line, { kind: 'line', id: line.id }, null, choice.user),
  }
}

const useOf = (
  line: StatementLine,
  { kind, id }: { kind: TransferUse['kind']; id: string },
  slipId: string | null,
  seen: UsedTransfer | null,
): TransferUse => ({
  kind,
  subjectId: id,
  receivingAccountId: line.receivingAccountId,
  amountSatang: line.amountSatang,
  made: momentOf(line),
  slipId,
  toldAt: null,
  lineId: line.id,
  apartFrom: seen?.id ?? null,
})

/**
 * Decides a match that the shop found and nobody has to confirm. `order` is locked; null for a top-up. `reason` says why
 * where the line does not fit.
 */
export function matchByItself(
  line: NumberedLine,
  { payable, reason }: { payable: Payable; reason: string | null },
  order: Order | null,
  now: Date,
): LineOutcome {
  const subject = { payable, order, isOwn: false, wallet: null, rivalNo: null }
  const unseen = { sameAmountOrderNo: null, user: null, usedByNo: null }
  const choice = { step: 'match', subject, reason, overpaid: null, ...unseen } as const
  return decideLine(line, choice, { actor: SYSTEM, largeAboveSatang: 0 }, now)
}

const bankOf = (line: StatementLine): LedgerAccount => `bank:${line.receivingAccountId}`

function booked(postings: Posting[], reason: string | null): NewTransaction | null {
  return postings.length === 0 ? null : { kind: 'line_booked', postings, reason, reversesId: null }
}

/** Returns the line after a step; no money has moved yet. */
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

/** Puts a line's money on a wallet. An amount that needs two people is entered as a top-up for them to approve. */
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
  if (needs === 'impossible') {
    const isOver = standingOf(payable) === 'over'
    throw new AppError(isOver ? 'LINE_TARGET_OVER' : 'LINE_TARGET_AMOUNT', { details: { status: payable.status } })
  }
  const reason = choice.reason?.trim() || null
  if (needs === 'reason' && !reason) throw new AppError('REASON_REQUIRED')
  mustKnowRival({ ...choice, rivalNo })
  mustKnowUser(choice)
  const { actor } = by
  const uses = useOf(line, target, order?.slipId ?? null, choice.user)
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
  // A top-up's money is put on the wallet when it is approved.
  if (!order) return outcome
  if (actor.role !== 'system' && amountSatang > by.largeAboveSatang && !can(actor.role, 'order.markLargePaid'))
    throw new AppError('FORBIDDEN')
  const postings = coverage(line, amountSatang, 'sales')
  const paid = payByLine(order, actor, { reason: paidBy(line, reason), postings, uses }, now)
  const paying = { ...outcome.line, hasPaid: true }
  return { ...outcome, ...owing, line: paying, order: paid, ledger: booked(rest ? [rest] : [], reason), uses: null }
}

/** Returns the note in an order's history about the line that paid it. */
const paidBy = ({ no }: Pick<NumberedLine, 'no'>, reason: string | null): string =>
  `รายการเงินเข้าหมายเลข ${no}${reason ? ` · ${reason}` : ''}`

/** Returns the account that money in the books is recorded as having come from. */
const accountOf = ({ receivingAccountId }: Payable): LedgerAccount =>
  receivingAccountId === null ? 'suspense' : `bank:${receivingAccountId}`

/** Returns the postings that bring an amount from a line's money; the shop gives up what is missing. */
function coverage(line: StatementLine, amountSatang: Satang, to: LedgerAccount): Posting[] {
  const came = Math.min(line.amountSatang, amountSatang)
  const short = amountSatang - came
  const from = bankOf(line)
  const postings: Posting[] = from === to ? [] : [{ from, to, amountSatang: came }]
  return short > 0 ? [...postings, { from: 'differences', to, amountSatang: short }] : postings
}

/** Decides about money above the amount; null when there is none. */
function placeRest(line: StatementLine, { subject, overpaid }: MatchChoice, by: LineDecider): Posting | null {
  const amountSatang = line.amountSatang - subject.payable.amountSatang
  if (amountSatang <= 0) return null
  if (!overpaid) throw new AppError('OVERPAID_CHOICE_REQUIRED')
  if (overpaid !== 'credit')
    return { from: bankOf(line), to: overpaid === 'owe' ? 'refunds' : 'differences', amountSatang }
  if (!subject.wallet) throw new AppError('WALLET_NOT_FOUND')
  return credit(line, subject.wallet, amountSatang, by)
}

/** Undoes a decision: reverses its postings and makes the line open again. */
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
    // Undoing an order's payment frees its transfer by itself.
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

/** An order that was paid without the line does not change; refunds of it returned what this line brought. */
function mayUnlink(line: StatementLine, order: Order | null): null {
  if (order && ORDER_STATUS[order.status].money === 'returned' && line.amountSatang < dueOf(order))
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  return null
}
