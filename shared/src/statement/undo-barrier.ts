import type { Satang } from '../money.ts'
import { ORDER_STATUS, type OrderStatus } from '../order/status.ts'
import type { StatementLine } from './statement.ts'

/** How far what a decided line led to has gone on since. */
export interface UndoFacts {
  /** The order it is matched to. */
  order: { status: OrderStatus; amountSatang: Satang } | null
  /** What it brought a wallet, and what is left there. */
  wallet: { creditedSatang: Satang; balanceSatang: Satang } | null
  /** Money that is owed by it was sent. */
  isRefundSent: boolean
  /** It is matched to a top-up whose money people put on the wallet. */
  isTopUpOnWallet: boolean
}

const GONE_ON: Partial<Record<OrderStatus, string>> = {
  processing: 'มีคนกำลังเติมอยู่',
  success: 'เติมสำเร็จแล้ว',
  failed: 'เติมไม่สำเร็จและรอคืนเงินหรือเติมใหม่',
  refunded: 'คืนเงินของคำสั่งซื้อแล้ว',
}

/** Why nobody can take a decision about a line back as things are, for people; null when somebody can. */
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
