import type { CheckedSlip } from '@shop/shared/order/hold.ts'
import type { SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import type { SlipClaim } from '@shop/shared/slipcheck/verdict.ts'
import type { Sql } from '../database/database.ts'

/** What a slip pays, locked for a change in this transaction. */
export interface LockedSubject {
  /** `settled`: it has its money already; `closed`: it takes none any more. */
  standing: 'open' | 'settled' | 'closed'
  claim: Pick<SlipClaim, 'amountSatang' | 'accounts' | 'window'>
  /** Accounts of the claim, by id. */
  accountIds: readonly number[]
  /** Keeps what is reserved for it, where the answer about its slip says so. */
  keep(slip: CheckedSlip): Promise<void>
  /**
   * Takes the slip as its payment: `people` where they must still approve, `shown` where they had said already that its
   * money came, `used` where it paid something else.
   * @param toldAt when the provider says that the transfer was made
   */
  approve(toldAt: Date): Promise<'paid' | 'people' | 'shown' | 'used'>
}

/**
 * What slips can be for. Each room that has such a thing says how it is locked.
 * @param handedInAt when the slip was
 */
export type SlipSubjects = Record<
  SubjectKind,
  (tx: Sql, id: string, handedInAt: Date, now: Date) => Promise<LockedSubject>
>
