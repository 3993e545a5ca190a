import type { Satang } from '../money.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import type { StatementLine } from './statement.ts'

/** How far the effects of a decided line have gone since. */
export interface UndoFacts {
  /** The order it is matched to. */
  order: { status: OrderStatus; amountSatang: Satang } | null
  /** The money that it put on a wallet, and the balance there now. */
  wallet: { creditedSatang: Satang; balanceSatang: Satang } | null
  /** Whether a refund that it caused was sent. */
  isRefundSent: boolean
  /** Whether it is matched to a top-up that people have approved. */
  isTopUpOnWallet: boolean
}

const GONE_ON: Record<OrderStatus, string | null> = {
  waiting_payment: null,
  paid: null,
  processing: 'มีคนกำลังเติมอยู่',
  success: 'เติมสำเร็จแล้ว',
  failed: 'เติมไม่สำเร็จและรอคืนเงินหรือเติมใหม่',
  refunding: 'กำลังรอโอนคืนลูกค้า',
  refunded: 'คืนเงินของคำสั่งซื้อแล้ว',
  cancel: null,
  expired: null,
}

/** Returns why nobody can undo a decision about a line at the moment, in words for staff; null when it can be undone. */
export function undoBarrier(
  { hasPaid, amountSatang }: Pick<StatementLine, 'hasPaid' | 'amountSatang'>,
  { order, wallet, isRefundSent }: UndoFacts,
): string | null {
  const whyOf = (why: string) => `${why} ยกเลิกการจับคู่ไม่ได้`
  if (isRefundSent) return whyOf('โอนเงินส่วนนี้คืนลูกค้าแล้ว')
  if (wallet && wallet.balanceSatang < wallet.creditedSatang) return whyOf('เงินที่เข้ากระเป๋าเงินถูกใช้ไปแล้ว')
  if (!order) return null
  const isStuck = hasPaid
    ? !ORDER_STATUS[order.status].moves.lapse
    : ORDER_STATUS[order.status].money === 'returned' && amountSatang < order.amountSatang
  return isStuck ? whyOf(GONE_ON[order.status] ?? ORDER_STATUS[order.status].label) : null
}
