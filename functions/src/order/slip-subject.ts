import { invariant } from '@shop/shared/errors.ts'
import { amountOf, markPaid, transferWindow } from '@shop/shared/order/order.ts'
import { type OrderStatus, SYSTEM } from '@shop/shared/order/status.ts'
import type { LockedSubject, SlipSubjects } from '../slipcheck/subject.ts'
import { spendTransfer } from '../upload/store.ts'
import { lockOrder, saveOutcome } from './store.ts'

const PAID_BY_SLIP = 'สลิปผ่านการตรวจกับธนาคารครบทุกข้อ'

const STANDING: Record<OrderStatus, LockedSubject['standing']> = {
  waiting_payment: 'open',
  // Money that was sent in time pays it still.
  expired: 'open',
  paid: 'settled',
  processing: 'settled',
  success: 'settled',
  cancel: 'closed',
  failed: 'closed',
  refunded: 'closed',
}

/** An order as what a slip pays: approved, it is paid. */
export const orderOfSlip: SlipSubjects['order'] = async (tx, id, _handedInAt, now) => {
  const locked = await lockOrder(tx, { id })
  const account = locked?.snapshot.receivingAccount
  invariant(account, 'a slip of an order is for a bank order')
  const { order } = locked
  const { code: bankCode, accountNo, promptPayId, accountName: name } = account
  return {
    standing: STANDING[order.status],
    claim: {
      amountSatang: amountOf(order),
      accounts: [{ bankCode, accountNo, promptPayId, name }],
      window: transferWindow(order),
    },
    accountIds: [account.id],
    async approve() {
      invariant(order.slipId, 'an order that a slip pays names it')
      if (!(await spendTransfer(tx, order.slipId, id, now))) return 'used'
      await saveOutcome(tx, markPaid(order, SYSTEM, PAID_BY_SLIP, now))
      return 'paid'
    },
  }
}
