import { checkOrderLimits, type OrderLimits } from '@shop/shared/agent/agent.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'

/** What a purchase from the wallet is measured against. */
interface BuyingLimits extends OrderLimits {
  balanceSatang: Satang
}

/** Why one piece at this price can't be bought from the wallet, in words; undefined when it can. */
export function findOffReason(priceSatang: Satang, limits: BuyingLimits): string | undefined {
  try {
    checkOrderLimits({ amountSatang: priceSatang, quantity: 1 }, limits)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  return priceSatang > limits.balanceSatang ? 'ยอดไม่พอ' : undefined
}

/** How many pieces at this price one order may hold, and what keeps it from being more; at least 1. */
export function quantityLimitOf(priceSatang: Satang, limits: BuyingLimits): { most: number; reason: string } {
  const fit = (amountSatang: Satang) =>
    priceSatang > 0 ? Math.floor(amountSatang / priceSatang) : Number.POSITIVE_INFINITY
  const [tightest] = [
    { most: limits.maxItemPerOrder, tell: (most: number) => `สูงสุด ${most} ชิ้นต่อคำสั่งซื้อ` },
    {
      most: fit(limits.maxAmountPerOrderSatang),
      tell: (most: number) => `วงเงินต่อคำสั่งซื้อพอสำหรับ ${most} ชิ้น`,
    },
    { most: fit(limits.balanceSatang), tell: (most: number) => `ยอดคงเหลือพอสำหรับ ${most} ชิ้น` },
  ].sort((one, other) => one.most - other.most)
  const most = Math.max(1, tightest!.most)
  return { most, reason: tightest!.tell(most) }
}
