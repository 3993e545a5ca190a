import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { isText, orNone, read, remove, shapeOf, write } from './storage.ts'

/** The order being paid in this browser. `trackToken` is kept for a guest's order, which it opens after sign-in too. */
interface CurrentOrder {
  orderNo: string
  trackToken?: string
}

const isCurrentOrder = shapeOf<CurrentOrder>({ orderNo: isText, trackToken: orNone(isText) })

export const getCurrentOrder = (): CurrentOrder | null => read('order', isCurrentOrder)

export const saveCurrentOrder = (order: CurrentOrder): void => write('order', order)

const TRACK_PATH = /^\/track\/([A-Za-z0-9_-]{22})$/

/** The tracking token of the page being looked at, else of the order being paid. */
export function getTrackToken(): string | null {
  return TRACK_PATH.exec(location.pathname)?.[1] ?? getCurrentOrder()?.trackToken ?? null
}

/** The page that follows an order: by number for its signed-in buyer, by tracking link for a guest's order. */
export function getOrderPath(order: Pick<OrderView, 'orderNo' | 'trackToken'>, isSignedIn: boolean): string {
  const byLink = !isSignedIn || getTrackToken() === order.trackToken
  return byLink ? `/track/${order.trackToken}` : `/purchase/details/${order.orderNo}`
}

/** Ends the purchase: terms, draft and order are forgotten. */
export function clearPurchase(): void {
  remove('draft', 'acceptedTerms', 'placing', 'order')
}
