import { randomInt } from 'node:crypto'
import type { AuditAction } from '@shop/shared/audit/action.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds, bangkokDay, bangkokMonthOf, startOfBangkokDay } from '@shop/shared/time.ts'
import type { ValueMove } from '@shop/shared/value/value.ts'
import type { decideTopUp } from '@shop/shared/wallet/endpoints.ts'
import {
  type Approver,
  approveTopUp,
  cancelTopUp,
  correctTopUp,
  editTopUp,
  enterTopUp,
  RESET_SECONDS,
  rejectTopUp,
  type TopUp,
  type TopUpOutcome,
} from '@shop/shared/wallet/top-up.ts'
import { uuidv7 } from 'uuidv7'
import { audit, findResetBy } from '../audit/store.ts'
import type { Person } from '../call/route.ts'
import { isReceivingAccount } from '../catalogue/store.ts'
import type { Sql } from '../database/database.ts'
import { endCharges } from '../gateway/store.ts'
import { tell } from '../outbox/outbox.ts'
import { findConfirmedAt } from '../slipcheck/store.ts'
import { freeTransfer, mustBeUnused, useTransfer } from '../transfer/store.ts'
import { releaseSlip, useSlip } from '../upload/store.ts'
import { moveValue } from '../value/moving.ts'
import { findTwoPersonAmount } from '../value/store.ts'
import { findLedgerTransaction, findReceivedSince, lockWallet, postLedger } from './store.ts'
import { findStatementLine, insertTopUp, lockTopUp, saveTopUp, type TopUpMoney } from './top-up-store.ts'

/**
 * Returns the person who approves a top-up, with everything that speaks against an approval by them. @param line the
 * statement line that shows its money, if any
 */
export async function approverOf(
  db: Sql,
  { uid, now }: Person,
  topUp: TopUp,
  line: TopUpMoney | null,
): Promise<Approver> {
  const { id, walletId, ownerUid, enteredBy, firstApprovedBy } = topUp
  const people = [ownerUid, enteredBy, ...(firstApprovedBy === null ? [] : [firstApprovedBy])]
  return {
    uid,
    twoApproversAboveSatang: await findTwoPersonAmount(db),
    receivedTodaySatang: await findReceivedSince(db, {
      walletId,
      since: startOfBangkokDay(bangkokDay(now)),
      except: id,
    }),
    recentlyReset: await findResetBy(db, uid, people, addSeconds(now, -RESET_SECONDS)),
    lineAccountId: line?.receivingAccountId ?? null,
  }
}

/** Makes a number like "WT2611-04821937"; it is short enough to be read out, as an order's number is. */
export const newTopUpNo = (now: Date): string => {
  const month = bangkokMonthOf(now)
  return `WT${month.slice(2, 4)}${month.slice(5, 7)}-${String(randomInt(100_000_000)).padStart(8, '0')}`
}

export interface TopUpRequest {
  amountSatang: number
  slipId: string | null
  receivingAccountId?: number | null
}

/** Checks the receiving account of a request and hands its slip in for this top-up. */
async function claimSlip(tx: Sql, by: Person, topUpId: string, request: TopUpRequest) {
  const { amountSatang, slipId, receivingAccountId = null } = request
  if (receivingAccountId !== null && !(await isReceivingAccount(tx, receivingAccountId)))
    throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  if (slipId) await useSlip(tx, { slipId, uploaderKey: `u:${by.uid}`, usedFor: topUpId })
  return { amountSatang, slipId, receivingAccountId }
}

/** Stores a new top-up under a number that no other has. */
export async function insertNumbered(tx: Sql, topUp: TopUp, now: Date): Promise<TopUp> {
  for (let drawn = topUp; ; drawn = { ...topUp, no: newTopUpNo(now) }) if (await insertTopUp(tx, drawn)) return drawn
}

/** Enters a request on a wallet, for its owner or by staff on the owner's behalf. */
export async function add(tx: Sql, by: Person, walletId: string, request: TopUpRequest): Promise<TopUp> {
  const wallet = await lockWallet(tx, walletId)
  const id = uuidv7()
  const draft = { id, no: newTopUpNo(by.now), walletId, ownerUid: wallet.uid, enteredBy: by.uid }
  const topUp = enterTopUp({ ...draft, ...(await claimSlip(tx, by, id, request)) }, wallet, by.now)
  const entered = await insertNumbered(tx, topUp, by.now)
  await tell(tx, { event: 'topUpEntered', id, now: by.now })
  return entered
}

/** A top-up with a matched statement line can't be edited, because the line's money would then belong to nothing. */
async function mustHaveNoLine(tx: Sql, topUp: TopUp): Promise<void> {
  if (await findStatementLine(tx, topUp.id)) throw new AppError('TOP_UP_HAS_LINE')
}

/** Edits a waiting request, and exchanges its slip if that changed. */
export async function change(tx: Sql, by: Person, id: string, request: TopUpRequest): Promise<TopUp> {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  // Whether the caller may edit is decided before any slip changes.
  const slip = { slipId: request.slipId, receivingAccountId: request.receivingAccountId ?? null }
  const edited = editTopUp(topUp, { ...slip, amountSatang: request.amountSatang }, wallet, by.uid)
  await mustHaveNoLine(tx, topUp)
  if (topUp.slipId !== request.slipId) await releaseSlip(tx, topUp.slipId, id)
  await claimSlip(tx, by, id, request)
  await saveTopUp(tx, edited)
  return edited
}

/** Cancels a waiting request, frees its slip and gives up its charges. */
export async function cancel(tx: Sql, by: Person, id: string): Promise<TopUp> {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  const cancelled = cancelTopUp(topUp, by.uid, by.now)
  await mustHaveNoLine(tx, topUp)
  await releaseSlip(tx, topUp.slipId, id)
  if (topUp.payment !== 'bank') await endCharges(tx, { topUpId: id }, by.now)
  await saveTopUp(tx, cancelled)
  return cancelled
}

/** Enters a request on behalf of an agent; it waits for approval like any other. */
export async function addOnBehalf(tx: Sql, by: Person, walletId: string, request: TopUpRequest): Promise<TopUp> {
  const topUp = await add(tx, by, walletId, request)
  await saveDecision(tx, by, 'topUp.add', null, { topUp, ledger: null })
  return topUp
}

/** Returns the fields of a top-up that the audit log stores. */
const audited = ({ no, walletId, status, amountSatang, firstApprovedBy, reason, correctedAt }: TopUp) => ({
  no,
  walletId,
  status,
  amountSatang,
  firstApprovedBy,
  reason,
  ...(correctedAt && { correctedAt: correctedAt.toISOString() }),
})

/** Saves a decision of the back office: the top-up, its money and its audit entry. */
async function saveDecision(tx: Sql, by: Person, action: AuditAction, before: TopUp | null, outcome: TopUpOutcome) {
  const { topUp, ledger, uses } = outcome
  if (before) await saveTopUp(tx, topUp)
  if (uses) await useTransfer(tx, uses, by.now)
  if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: topUp.id })
  if (before && before.status !== topUp.status) await tell(tx, { event: 'topUpDecided', id: topUp.id, now: by.now })
  const sides = { before: before && audited(before), after: audited(topUp) }
  await audit(tx, by, { action, subject: `topUp:${topUp.id}`, ...sides })
}

type Decision = ParsedInput<typeof decideTopUp>['body']

/**
 * Returns the movement of value that one person's approval of a top-up is; null when something other than people proves
 * its money.
 */
function moveOf(by: Person, line: TopUpMoney | null): Pick<ValueMove, 'kind' | 'isOwnWord' | 'note'> | null {
  if (!line) return { kind: 'topUpByWord', note: 'ธนาคารยังไม่แสดงเงิน และบริการตรวจสลิปยังไม่ยืนยัน' }
  if (line.givenBy === by.uid) return { kind: 'topUpByWord', isOwnWord: true, note: 'เงินอยู่ในไฟล์ที่ผู้อนุมัตินำเข้าเอง' }
  if (!line.wasThere || line.isKnownSender || line.isCounted) return null
  return { kind: 'walletCredit', note: 'เงินเข้าก่อนแจ้งเติม จากบัญชีที่กระเป๋านี้ไม่เคยใช้' }
}

/** @throws SECOND_WORD_NEEDED */
async function moveByWord(tx: Sql, by: Person, topUp: TopUp, line: TopUpMoney | null): Promise<void> {
  const { id, no, amountSatang, ownerUid, firstApprovedBy } = topUp
  const move = firstApprovedBy === null ? moveOf(by, line) : null
  if (!move) return
  const about = { subject: `topUp:${id}`, owners: [`u:${ownerUid}`], amountSatang } as const
  await moveValue(tx, by, { ...move, ...about, note: `${no} ${move.note}` })
}

/** Approves or rejects a top-up in the version that the caller saw. */
export async function decide(tx: Sql, by: Person, decision: Decision): Promise<TopUp> {
  const { id, version, status, reason = null, receivingAccountId = null } = decision
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  if (topUp.status === 'waiting_approve' && topUp.version !== version) throw new AppError('CONFLICT')
  if (status === 'reject') {
    const rejected = rejectTopUp(topUp, by.uid, reason, by.now)
    await mustHaveNoLine(tx, topUp)
    await releaseSlip(tx, topUp.slipId, id)
    await saveDecision(tx, by, 'topUp.reject', topUp, { topUp: rejected, ledger: null })
    return rejected
  }
  if (receivingAccountId !== null && !(await isReceivingAccount(tx, receivingAccountId)))
    throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  const line = await findStatementLine(tx, id)
  const approver = await approverOf(tx, by, topUp, line)
  const toldAt = await findConfirmedAt(tx, topUp)
  const outcome = approveTopUp(topUp, wallet, approver, { reason, receivingAccountId, toldAt }, by.now)
  // When the bank's own line shows the money, a slip adds no proof.
  if (outcome.uses && !line) await mustBeUnused(tx, outcome.uses, decision)
  if (outcome.ledger && toldAt === null) await moveByWord(tx, by, topUp, line)
  await saveDecision(tx, by, 'topUp.approve', topUp, outcome)
  return outcome.topUp
}

/** Takes back the money of an approved top-up by a reversing entry. */
export async function correct(tx: Sql, by: Person, id: string, reason: string) {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  const original = await findLedgerTransaction(tx, { subjectId: id, kind: 'top_up' })
  if (!original) throw new AppError('CONFLICT')
  await mustHaveNoLine(tx, topUp)
  const outcome = correctTopUp(topUp, original, wallet.balanceSatang, { uid: by.uid, reason }, by.now)
  await freeTransfer(tx, id)
  await saveDecision(tx, by, 'topUp.correct', topUp, outcome)
  return { id, no: topUp.no, balanceSatang: wallet.balanceSatang - topUp.amountSatang }
}
