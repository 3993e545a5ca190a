import type { RunningOrder } from '@shop/shared/order/own-endpoints.ts'
import { useRunningOrders } from './running-orders.ts'

export interface UnpaidOrder extends RunningOrder {
  expiresAt: string
  /** The server's clock when it answered. */
  nowDate: string
}

/** The orders whose transfer was not reported yet. They must be paid or cancelled before another order can be made. */
export function useUnpaidOrders() {
  const { rows, nowDate, ...query } = useRunningOrders()
  const orders = rows
    .filter(({ isBlocking }) => isBlocking)
    .map((row): UnpaidOrder => ({ ...row, expiresAt: row.expiresAt ?? nowDate, nowDate }))
  return { orders, ...query }
}
