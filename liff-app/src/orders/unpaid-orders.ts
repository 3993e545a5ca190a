import type { Reply } from '@shop/shared/endpoint.ts'
import type { listRunningOrders, RunningOrder } from '@shop/shared/order/own-endpoints.ts'
import { useRunningOrders } from './running-orders.ts'

export interface UnpaidOrder extends RunningOrder {
  expiresAt: string
  /** The server's clock when it answered. */
  nowDate: string
}

/** The orders whose transfer was not reported yet. They must be paid or cancelled before another order can be made. */
export const unpaidOf = ({ rows, nowDate }: Reply<typeof listRunningOrders>): UnpaidOrder[] =>
  rows.filter(({ isBlocking }) => isBlocking).map(row => ({ ...row, expiresAt: row.expiresAt ?? nowDate, nowDate }))

export interface UnpaidOrders {
  orders: UnpaidOrder[]
  receivedAt: number
  refetch: () => Promise<unknown>
}

export function useUnpaidOrders(): UnpaidOrders & { isLoading: boolean } {
  const { rows, nowDate, ...query } = useRunningOrders()
  return { orders: unpaidOf({ rows, nowDate }), ...query }
}
