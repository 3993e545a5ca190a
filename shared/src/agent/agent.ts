import { AppError } from '../errors.ts'
import { formatBahtShort, type Satang } from '../money.ts'

/** The most a tier can get off one package. */
export const MAX_DISCOUNT_SATANG = 50_000

/** What one order of a tier's agent may be. */
export interface OrderLimits {
  maxAmountPerOrderSatang: Satang
  maxItemPerOrder: number
}

/** @throws QUANTITY_OVER_TIER_LIMIT, ORDER_OVER_TIER_LIMIT */
export function checkOrderLimits(order: { amountSatang: Satang; quantity: number }, limits: OrderLimits): void {
  if (order.quantity > limits.maxItemPerOrder)
    throw new AppError('QUANTITY_OVER_TIER_LIMIT', { values: { n: limits.maxItemPerOrder } })
  if (order.amountSatang > limits.maxAmountPerOrderSatang)
    throw new AppError('ORDER_OVER_TIER_LIMIT', { values: { n: formatBahtShort(limits.maxAmountPerOrderSatang) } })
}
