import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { Satang } from '@shop/shared/money.ts'
import { purchaseBarrier, quantityLimit, type WalletLimits } from '@shop/shared/order/purchase.ts'

/** Why one piece at this price can't be paid this way, in words that fit its row; undefined when it can. */
export function findOffReason(
  payment: PaymentCode,
  unitPriceSatang: Satang,
  wallet: WalletLimits | null,
): string | undefined {
  const barrier = purchaseBarrier({ payment, quantity: 1, unitPriceSatang, wallet })
  return barrier?.code === 'WALLET_BALANCE_TOO_LOW' ? 'ยอดไม่พอ' : barrier?.message
}

const BOUNDS: Record<keyof WalletLimits, (most: number) => string> = {
  maxItemPerOrder: most => `สูงสุด ${most} ชิ้นต่อคำสั่งซื้อ`,
  maxAmountPerOrderSatang: most => `วงเงินต่อคำสั่งซื้อพอสำหรับ ${most} ชิ้น`,
  balanceSatang: most => `ยอดคงเหลือพอสำหรับ ${most} ชิ้น`,
}

/** How many pieces at this price one order may hold, and in words what keeps it from being more. */
export function quantityLimitOf(unitPriceSatang: Satang, wallet: WalletLimits): { most: number; reason: string } {
  const { most, by } = quantityLimit(unitPriceSatang, wallet)
  return { most, reason: BOUNDS[by](most) }
}
