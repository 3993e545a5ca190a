import { invariant } from '@shop/shared/errors.ts'
import { expireTopUp, hearTopUpCharge } from '@shop/shared/wallet/top-up-charge.ts'
import { uuidv7 } from 'uuidv7'
import { endCharges, type LockOwner, moveCharge } from '../gateway/store.ts'
import { tell } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { postLedger } from './store.ts'
import { lockTopUp, lockUnpaidTopUps, saveTopUp } from './top-up-store.ts'
import { insertNumbered, newTopUpNo } from './top-ups.ts'

/** Locks a top-up for the gateway's word about one of its charges. */
export const lockChargedTopUp: LockOwner = async (tx, id) => {
  const topUp = await lockTopUp(tx, id)
  invariant(topUp, 'a charge has a top-up')
  return (charge, told, now) => {
    const spare = { id: uuidv7(), no: newTopUpNo(now) }
    const { credits, ...heard } = hearTopUpCharge(charge, told, topUp, spare, now)
    const save = async () => {
      if (heard.ledger) await postLedger(tx, { ...heard.ledger, id: uuidv7(), subjectId: charge.id })
      if (!credits) return
      const { topUp: approved, isNew, ledger } = credits
      if (isNew) {
        await insertNumbered(tx, approved, now)
        await moveCharge(tx, charge.id, approved.id)
      } else {
        await saveTopUp(tx, approved)
        await endCharges(tx, { topUpId: id }, now)
      }
      await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: approved.id })
      await tell(tx, { event: 'topUpDecided', id: approved.id, now })
    }
    return { heard, save }
  }
}

const BATCH = 200

/** Ends every top-up whose payment did not arrive in time. Safe to run twice at once. Returns their number. */
export async function expireTopUps(shop: Pick<Shop, 'db' | 'now'>): Promise<number> {
  for (let all = 0; ; ) {
    const batch = await shop.db.transaction(async tx => {
      const now = shop.now()
      const unpaid = await lockUnpaidTopUps(tx, now, BATCH)
      for (const topUp of unpaid) {
        await saveTopUp(tx, expireTopUp(topUp, now))
        await endCharges(tx, { topUpId: topUp.id }, now)
      }
      return unpaid.length
    })
    all += batch
    if (batch < BATCH) return all
  }
}
