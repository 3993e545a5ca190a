import { AppError } from '@shop/shared/errors.ts'
import { isOwnOrder, type Order } from '@shop/shared/order/order.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import {
  type CreditedWallet,
  type DecidedFacts,
  decideLine,
  type LineChoice,
  type LineOutcome,
  type MatchSubject,
} from '@shop/shared/statement/line-decision.ts'
import { factsOfLine, fitting, needsOf, standingOf } from '@shop/shared/statement/matching.ts'
import { LINE_STATE, type LineTarget } from '@shop/shared/statement/statement.ts'
import { bangkokDay, startOfBangkokDay } from '@shop/shared/time.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import { uuidv7 } from 'uuidv7'
import { isOwner } from '../account/caller.ts'
import { audit } from '../audit/store.ts'
import { type Context, mustBeOnce, type Person, personOf, type Route, route } from '../call/route.ts'
import { type Sql, violatedConstraint } from '../database/database.ts'
import { lockHeldAt } from '../gateway/store.ts'
import { runOnce } from '../http/idempotency.ts'
import { canWaitAgain, insertOwedRefund, lockOrder, saveOutcome } from '../order/store.ts'
import { findUsers, freeTransfer, lockAmounts, untieLine, useTransfer } from '../transfer/store.ts'
import { moveValue } from '../value/moving.ts'
import { findTwoPersonAmount } from '../value/store.ts'
import {
  findLedgerTransaction,
  findReceivedSince,
  findWallet,
  findWalletOf,
  lockWallet,
  postLedger,
} from '../wallet/store.ts'
import { lockTopUp } from '../wallet/top-up-store.ts'
import { readLineDetails } from './lines.ts'
import { matchBeside } from './matching.ts'
import { endOwedRefunds, isRefundSent } from './refund-store.ts'
import { findPayable, findPayablesOf, isGivenBy, lockLine, type StoredLine, saveLine } from './store.ts'

/** The person who decides, with what belongs to them as a guest of the same browser. */
type Decider = Pick<Context, 'uid' | 'guestHash' | 'caller' | 'now'>

const actorOf = ({ uid, caller }: Decider) => ({ uid, role: caller })

async function creditedWallet(tx: Sql, walletId: string, now: Date): Promise<CreditedWallet> {
  const { id, uid, balanceSatang, maxAmountSatang } = await lockWallet(tx, walletId)
  const since = startOfBangkokDay(bangkokDay(now))
  const receivedTodaySatang = await findReceivedSince(tx, { walletId, since, except: null })
  return { id, ownerUid: uid, balanceSatang, maxAmountSatang, receivedTodaySatang }
}

interface Locked {
  order: Order | null
  isOwn: boolean
  /** Whether its money is in the books. */
  isBooked: boolean
  /** The wallet of the person whose money it would be; null when they have none. */
  walletId: string | null
}

/** Locks the order or top-up that a line is matched to. */
async function lockTarget(
  tx: Sql,
  by: Decider,
  { kind, id }: { kind: 'order' | 'topUp'; id: string },
): Promise<Locked | null> {
  if (kind === 'topUp') {
    const topUp = await lockTopUp(tx, id)
    if (!topUp) return null
    const isOwn = [topUp.ownerUid, topUp.enteredBy].includes(by.uid!)
    return { order: null, isOwn, isBooked: topUp.status === 'approve', walletId: topUp.walletId }
  }
  const locked = await lockOrder(tx, { id })
  if (!locked) return null
  const { order, buyerKey } = locked
  const isOwn = isOwner(by, buyerKey) || isOwnOrder(order, actorOf(by))
  const isBooked = ORDER_STATUS[order.status].money !== 'none'
  return { order, isOwn, isBooked, walletId: order.buyerUid && (await findWalletOf(tx, order.buyerUid)) }
}

type Choice<Step> = Extract<contract.LineDecision, { step: Step }>

/** Returns the number of a waiting order that a line fits exactly, other than what it is to be matched to. */
async function findRival(tx: Sql, line: StoredLine, targetId: string | null): Promise<string | null> {
  const near = (await findPayablesOf(tx, [line])).get(line.id)!
  const rival = fitting(line, near).find(
    each => each.target.kind === 'order' && each.target.id !== targetId && standingOf(each) === 'open',
  )
  return rival?.target.no ?? null
}

async function loadSubject(tx: Sql, by: Decider, line: StoredLine, wanted: Choice<'match'>): Promise<MatchSubject> {
  const locked = await lockTarget(tx, by, wanted.target)
  const payable = locked && (await findPayable(tx, wanted.target))
  if (!payable) throw new AppError('NOT_FOUND')
  const { order, isOwn, walletId } = locked
  const credits = wanted.overpaid === 'credit' && walletId !== null
  const wallet = credits ? await creditedWallet(tx, walletId, by.now) : null
  return { payable, order, isOwn, wallet, rivalNo: await findRival(tx, line, payable.target.id) }
}

/** Returns the wallet that a transaction put money on. */
const walletIn = (transaction: LedgerTransaction | null): string | undefined =>
  transaction?.postings.find(({ to }) => to.startsWith('wallet:'))?.to.slice('wallet:'.length)

async function loadDecided(tx: Sql, by: Decider, line: StoredLine): Promise<DecidedFacts> {
  const subject = line.target && (await lockTarget(tx, by, line.target))
  const booked = await findLedgerTransaction(tx, { subjectId: line.id, kind: 'line_booked' })
  const walletId = walletIn(booked)
  const paid = line.hasPaid ? subject?.order : null
  return {
    subject,
    booked,
    sale: paid ? await findLedgerTransaction(tx, { subjectId: paid.id, kind: 'order_paid' }) : null,
    wallet: walletId ? await creditedWallet(tx, walletId, by.now) : null,
    isRefundSent: await isRefundSent(tx, line.id),
    canWait: paid ? await canWaitAgain(tx, paid.id) : false,
  }
}

/**
 * Returns what else may already have the line's money. Nobody else can use such a transfer until the transaction ends.
 */
async function findUser(tx: Sql, line: StoredLine, target: Pick<LineTarget, 'kind' | 'id'> | null) {
  await lockAmounts(tx, [line.amountSatang])
  const [user] = await findUsers(tx, { ...factsOfLine(line, target?.kind ?? 'line'), subjectId: target?.id ?? null })
  return user ?? null
}

async function loadChoice(tx: Sql, by: Decider, line: StoredLine, wanted: contract.LineDecision): Promise<LineChoice> {
  switch (wanted.step) {
    case 'match': {
      const { reason = null, overpaid = null, sameAmountOrderNo = null, usedByNo = null } = wanted
      const subject = await loadSubject(tx, by, line, wanted)
      const user = await findUser(tx, line, wanted.target)
      return { step: 'match', subject, reason, overpaid, sameAmountOrderNo, user, usedByNo }
    }
    case 'bookPayout': {
      const { gateway, feeSatang, reason = null, sameAmountOrderNo = null, usedByNo = null } = wanted
      const heldSatang = await lockHeldAt(tx, gateway)
      const rivalNo = await findRival(tx, line, null)
      const known = { rivalNo, sameAmountOrderNo, user: await findUser(tx, line, null), usedByNo }
      return { step: 'bookPayout', gateway, feeSatang, heldSatang, reason, ...known }
    }
    case 'creditWallet': {
      if (!(await findWallet(tx, wanted.walletId))) throw new AppError('WALLET_NOT_FOUND')
      const wallet = await creditedWallet(tx, wanted.walletId, by.now)
      return { ...wanted, wallet, user: await findUser(tx, line, null), usedByNo: wanted.usedByNo ?? null }
    }
    case 'oweRefund': {
      const { orderId, reason, usedByNo = null } = wanted
      const known = { user: await findUser(tx, line, null), usedByNo }
      if (!orderId) return { step: 'oweRefund', order: null, reason, ...known }
      const locked = await lockTarget(tx, by, { kind: 'order', id: orderId })
      if (!locked?.order) throw new AppError('NOT_FOUND')
      const { id, orderNo } = locked.order
      return { step: 'oweRefund', order: { id, orderNo, isOwn: locked.isOwn }, reason, ...known }
    }
    case 'ignore':
      return wanted
    case 'undo':
      return { step: 'undo', decided: await loadDecided(tx, by, line), reason: wanted.reason }
  }
}

/** Stores everything that a decision led to. */
async function save(tx: Sql, before: StoredLine, outcome: LineOutcome): Promise<void> {
  const { line, event, order, ledger, owed, endsOwed, uses, frees } = outcome
  if (order) await saveOutcome(tx, order)
  if (uses) await useTransfer(tx, uses, event.at)
  if (frees === 'transfer') await freeTransfer(tx, before.target?.id ?? line.id)
  if (frees === 'line') await untieLine(tx, line.id)
  if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: line.id })
  if (owed) await insertOwedRefund(tx, owed, event.at)
  if (endsOwed) await endOwedRefunds(tx, line.id, event.at)
  await saveLine(tx, line, event)
}

/** Returns the wallet that a choice puts money on. */
const walletOf = (choice: LineChoice): CreditedWallet | null =>
  choice.step === 'creditWallet' ? choice.wallet : choice.step === 'match' ? choice.subject.wallet : null

/**
 * Returns what a person claims by matching a line by hand to something it does not fit: the amount, and the wallet that
 * a top-up adds it to. Somebody could pick a stranger's line from the list. A line from the person's own file was
 * already counted when they uploaded it.
 */
async function findClaimed(tx: Sql, by: Person, line: StoredLine, choice: LineChoice) {
  if (choice.step !== 'match') return null
  const { payable } = choice.subject
  if (standingOf(payable) !== 'open' || needsOf(line, payable) !== 'reason') return null
  const amountSatang = Math.min(line.amountSatang, payable.amountSatang)
  if (payable.target.kind === 'topUp')
    return { amountSatang, ownerUid: (await lockTopUp(tx, payable.target.id))!.ownerUid }
  return (await isGivenBy(tx, line.id, by.uid)) ? null : { amountSatang, ownerUid: null }
}

/**
 * Checks and records the money that a decision gives away: to a wallet, for an order, or as a refund that is owed.
 * @throws SECOND_WORD_NEEDED
 */
async function moveDecided(
  tx: Sql,
  by: Person,
  line: StoredLine,
  choice: LineChoice,
  { ledger, owed, event }: LineOutcome,
) {
  const move = { subject: `statementLine:${line.id}`, note: event.reason ?? '' } as const
  const claimed = await findClaimed(tx, by, line, choice)
  const creditedSatang = (ledger?.postings ?? [])
    .filter(({ to }) => to.startsWith('wallet:'))
    .reduce((sum, { amountSatang }) => sum + amountSatang, 0)
  const ownerUid = claimed?.ownerUid ?? (creditedSatang > 0 && walletOf(choice)?.ownerUid)
  // One agreement covers one movement, so the credited and the claimed amount are added up.
  const amountSatang = creditedSatang + (claimed?.amountSatang ?? 0)
  if (ownerUid) {
    const of = { owners: [`u:${ownerUid}`], isOwnWord: await isGivenBy(tx, line.id, by.uid) }
    await moveValue(tx, by, { ...move, ...of, kind: 'walletCredit', amountSatang })
  } else if (claimed) await moveValue(tx, by, { ...move, kind: 'paidByHand', amountSatang })
  if (owed) await moveValue(tx, by, { ...move, kind: 'refundOwed', amountSatang: owed.amountSatang })
}

/** Returns the fields of a line that the audit log stores. */
const audited = ({ state, target, walletId, amountSatang }: LineOutcome['line'], order: Order | null | undefined) => ({
  state,
  amountSatang,
  target: target?.no ?? null,
  walletId,
  ...(order && { orderNo: order.orderNo, orderStatus: order.status }),
})

/** Decides about a line in the version that the caller saw. */
async function decide(tx: Sql, context: Context, id: string, wanted: contract.LineDecision): Promise<void> {
  const line = await lockLine(tx, id)
  if (!line) throw new AppError('NOT_FOUND')
  if (!LINE_STATE[line.state].steps[wanted.step]) throw new AppError('LINE_STEP_NOT_ALLOWED')
  if (line.version !== wanted.version) throw new AppError('CONFLICT')
  await decideLocked(tx, context, line, wanted)
}

/** Decides about a locked line, and stores the result and its audit entry. @throws see `decideLine` */
export async function decideLocked(
  tx: Sql,
  context: Context,
  line: StoredLine,
  wanted: contract.LineDecision,
): Promise<void> {
  const choice = await loadChoice(tx, context, line, wanted)
  const by = { actor: actorOf(context), largeAboveSatang: await findTwoPersonAmount(tx) }
  const outcome = decideLine(line, choice, by, context.now)
  await save(tx, line, outcome)
  const person = personOf(context)
  if (choice.step !== 'undo') await moveDecided(tx, person, line, choice, outcome)
  const before =
    choice.step === 'match' ? choice.subject.order : choice.step === 'undo' ? choice.decided.subject?.order : null
  await audit(tx, person, {
    action: 'statement.decide',
    subject: `statementLine:${line.id}`,
    before: audited(line, before),
    after: {
      ...audited(outcome.line, outcome.order?.order),
      step: wanted.step,
      reason: outcome.event.reason,
      ...(choice.step === 'bookPayout' && { gateway: choice.gateway, feeSatang: choice.feeSatang }),
      ...(choice.step === 'match' && { differenceSatang: line.amountSatang - choice.subject.payable.amountSatang }),
    },
  })
}

/** The buyer placed another order just now. At the next look this order has ended and is no longer unpaid. */
const UNPAID_ONCE = ['orders_one_unpaid', 'orders_guest_slot']

async function decideOnce(context: Context, id: string, wanted: contract.LineDecision) {
  const { shop, now } = context
  const work = async (tx: Sql) => {
    await decide(tx, context, id, wanted)
    return readLineDetails(tx, id)
  }
  const decided = await runOnce(shop.db, mustBeOnce(context), now, work).catch((error: unknown) => {
    if (UNPAID_ONCE.includes(violatedConstraint(error) ?? '')) throw new AppError('CONFLICT')
    throw error
  })
  // Who says that this is another transfer says, too, that the line beside it is not.
  if ('usedByNo' in wanted && wanted.usedByNo) await matchBeside(shop, decided.line.receivingAccountId)
  return decided
}

export const decideRoutes: Route[] = [
  route(contract.decideStatementLine, ({ params, body }, context) => decideOnce(context, params.id, body)),
]
