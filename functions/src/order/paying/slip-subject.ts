import { invariant } from '@shop/shared/errors.ts'
import { keptUntil } from '@shop/shared/order/hold.ts'
import { dueOf, markPaid, transferOf, transferWindow } from '@shop/shared/order/order.ts'
import { type OrderStatus, SYSTEM } from '@shop/shared/order/status.ts'
import { findLatinName } from '../../catalogue/store.ts'
import type { LockedSubject, SlipSubjects } from '../../slipcheck/subject.ts'
import { deliverProven, findHeldBy } from '../../supplier/proof-store.ts'
import { isSlipFree, useTransfer } from '../../transfer/store.ts'
import { keepAmount, lockOrder, saveOutcome } from '../store.ts'

const PAID_BY_SLIP = 'สลิปผ่านการตรวจกับธนาคารครบทุกข้อ'

const STAGE: Record<OrderStatus, LockedSubject['stage']> = {
  waiting_payment: 'open',
  // Money that was sent in time still pays an expired order.
  expired: 'open',
  paid: 'settled',
  processing: 'settled',
  success: 'settled',
  cancel: 'closed',
  failed: 'closed',
  refunding: 'closed',
  refunded: 'closed',
}

/**
 * Presents an order as the subject of a slip: approving the slip marks the order paid, and lets an order that a person
 * marked paid go to the supplier.
 */
export const orderOfSlip: SlipSubjects['order'] = async (tx, id, _handedInAt, now) => {
  const locked = await lockOrder(tx, { id })
  const account = locked?.snapshot.receivingAccount
  invariant(account, 'a slip of an order is for a bank order')
  const { order } = locked
  const { code: bankCode, accountNo, promptPayId, accountName } = account
  const latinName = await findLatinName(tx, account)
  const isHeld = order.status === 'paid' && (await findHeldBy(tx, id)) !== null
  return {
    // What shop credit paid is back with its buyer by then, so the rest pays it no more.
    stage: isHeld ? 'open' : order.status === 'expired' && order.creditSatang > 0 ? 'closed' : STAGE[order.status],
    claim: {
      amountSatang: dueOf(order),
      accounts: [
        { bankCode, accountNo, promptPayId, names: latinName === null ? [accountName] : [accountName, latinName] },
      ],
      window: transferWindow(order),
    },
    accountIds: [account.id],
    async keep(slip) {
      const until = keptUntil(order, slip)
      if (until) await keepAmount(tx, id, until)
    },
    async approve(toldAt) {
      invariant(order.slipId, 'an order that a slip pays names it')
      if (!(await isSlipFree(tx, order.slipId, id))) return 'used'
      if (isHeld) {
        await useTransfer(tx, transferOf(order, toldAt, now), now)
        await deliverProven(tx, [id], now)
        return 'shown'
      }
      await saveOutcome(tx, markPaid(order, SYSTEM, PAID_BY_SLIP, now, toldAt))
      return 'paid'
    },
  }
}
