import { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { api } from '../api.ts'

/** Cancels one unpaid order; cancelling one that is already cancelled is fine. */
export async function cancelOrder(orderNo: string): Promise<void> {
  try {
    await api.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  } catch (error) {
    if (error instanceof AppError && error.details?.status === 'cancel') return
    throw error
  }
}

/** Cancels orders one after the other; resolves with the numbers of those that could not be cancelled. */
export async function cancelOrders(orderNos: string[]): Promise<string[]> {
  const failed: string[] = []
  for (const orderNo of orderNos) await cancelOrder(orderNo).catch(() => failed.push(orderNo))
  return failed
}
