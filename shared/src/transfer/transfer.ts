import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { addSeconds } from '../time.ts'

/** Both ends are in it. */
export interface Period {
  from: Date
  to: Date
}

export const pointOf = (at: Date): Period => ({ from: at, to: at })

export const overlap = (a: Period, b: Period): boolean => a.from <= b.to && b.from <= a.to

/** Where the money of a transfer went: what it pays, or, on a wallet or owed back, the statement line itself. */
export type TransferUserKind = 'order' | 'topUp' | 'line'

/** A bank transfer that a decision uses up. What has its money already is told what more is known of it. */
export interface TransferUse {
  kind: TransferUserKind
  subjectId: string
  /** null where nobody named one. */
  receivingAccountId: number | null
  amountSatang: Satang
  /** When it can have been made, by what the decision knows. */
  made: Period
  /** The slip that was handed in for it. */
  slipId: string | null
  /** When the transfer on that slip was made, as a provider confirmed it; null: nobody did. */
  toldAt: Date | null
  lineId: string | null
}

/** A bank transfer as a statement line, a slip or somebody's word shows it. */
export interface TransferFacts {
  /** What has its money, or is to have it. */
  kind: TransferUserKind
  /** Accounts it came to, where a line or a provider tells; null where only somebody says so. */
  accountIds: readonly number[] | null
  amountSatang: Satang
  made: Period
  lineId: string | null
  /** Sending bank and reference on its slip, as one text. */
  reference: string | null
  /** A provider confirmed that slip. What only stands on a picture tells no transfers apart. */
  isConfirmed: boolean
}

/** A transfer that has its user. */
export interface UsedTransfer extends TransferFacts {
  id: string
  /** Number of the order or top-up, or of the statement line. */
  no: string
  /** Number of its statement line. */
  lineNo: number | null
}

/** Clocks differ, and banks write a transfer down some minutes after they told of it. */
const APART_SECONDS = 15 * 60
/**
 * An order has its amount for itself: the next one to have it is paid five minutes later at the earliest. Only a line that
 * comes late may still be that of an order which waits for its own.
 */
const ORDERS_APART_SECONDS = 4 * 60

/** When the transfer that something has may have been told of another time. */
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

/** Whether two references that differ are of two transfers: both confirmed, or both mere pictures and no line of either. */
const areTwo = (a: TransferFacts, b: TransferFacts): boolean =>
  a.reference !== null &&
  b.reference !== null &&
  (a.isConfirmed ? b.isConfirmed : !b.isConfirmed && a.lineId === null && b.lineId === null)

/**
 * Whether a transfer that is asked about may be the one that something has already. Two lines of a statement are two transfers, and so are two slips that a
 * provider confirmed. A reference that stands on a picture alone can be drawn: it says nothing beside a line or a
 * confirmed slip. Beyond that the account, the amount and the time decide.
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

/** A used transfer in words for staff. */
export const usedTransferText = ({ kind, no, lineNo }: Pick<UsedTransfer, 'kind' | 'no' | 'lineNo'>): string => {
  if (kind === 'line') return `รายการธนาคารหมายเลข ${no}`
  return lineNo === null ? no : `${no} (รายการธนาคารหมายเลข ${lineNo})`
}

/** The refusal that names what may have the money already: who has seen that sends the same again with its number. */
export const mayBeUsed = (user: UsedTransfer): AppError =>
  new AppError('TRANSFER_MAY_BE_USED', { values: { what: usedTransferText(user) }, details: { usedByNo: user.no } })
