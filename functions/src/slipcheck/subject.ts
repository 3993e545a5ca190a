import type { CheckedSlip } from '@shop/shared/order/hold.ts'
import type { SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import type { SlipClaim } from '@shop/shared/slipcheck/verdict.ts'
import type { Sql } from '../database/database.ts'

/** An order or top-up that a slip pays, locked for a change in this transaction. */
export interface LockedSubject {
  /** `open`: a slip can pay it; `settled`: its money is known to have come; `closed`: it accepts no money any more. */
  stage: 'open' | 'settled' | 'closed'
  claim: Pick<SlipClaim, 'amountSatang' | 'accounts' | 'window'>
  /** Ids of the receiving accounts that the customer may have paid to. */
  accountIds: readonly number[]
  /** Keeps the reserved amount for it, when the answer about its slip requires that. */
  keep(slip: CheckedSlip): Promise<void>
  /**
   * Accepts the slip as its payment. Returns `people` when staff must still approve it, `shown` when staff had already
   * said that the money came, `used` when the transfer paid something else. @param toldAt when the transfer was made,
   * according to the provider
   */
  approve(toldAt: Date): Promise<'paid' | 'people' | 'shown' | 'used'>
}

/**
 * The kinds of things that slips pay, each with the function that locks one. @param handedInAt when the slip was handed
 * in
 */
export type SlipSubjects = Record<
  SubjectKind,
  (tx: Sql, id: string, handedInAt: Date, now: Date) => Promise<LockedSubject>
>
