import { invariant } from '@shop/shared/errors.ts'
import type { CheckedSlip } from '@shop/shared/order/hold.ts'
import { transferWindow } from '@shop/shared/order/order.ts'
import { decide, type Outcome, type Past, type StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import { quotaFor } from '@shop/shared/slipcheck/quota.ts'
import type { AnswerKind } from '@shop/shared/slipcheck/reply.ts'
import type { SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import { isTransferConfirmed, type Rival, type SlipClaim, type Verdict } from '@shop/shared/slipcheck/verdict.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { periodFor, usedTransferText } from '@shop/shared/transfer/transfer.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { findPaidBySlip, findUsers, lockAmounts } from '../transfer/store.ts'
import { lockSlip, type Slip } from '../upload/store.ts'
import type { AskedSlip, SlipProvider, SlipQuestion } from './provider.ts'
import * as store from './store.ts'
import type { LockedSubject, SlipSubjects } from './subject.ts'

const STOP_SECONDS = 3600
const QUOTA_WARNING = 0.8

/** Tells whether the month's checks are nearly used up, so that staff are warned. */
export const isQuotaLow = (used: number, quota: number): boolean => used >= quota * QUOTA_WARNING

type Parts = Pick<Shop, 'config' | 'now' | 'slipProvider'>

type Barrier = Extract<Outcome, { to: 'staff' | 'used' }>
const toStaff = (reason: StaffReason): Barrier => ({ to: 'staff', reason })

/** A check with all facts that decide it, locked. */
interface Loaded {
  check: store.SlipCheck
  subject: LockedSubject
  slip: Slip
  /** Whether the transfer on the slip paid something else. */
  isSpent: boolean
  /** The result that holds whatever the provider says; null when there is none. */
  barrier: Barrier | null
}

async function load(tx: Sql, subjects: SlipSubjects, checkId: string, now: Date): Promise<Loaded> {
  const found = await store.findSlipCheck(tx, checkId)
  invariant(found, 'a job names its check')
  const subject = await subjects[found.subject](tx, found.subjectId, found.createdAt, now)
  const slip = await lockSlip(tx, found.slipId)
  invariant(slip, 'a check names its slip')
  // While this waited for the lock, a newer check may have been made.
  const newest = await store.findNewestCheck(tx, found.subjectId)
  const isReplaced = newest?.id !== checkId || slip.usedFor !== found.subjectId
  const { stage } = subject
  const reason = stage !== 'open' ? stage : isReplaced ? 'replaced' : null
  const spentFor = await findPaidBySlip(tx, slip.id)
  const isSpent = spentFor !== null && spentFor !== found.subjectId
  const barrier = reason ? toStaff(reason) : isSpent ? ({ to: 'used' } as const) : null
  return { check: found, subject, slip, isSpent, barrier }
}

/** Returns why the provider must not be asked; null when it may be. */
async function costBarrier(
  tx: Sql,
  { config }: Parts,
  provider: SlipProvider,
  check: store.SlipCheck,
  now: Date,
): Promise<StaffReason | null> {
  const { SLIP_CHECKS_PER_CUSTOMER_AND_DAY: daily, SLIP_MONTHLY_QUOTA: monthly } = config
  await store.lockProvider(tx, provider.name)
  if (await store.findStop(tx, provider.name, now)) return 'stopped'
  if ((await store.countAsksOfDay(tx, check, now)) >= daily) return 'budget'
  const used = await store.countAsksOfMonth(tx, provider.name, now)
  if (used >= monthly) return 'quota'
  // A check that is also counted by an address comes from a guest.
  if (used >= quotaFor(monthly, check.addressKey !== null)) return 'reserved'
  if (isQuotaLow(used + 1, monthly) && !isQuotaLow(used, monthly))
    log('WARNING', 'slip checks of this month run out', { used: used + 1, quota: monthly })
  return null
}

const STATE: Record<Exclude<Outcome['to'], 'retry'>, SlipCheckState> = {
  approve: 'confirmed',
  staff: 'staff',
  askPicture: 'picture',
  stop: 'staff',
  used: 'used',
}

const reasonOf = (outcome: Outcome): StaffReason | null =>
  outcome.to === 'staff' ? outcome.reason : outcome.to === 'stop' ? 'stopped' : null

/** Stores an outcome's effect on the check, and tells the outbox whether the job is done. */
async function conclude(
  tx: Sql,
  { check, subject }: Loaded,
  outcome: Outcome,
  now: Date,
  toldAt: Date | null = null,
): Promise<Settlement> {
  if (check.state !== 'confirming') return { to: 'done' }
  if (outcome.to === 'retry') return { to: 'waiting', dueAt: outcome.at, error: null }
  const approval = outcome.to === 'approve' && toldAt ? await subject.approve(toldAt) : null
  const state = approval === 'used' ? approval : STATE[outcome.to]
  const approvedAt = approval === 'paid' ? now : null
  await store.saveSlipCheck(tx, { id: check.id, state, reason: reasonOf(outcome), decidedAt: now, approvedAt })
  return { to: 'done' }
}

type Prepared = { question: SlipQuestion; askId: string; provider: SlipProvider } | { barrier: Barrier }

/** Decides before the call whether the provider is asked at all, and records the question. */
async function prepare(tx: Sql, shop: Parts, subjects: SlipSubjects, checkId: string): Promise<Prepared> {
  const now = shop.now()
  const { check, subject, slip, barrier } = await load(tx, subjects, checkId, now)
  const provider = shop.slipProvider
  if (!provider) return { barrier: toStaff('off') }
  if (barrier) return { barrier }
  const obstacle = await costBarrier(tx, shop, provider, check, now)
  if (obstacle) return { barrier: toStaff(obstacle) }
  invariant(slip.qrText, 'only slips with a QR are asked about')
  const askId = uuidv7()
  await store.insertAsk(tx, { id: askId, checkId, provider: provider.name, askedAt: now })
  return { question: { qrText: slip.qrText, amountSatang: subject.claim.amountSatang }, askId, provider }
}

/**
 * Returns other things that the transfer could be meant for or may have paid. A top-up of the same amount is no rival
 * of an order, whose amount is its own. An order with the same slip is no rival either: when one transfer fits both,
 * only one of them gets paid.
 */
async function findRivals(tx: Sql, { check, subject, slip }: Loaded, now: Date): Promise<Rival[]> {
  const { accountIds, claim } = subject
  const same = { accountIds, amountSatang: claim.amountSatang, exceptId: check.subjectId }
  const isOrder = check.subject === 'order'
  const orders = await store.findRivalOrders(tx, { ...same, exceptSlipId: isOrder ? slip.id : null }, now)
  const rivals = orders.map(order => ({ no: order.no, window: transferWindow(order), hasPaid: false }))
  const waiting = isOrder ? rivals : [...rivals, ...(await store.findRivalTopUps(tx, same))]
  return [...(await findPaidRivals(tx, { check, subject, slip })), ...waiting]
}

/** Returns things that already have money of this amount and time, and so perhaps this very transfer. */
async function findPaidRivals(
  tx: Sql,
  { check, subject, slip }: Pick<Loaded, 'check' | 'subject' | 'slip'>,
): Promise<Rival[]> {
  const { accountIds, claim } = subject
  await lockAmounts(tx, [claim.amountSatang])
  const users = await findUsers(tx, {
    kind: check.subject,
    subjectId: check.subjectId,
    accountIds,
    amountSatang: claim.amountSatang,
    made: claim.window,
    lineId: null,
    reference: `${slip.sendingBank} ${slip.bankReference}`,
    isConfirmed: true,
  })
  return users.map(user => ({
    no: usedTransferText(user),
    window: periodFor({ kind: check.subject, lineId: null }, user),
    hasPaid: true,
  }))
}

async function claimOf(tx: Sql, loaded: Loaded, ask: Answered, now: Date): Promise<SlipClaim> {
  const { check, subject, slip, isSpent } = loaded
  const { sendingBank, bankReference } = slip
  invariant(sendingBank && bankReference, 'only slips with a reference are asked about')
  return {
    ...subject.claim,
    slip: { sendingBank, reference: bankReference },
    isSlipOurs: slip.usedFor === check.subjectId && !isSpent,
    rivals: await findRivals(tx, loaded, now),
    wasAskedBefore: await store.wasTransferAsked(tx, slip.id, ask.provider.name, ask.askId),
  }
}

interface Answered {
  askId: string
  provider: SlipProvider
  asked: AskedSlip
  tookMs: number
}

async function pastOf(tx: Sql, check: store.SlipCheck, askId: string): Promise<Past> {
  const { answers, firstAskedAt } = await store.findAnswers(tx, check.id, askId)
  return {
    answers,
    firstAskedAt: firstAskedAt ?? check.createdAt,
    handedInAt: check.createdAt,
    hasAskedPicture: await store.wasPictureAsked(tx, check),
  }
}

/**
 * Returns the part of a decision that takes effect: in shadow mode, or when something changed in the meantime, nothing
 * is marked paid.
 */
function effective(outcome: Outcome, { barrier }: Loaded, isShadow: boolean): Outcome {
  if (barrier) return barrier
  return isShadow && outcome.to === 'approve' ? { to: 'staff', reason: 'shadow' } : outcome
}

/** Answers that neither confirm nor deny the transfer. */
const SLOW: readonly AnswerKind[] = ['pending', 'bankDown', 'unreachable']

const keptBy = (check: store.SlipCheck, kind: AnswerKind, outcome: Outcome, verdict: Verdict | null): CheckedSlip => ({
  handedInAt: check.createdAt,
  isConfirmed: verdict !== null && isTransferConfirmed(verdict),
  askedAgainAt: outcome.to === 'retry' && SLOW.includes(kind) ? outcome.at : null,
})

async function save(tx: Sql, shop: Parts, subjects: SlipSubjects, checkId: string, ask: Answered) {
  const now = shop.now()
  const loaded = await load(tx, subjects, checkId, now)
  const { asked, askId, tookMs, provider } = ask
  const { answer, ...came } = asked
  const past = await pastOf(tx, loaded.check, askId)
  const { outcome, verdict } = decide(answer, await claimOf(tx, loaded, ask, now), past, now)
  const isShadow = shop.config.SLIP_SHADOW
  const reply = answer.kind === 'slip' ? answer.reply : null
  const told = { answer: answer.kind, reply, verdict, outcome: outcome.to }
  await store.saveAsk(tx, askId, { ...came, ...told, tookMs, isShadow })
  if (answer.kind === 'unknown')
    log('WARNING', 'slip provider answered in an unknown way', { provider: provider.name, status: came.httpStatus })
  if (outcome.to === 'stop') {
    log('ERROR', 'slip provider refuses the shop', { provider: provider.name, status: came.httpStatus })
    const until = addSeconds(now, STOP_SECONDS)
    await store.saveStop(tx, provider.name, { code: came.code, until })
  }
  const done = effective(outcome, loaded, isShadow)
  if (done.to !== 'approve') await loaded.subject.keep(keptBy(loaded.check, answer.kind, outcome, verdict))
  return conclude(tx, loaded, done, now, reply?.transferredAt ?? null)
}

/**
 * Checks a slip: reads the facts, asks the provider outside any transaction, then decides and stores the result in the
 * transaction that marks the order paid.
 */
export const slipCheckHandler = (subjects: SlipSubjects): OutboxHandler<'slip.check'> => ({
  concurrency: 8,
  lockSeconds: 120,
  mostFaults: 30,
  async run(shop, { checkId }) {
    const prepared = await shop.db.transaction(tx => prepare(tx, shop, subjects, checkId))
    if ('barrier' in prepared)
      return async tx => {
        const now = shop.now()
        return conclude(tx, await load(tx, subjects, checkId, now), prepared.barrier, now)
      }
    const { askId, provider, question } = prepared
    const started = performance.now()
    const asked = await provider.ask(question)
    const tookMs = Math.round(performance.now() - started)
    return tx => save(tx, shop, subjects, checkId, { askId, provider, asked, tookMs })
  },
  async giveUp(tx, { checkId }, now) {
    const check = await store.findSlipCheck(tx, checkId)
    if (check?.state !== 'confirming') return
    await store.saveSlipCheck(tx, { id: checkId, state: 'staff', reason: 'failed', decidedAt: now, approvedAt: null })
  },
})
