import { invariant } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { findAccountNumbers } from '../catalogue/store.ts'
import type { LockedSubject, SlipSubjects } from '../slipcheck/subject.ts'
import { lockTopUp } from './top-up-store.ts'

/** Agents transfer first and hand in the slip afterwards, up to this much later. */
const EARLIER_SECONDS = 24 * 3600
/** The clocks of banks may differ from ours by this much. */
const CLOCK_SECONDS = 120

const STAGE: Record<TopUpStatus, LockedSubject['stage']> = {
  // No slip is handed in for what the gateway collects.
  waiting_payment: 'closed',
  waiting_approve: 'open',
  approve: 'settled',
  reject: 'closed',
  cancel: 'closed',
  expired: 'closed',
}

/**
 * Presents a top-up as the subject of a slip: a good slip counts as confirmed, and a manager still approves the top-up.
 */
export const topUpOfSlip: SlipSubjects['topUp'] = async (tx, id, handedInAt) => {
  const topUp = await lockTopUp(tx, id)
  invariant(topUp, 'a slip names its top-up')
  const accounts = await findAccountNumbers(tx, topUp.receivingAccountId)
  return {
    stage: STAGE[topUp.status],
    claim: {
      amountSatang: topUp.amountSatang,
      accounts,
      window: { from: addSeconds(handedInAt, -EARLIER_SECONDS), to: addSeconds(handedInAt, CLOCK_SECONDS) },
    },
    accountIds: accounts.map(account => account.id),
    keep: async () => {},
    approve: async () => 'people',
  }
}
