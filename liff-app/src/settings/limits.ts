import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { type MethodTerms, surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht, formatBahtShort, type Satang } from '@shop/shared/money.ts'
import { purchaseBarrier, quantityLimit, type WalletLimits } from '@shop/shared/order/purchase.ts'

/** A payment method as the shop offers it now. */
export interface OfferedMethod {
  code: PaymentCode
  name: string
  /** Of a method of the payment gateway only. */
  terms?: Omit<MethodTerms, 'isOn'>
  /** When it can be used again, "เปิด 09:00 น."; null while it can. */
  opening: string | null
}

/** Why a price is outside what a method of the payment gateway takes. */
function rangeReasonOf({ terms }: OfferedMethod, satang: Satang): string | undefined {
  if (!terms) return undefined
  const { leastSatang, mostSatang } = terms
  if (leastSatang !== null && satang < leastSatang) return `รับตั้งแต่ ฿${formatBahtShort(leastSatang)}`
  return mostSatang !== null && satang > mostSatang ? `รับไม่เกิน ฿${formatBahtShort(mostSatang)}` : undefined
}

/**
 * Why one piece can't be paid this way, in a text short enough for its card; undefined when it can. Without a price
 * only what rules out every package counts.
 */
export function findOffReason(
  method: OfferedMethod,
  unitPriceSatang: Satang | null,
  wallet: WalletLimits | null,
): string | undefined {
  if (method.opening) return method.opening
  const asked = { quantity: 1, unitPriceSatang: unitPriceSatang ?? 0, wallet, creditBalanceSatang: 0 }
  const barrier = purchaseBarrier({ payment: method.code, ...asked })
  if (barrier) return barrier.code === 'WALLET_BALANCE_TOO_LOW' ? 'ยอดไม่พอ' : barrier.message
  return unitPriceSatang === null ? undefined : rangeReasonOf(method, unitPriceSatang)
}

/** "ค่าธรรมเนียม +3.25 บาท", or while the price is not known, how it is counted; null where there is none. */
export function surchargeTextOf(terms: NonNullable<OfferedMethod['terms']>, priceSatang: Satang | null): string | null {
  const { surchargeBasisPoints, surchargeSatang } = terms
  if (surchargeBasisPoints === 0 && surchargeSatang === 0) return null
  if (priceSatang !== null) return `ค่าธรรมเนียม +${formatBaht(surchargeOf(terms, priceSatang))} บาท`
  const parts = [
    surchargeBasisPoints > 0 && `${surchargeBasisPoints / 100}%`,
    surchargeSatang > 0 && `${formatBaht(surchargeSatang)} บาท`,
  ]
  return `ค่าธรรมเนียม +${parts.filter(Boolean).join(' + ')}`
}

const BOUNDS: Record<keyof WalletLimits, (most: number) => string> = {
  maxItemPerOrder: most => `สูงสุด ${most} ชิ้นต่อคำสั่งซื้อ`,
  maxAmountPerOrderSatang: most => `วงเงินต่อคำสั่งซื้อพอสำหรับ ${most} ชิ้น`,
  balanceSatang: most => `ยอดคงเหลือพอสำหรับ ${most} ชิ้น`,
}

/** How many pieces at this price one order may hold, with a text that says what sets this limit. */
export function quantityLimitOf(unitPriceSatang: Satang, wallet: WalletLimits): { most: number; reason: string } {
  const { most, by } = quantityLimit(unitPriceSatang, wallet)
  return { most, reason: BOUNDS[by](most) }
}
