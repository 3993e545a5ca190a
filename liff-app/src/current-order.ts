import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { isText, orNone, read, remove, shapeOf, write } from './storage.ts'

/** The order being paid in this browser. A guest's order has its `trackToken`, which still opens it after a sign-in. */
interface CurrentOrder {
  orderNo: string
  trackToken?: string
}

const isCurrentOrder = shapeOf<CurrentOrder>({ orderNo: isText, trackToken: orNone(isText) })

export const getCurrentOrder = (): CurrentOrder | null => read('order', isCurrentOrder)

export const saveCurrentOrder = (order: CurrentOrder): void => write('order', order)

export const forgetCurrentOrder = (): void => remove('order')

const TRACK_PATH = /^\/track\/([A-Za-z0-9_-]{22})$/

/** The tracking token in the address of the page, else that of the order being paid, else null. */
export function getTrackToken(): string | null {
  return TRACK_PATH.exec(location.pathname)?.[1] ?? getCurrentOrder()?.trackToken ?? null
}

/** The path of an order's page: by number for its signed-in buyer, by tracking link for a guest's order. */
export function getOrderPath(order: Pick<OrderView, 'orderNo' | 'trackToken'>, isSignedIn: boolean): string {
  const byLink = !isSignedIn || getTrackToken() === order.trackToken
  return byLink ? `/track/${order.trackToken}` : `/purchase/details/${order.orderNo}`
}

/** Ends the purchase: this browser forgets its selection, terms and order. */
export function clearPurchase(): void {
  remove('draft', 'acceptedTerms', 'placing', 'order')
}
