import { invariant } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { findAccountNumbers } from '../catalogue/store.ts'
import type { LockedSubject, SlipSubjects } from '../slipcheck/subject.ts'
import { lockTopUp } from './top-up-store.ts'

/** Agents transfer first and send the slip after it. */
const EARLIER_SECONDS = 24 * 3600
/** Clocks of banks and ours may differ by so much. */
const CLOCK_SECONDS = 120

const STANDING: Record<TopUpStatus, LockedSubject['standing']> = {
  waiting_approve: 'open',
  approve: 'settled',
  reject: 'closed',
  cancel: 'closed',
}

/** A top-up as what a slip pays: the slip counts as confirmed, a manager still approves. */
export const topUpOfSlip: SlipSubjects['topUp'] = async (tx, id, handedInAt) => {
  const topUp = await lockTopUp(tx, id)
  invariant(topUp, 'a slip names its top-up')
  const accounts = await findAccountNumbers(tx, topUp.receivingAccountId)
  return {
    standing: STANDING[topUp.status],
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
