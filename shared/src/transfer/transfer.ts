import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { addSeconds } from '../time.ts'

/** A period that includes both ends. */
export interface Period {
  from: Date
  to: Date
}

export const pointOf = (at: Date): Period => ({ from: at, to: at })

export const overlap = (a: Period, b: Period): boolean => a.from <= b.to && b.from <= a.to

/** What has the money of a transfer: an order, a top-up, or the statement line itself if it was credited or is owed back. */
export type TransferUserKind = 'order' | 'topUp' | 'line'

/** A bank transfer that a decision uses. For something that has its money already, it adds newly known facts. */
export interface TransferUse {
  kind: TransferUserKind
  subjectId: string
  /** null when nobody named an account. */
  receivingAccountId: number | null
  amountSatang: Satang
  /** The period in which it can have been made, as far as the decision knows. */
  made: Period
  /** The slip that was handed in for it. */
  slipId: string | null
  /** When the transfer on that slip was made according to a provider; null when none confirmed it. */
  toldAt: Date | null
  lineId: string | null
  /** The thing that might have had this transfer already, until a person said that it had another one. */
  apartFrom: string | null
}

/** The facts about a bank transfer that a statement line, a slip or a person reports. */
export interface TransferFacts {
  /** The kind of thing that has its money, or will have it. */
  kind: TransferUserKind
  /** The possible receiving accounts according to a line or a provider; null when only a person names one. */
  accountIds: readonly number[] | null
  amountSatang: Satang
  made: Period
  lineId: string | null
  /** The sending bank and the reference on its slip, as one text. */
  reference: string | null
  /** Whether a provider confirmed that slip. A reference on a picture alone does not distinguish transfers. */
  isConfirmed: boolean
}

/** A transfer whose money something has. */
export interface UsedTransfer extends TransferFacts {
  id: string
  /** The number of the order, the top-up or the statement line. */
  no: string
  /** The number of its statement line. */
  lineNo: number | null
}

/** Clocks differ, and banks record a transfer some minutes after they report it. */
const APART_SECONDS = 15 * 60
/**
 * An amount belongs to one order at a time, and another order can be paid with it five minutes later at the earliest. So
 * two orders are compared more strictly, unless a line is compared with an order that still waits for its own line.
 */
const ORDERS_APART_SECONDS = 4 * 60

/** Returns the period in which another report of the same transfer can lie. */
export function periodFor(
  asked: Pick<TransferFacts, 'kind' | 'lineId'>,
  user: Pick<TransferFacts, 'kind' | 'lineId' | 'made'>,
): Period {
  const areOrders = asked.kind === 'order' && user.kind === 'order'
  const seconds = areOrders && (asked.lineId === null || user.lineId !== null) ? ORDERS_APART_SECONDS : APART_SECONDS
  return { from: addSeconds(user.made.from, -seconds), to: addSeconds(user.made.to, seconds) }
}

const shareAccount = (a: readonly number[] | null, b: readonly number[] | null): boolean =>
  a === null || b === null || a.some(id => b.includes(id))

/** Tells whether different references prove two transfers: both are confirmed, or both come from pictures without a line. */
const areTwo = (a: TransferFacts, b: TransferFacts): boolean =>
  a.reference !== null &&
  b.reference !== null &&
  (a.isConfirmed ? b.isConfirmed : !b.isConfirmed && a.lineId === null && b.lineId === null)

/**
 * Tells whether a transfer may be the one that something has already. Two statement lines are two transfers, and so are
 * two confirmed slips. A reference on a picture can be forged, so it proves nothing against a line or a confirmed slip.
 * Otherwise the account, the amount and the time decide.
 */
export function mayBeSame(asked: TransferFacts, user: TransferFacts): boolean {
  if (asked.lineId && user.lineId) return asked.lineId === user.lineId
  if (asked.reference && asked.reference === user.reference) return true
  if (areTwo(asked, user)) return false
  return (
    asked.amountSatang === user.amountSatang &&
    shareAccount(asked.accountIds, user.accountIds) &&
    overlap(periodFor(asked, user), asked.made)
  )
}

/** Describes a used transfer in words for staff. */
export const usedTransferText = ({ kind, no, lineNo }: Pick<UsedTransfer, 'kind' | 'no' | 'lineNo'>): string => {
  if (kind === 'line') return `รายการธนาคารหมายเลข ${no}`
  return lineNo === null ? no : `${no} (รายการธนาคารหมายเลข ${lineNo})`
}

/** Returns the refusal that names what may have the money already; the caller can repeat the call with its number. */
export const mayBeUsed = (user: UsedTransfer): AppError =>
  new AppError('TRANSFER_MAY_BE_USED', { values: { what: usedTransferText(user) }, details: { usedByNo: user.no } })
