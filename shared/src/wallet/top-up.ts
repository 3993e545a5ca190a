import type { PaymentCode } from '../catalogue/payment-method.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { formatBahtShort, type Satang } from '../money.ts'
import { addSeconds } from '../time.ts'
import type { TransferUse } from '../transfer/transfer.ts'
import { type LedgerAccount, type LedgerTransaction, type NewTransaction, reversalOf } from './ledger.ts'

/** A top-up through the gateway waits for payment and may expire; one by transfer waits for approval. */
export const TOP_UP_STATUSES = ['waiting_payment', 'waiting_approve', 'approve', 'reject', 'cancel', 'expired'] as const
export type TopUpStatus = (typeof TOP_UP_STATUSES)[number]

export const TOP_UP_STATUS_LABELS: Record<TopUpStatus, string> = {
  waiting_payment: 'รอชำระเงิน',
  waiting_approve: 'รออนุมัติ',
  approve: 'อนุมัติ',
  reject: 'ไม่อนุมัติ',
  cancel: 'ยกเลิก',
  expired: 'หมดเวลา',
}

/** How a top-up is paid: by a transfer that people approve, or by a method of the gateway, where no person approves. */
export type TopUpPayment = Exclude<PaymentCode, 'wallet' | 'credit'>

/** The kinds of lines in a wallet's history, and the direction of the money; the API uses these words as values. */
export const ACTION_TYPES = ['เติมเงิน', 'เติมเกม'] as const
export type ActionType = (typeof ACTION_TYPES)[number]
export const TRANS_TYPES = ['ฝาก', 'ถอน', 'คืนเงิน'] as const
export type TransType = (typeof TRANS_TYPES)[number]

/** The limits of a wallet by its owner's tier, with its balance. */
export interface TopUpLimits {
  balanceSatang: Satang
  maxAmountSatang: Satang
  minTopUpSatang: Satang
}

/** A request to put money on a wallet. Nothing moves until it is approved: by people, or by the gateway's money. */
export interface TopUp {
  id: string
  no: string
  walletId: string
  /** The owner of the wallet. */
  ownerUid: string
  amountSatang: Satang
  payment: TopUpPayment
  status: TopUpStatus
  /** Counts changes; an approver names the version that they looked at. */
  version: number
  slipId: string | null
  /** The account that the money was sent to; null when nobody said. */
  receivingAccountId: number | null
  /** When it must be paid; null for a transfer. */
  expiresAt: Date | null
  enteredBy: string
  /** The first of two approvers. */
  firstApprovedBy: string | null
  /** null for the shop itself. */
  decidedBy: string | null
  decidedAt: Date | null
  reason: string | null
  /** When a correction took its money back. */
  correctedAt: Date | null
  createdAt: Date
}

/** A decision about a top-up; the money is posted in the transaction that saves it. */
export interface TopUpOutcome {
  topUp: TopUp
  ledger: NewTransaction | null
  /** The bank transfer that pays it. */
  uses?: TransferUse
}

/** Agents may transfer up to this long before they enter a top-up, or after they entered it. */
export const TOP_UP_SECONDS = 24 * 3600

/**
 * Returns the transfer of a top-up by its slip or its approver's word. @param toldAt when it was made, if a provider
 * confirmed it
 */
export const transferOf = (topUp: TopUp, toldAt: Date | null, now: Date): TransferUse => ({
  kind: 'topUp',
  subjectId: topUp.id,
  receivingAccountId: topUp.receivingAccountId,
  amountSatang: topUp.amountSatang,
  made: { from: addSeconds(topUp.createdAt, -TOP_UP_SECONDS), to: now },
  slipId: topUp.slipId,
  toldAt,
  lineId: null,
  apartFrom: null,
})

/**
 * Returns how much still fits on the wallet: the tier's maximum minus the balance. Waiting top-ups are checked when
 * they are approved.
 */
export function roomOf(limits: Pick<TopUpLimits, 'balanceSatang' | 'maxAmountSatang'>): Satang {
  return Math.max(0, limits.maxAmountSatang - limits.balanceSatang)
}

/** @throws TOP_UP_ABOVE_ROOM */
export function checkRoom(amountSatang: Satang, limits: Pick<TopUpLimits, 'balanceSatang' | 'maxAmountSatang'>): void {
  const room = roomOf(limits)
  if (amountSatang > room) throw new AppError('TOP_UP_ABOVE_ROOM', { values: { n: formatBahtShort(room) } })
}

/** @throws TOP_UP_ABOVE_ROOM, TOP_UP_BELOW_MINIMUM */
export function checkTopUpAmount(amountSatang: Satang, limits: TopUpLimits): void {
  checkRoom(amountSatang, limits)
  const minimum = Math.max(1, limits.minTopUpSatang)
  if (amountSatang < minimum) throw new AppError('TOP_UP_BELOW_MINIMUM', { values: { n: formatBahtShort(minimum) } })
}

const UNDECIDED: readonly TopUpStatus[] = ['waiting_payment', 'waiting_approve']

function mustWait(topUp: TopUp, statuses: readonly TopUpStatus[] = ['waiting_approve']): void {
  if (!statuses.includes(topUp.status)) throw new AppError('TOP_UP_NOT_WAITING', { details: { status: topUp.status } })
}

type Request = Pick<TopUp, 'amountSatang' | 'slipId' | 'receivingAccountId'>

/** @throws TOP_UP_ABOVE_ROOM, TOP_UP_BELOW_MINIMUM */
export function enterTopUp(
  draft: Request & Pick<TopUp, 'id' | 'no' | 'walletId' | 'ownerUid' | 'enteredBy'>,
  limits: TopUpLimits,
  now: Date,
): TopUp {
  checkTopUpAmount(draft.amountSatang, limits)
  return {
    ...draft,
    payment: 'bank',
    status: 'waiting_approve',
    version: 1,
    expiresAt: null,
    firstApprovedBy: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    correctedAt: null,
    createdAt: now,
  }
}

/** Only the person who entered a request may change it; otherwise somebody could edit it and then approve it. */
export function canEditTopUp(topUp: Pick<TopUp, 'status' | 'enteredBy'>, uid: string | null): boolean {
  return topUp.status === 'waiting_approve' && topUp.enteredBy === uid
}

/** Edits a request. It starts over, because an approval of another amount or slip no longer counts. */
export function editTopUp(topUp: TopUp, request: Request, limits: TopUpLimits, uid: string): TopUp {
  if (topUp.enteredBy !== uid) throw new AppError('NOT_FOUND')
  mustWait(topUp)
  checkTopUpAmount(request.amountSatang, limits)
  return { ...topUp, ...request, version: topUp.version + 1, firstApprovedBy: null }
}

/** The owner of the wallet and the person who entered the request may cancel it. */
export function canCancelTopUp(topUp: Pick<TopUp, 'status' | 'enteredBy' | 'ownerUid'>, uid: string | null): boolean {
  return UNDECIDED.includes(topUp.status) && (topUp.enteredBy === uid || topUp.ownerUid === uid)
}

function decide(topUp: TopUp, status: TopUpStatus, uid: string, reason: string | null, now: Date): TopUp {
  return { ...topUp, status, version: topUp.version + 1, decidedBy: uid, decidedAt: now, reason }
}

export function cancelTopUp(topUp: TopUp, uid: string, now: Date): TopUp {
  if (![topUp.enteredBy, topUp.ownerUid].includes(uid)) throw new AppError('NOT_FOUND')
  mustWait(topUp, UNDECIDED)
  return decide(topUp, 'cancel', uid, null, now)
}

export function rejectTopUp(topUp: TopUp, uid: string, reason: string | null, now: Date): TopUp {
  mustWait(topUp)
  const why = reason?.trim()
  if (!why) throw new AppError('REASON_REQUIRED')
  return decide(topUp, 'reject', uid, why, now)
}

/** The facts that decide whether a top-up needs two approvers. */
export interface ApprovalWeight {
  twoApproversAboveSatang: Satang
  /** What the wallet received by other top-ups on this day. */
  receivedTodaySatang: Satang
}

/** The person who would approve, with the facts that may prevent them. */
export interface Approver extends ApprovalWeight {
  uid: string
  /** Accounts whose password or PIN they set within `RESET_SECONDS`: they could have acted as these. */
  recentlyReset: readonly string[]
  /** The account of the statement line with its money; null while none is matched. */
  lineAccountId: number | null
}

/** For this long somebody who set an account's password or PIN can't approve its money, nor what it entered or approved. */
export const RESET_SECONDS = 24 * 3600

/**
 * Tells whether two approvers are needed. Amounts are added up over the day, so that a large one can't be approved in
 * small parts.
 */
export function needsTwoApprovers(topUp: Pick<TopUp, 'amountSatang'>, weight: ApprovalWeight): boolean {
  return weight.receivedTodaySatang + topUp.amountSatang > weight.twoApproversAboveSatang
}

/** Returns why this person can't approve it, apart from the wallet's limit; null when they can. */
export function approvalBarrier(topUp: TopUp, approver: Approver): ErrorCode | null {
  const { uid, recentlyReset } = approver
  const people = [topUp.ownerUid, topUp.enteredBy, topUp.firstApprovedBy]
  if (topUp.status !== 'waiting_approve') return 'TOP_UP_NOT_WAITING'
  if (topUp.enteredBy === uid || topUp.ownerUid === uid) return 'TOP_UP_OWN_ENTRY'
  if (people.some(person => person !== null && recentlyReset.includes(person))) return 'TOP_UP_RECENT_RESET'
  if (topUp.slipId === null && approver.lineAccountId === null) return 'TOP_UP_NEEDS_SLIP'
  const needsAnother = needsTwoApprovers(topUp, approver) && topUp.firstApprovedBy === uid
  return needsAnother ? 'TOP_UP_NEEDS_SECOND_APPROVER' : null
}

/**
 * An approver's decision. Naming another receiving account changes what is approved, so an earlier first approval no
 * longer counts.
 */
export interface Approval {
  reason: string | null
  receivingAccountId: number | null
  /** When the transfer on its slip was made, if a provider confirmed it; null when none did. */
  toldAt: Date | null
}

/**
 * Approves the version the approver looked at. Above the set amount the first approval is only recorded and the
 * money moves with the second person's.
 * @throws TOP_UP_NOT_WAITING, TOP_UP_OWN_ENTRY, TOP_UP_RECENT_RESET, TOP_UP_NEEDS_SLIP, TOP_UP_NEEDS_SECOND_APPROVER,
 *   TOP_UP_ABOVE_ROOM
 */
export function approveTopUp(
  waiting: TopUp,
  limits: TopUpLimits,
  approver: Approver,
  approval: Approval,
  now: Date,
): TopUpOutcome {
  const { uid } = approver
  const receivingAccountId = approver.lineAccountId ?? approval.receivingAccountId ?? waiting.receivingAccountId
  const firstApprovedBy = receivingAccountId === waiting.receivingAccountId ? waiting.firstApprovedBy : null
  const topUp = { ...waiting, receivingAccountId, firstApprovedBy }
  const barrier = approvalBarrier(topUp, approver)
  if (barrier) throw new AppError(barrier, { details: { status: topUp.status } })
  checkRoom(topUp.amountSatang, limits)
  if (needsTwoApprovers(topUp, approver) && firstApprovedBy === null)
    return { topUp: { ...topUp, version: topUp.version + 1, firstApprovedBy: uid }, ledger: null }
  const approved = decide(topUp, 'approve', uid, approval.reason?.trim() || null, now)
  // Money on an unnamed bank account is posted to suspense until a statement line explains it.
  const from: LedgerAccount = receivingAccountId === null ? 'suspense' : `bank:${receivingAccountId}`
  const postings = [{ from, to: `wallet:${topUp.walletId}` as const, amountSatang: topUp.amountSatang }]
  const ledger: NewTransaction = { kind: 'top_up', postings, reason: approved.reason, reversesId: null }
  return { topUp: approved, ledger, uses: transferOf(topUp, approval.toldAt, now) }
}

/** The money of a top-up through the gateway came for certain, so there is no wrong approval to take back. */
export function canCorrectTopUp(topUp: TopUp, uid: string): boolean {
  const { status, payment, correctedAt, ownerUid } = topUp
  return status === 'approve' && payment === 'bank' && correctedAt === null && ownerUid !== uid
}

/**
 * Takes the money of a wrongly approved top-up back by reversing its transaction; both stay in the books.
 * @throws TOP_UP_GATEWAY, CONFLICT when it has no money to take back, TOP_UP_OWN_ENTRY, WALLET_BALANCE_TOO_LOW when it was spent.
 */
export function correctTopUp(
  topUp: TopUp,
  original: LedgerTransaction,
  balanceSatang: Satang,
  correction: { uid: string; reason: string },
  now: Date,
): { topUp: TopUp; ledger: NewTransaction } {
  if (topUp.payment !== 'bank') throw new AppError('TOP_UP_GATEWAY')
  if (topUp.status !== 'approve' || topUp.correctedAt) throw new AppError('CONFLICT')
  if (!canCorrectTopUp(topUp, correction.uid)) throw new AppError('TOP_UP_OWN_ENTRY')
  if (balanceSatang < topUp.amountSatang) throw new AppError('WALLET_BALANCE_TOO_LOW')
  const corrected = { ...topUp, version: topUp.version + 1, correctedAt: now, reason: correction.reason }
  return { topUp: corrected, ledger: reversalOf(original, correction.reason) }
}
