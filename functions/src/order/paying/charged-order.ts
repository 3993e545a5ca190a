import { invariant } from '@shop/shared/errors.ts'
import { hearCharge } from '@shop/shared/order/charge.ts'
import { uuidv7 } from 'uuidv7'
import type { LockOwner } from '../../gateway/store.ts'
import { postLedger } from '../../wallet/store.ts'
import { insertOwedRefund, lockOrder, saveOutcome } from '../store.ts'

/** What staff read beside money that came too late. */
const OWED_REASON = 'เงินจากการชำระผ่านผู้ให้บริการ เข้ามาเมื่อคำสั่งซื้อไม่ได้รอชำระแล้ว'

/** Locks an order for the gateway's word about one of its charges. */
export const lockChargedOrder: LockOwner = async (tx, id) => {
  const locked = await lockOrder(tx, { id })
  invariant(locked, 'a charge has an order')
  return (charge, told, now) => {
    const { pays, owedSatang, ...heard } = hearCharge(charge, told, locked.order, now)
    const save = async () => {
      if (pays) await saveOutcome(tx, pays)
      if (owedSatang !== null) {
        const owed = { orderId: id, lineId: null, chargeId: charge.id, amountSatang: owedSatang, reason: OWED_REASON }
        await insertOwedRefund(tx, owed, now)
      }
      if (heard.ledger) await postLedger(tx, { ...heard.ledger, id: uuidv7(), subjectId: charge.id })
    }
    return { heard, save }
  }
}
