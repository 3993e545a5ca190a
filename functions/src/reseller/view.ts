import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { type ApiStatus, apiStatusOf } from '@shop/shared/reseller/reseller.ts'
import type { API_REASONS, ApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import type { PlacedByKey } from './order-store.ts'

type ReasonCode = (typeof API_REASONS)[number]

/** What people read where the shop wrote nothing for them. */
const REASON: Record<ReasonCode, string> = {
  delivery_failed: 'เติมไม่สำเร็จ ร้านกำลังดำเนินการ',
  delivered_in_part: 'ได้รับไม่ครบ ส่วนที่เหลือคืนเข้ากระเป๋าแล้ว',
  given_back: 'เติมไม่สำเร็จ คืนเงินเข้ากระเป๋าแล้ว',
  canceled: 'ยกเลิกโดยผู้สั่งซื้อ คืนเงินเข้ากระเป๋าแล้ว',
}

/**
 * Returns why an order is not as it was asked for. @param told what the shop wrote for its buyer
 */
export function reasonOf(status: ApiStatus, isPart: boolean, told: string | null): ApiOrder['reason'] {
  const code = reasonCodeOf(status, isPart)
  return code && { code, message: told ?? REASON[code] }
}

function reasonCodeOf(status: ApiStatus, isPart: boolean): ReasonCode | null {
  if (status === 'on_hold') return 'delivery_failed'
  if (status === 'failed') return 'given_back'
  if (status === 'canceled') return 'canceled'
  return status === 'completed' && isPart ? 'delivered_in_part' : null
}

/** Returns an order as the API tells it. */
export function viewApiOrder(order: PlacedByKey): ApiOrder {
  const status = apiStatusOf(order.status, order.canceledAt !== null)
  const isDelivered = status === 'completed'
  const isBack = status === 'failed' || status === 'canceled'
  const message = ORDER_STATUS[order.status].tellsReason || isDelivered ? order.reason : null
  return {
    id: order.orderNo,
    ref: order.ref,
    mode: 'live',
    status,
    game: order.gameCode,
    packageId: order.packageId,
    packageName: order.packageName,
    playerId: order.playerId === NO_PLAYER ? null : order.playerId,
    playerName: order.playerName,
    quantity: order.asked,
    delivered: isDelivered ? order.quantity : isBack ? 0 : order.codes,
    price: order.askedSatang,
    refunded: isBack ? order.askedSatang : order.askedSatang - order.priceSatang,
    codes: isBack ? 0 : order.codes,
    reason: reasonOf(status, order.quantity < order.asked, message),
    createdAt: order.createdAt.toISOString(),
    endedAt: order.endedAt?.toISOString() ?? null,
  }
}
