import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { CreditView } from '@shop/shared/credit/endpoints.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Draft } from '../draft.ts'
import { totalSatangOf } from './selection.ts'
import type { OfferedPackage } from './use-offer.ts'

/** How much of a purchase shop credit pays. */
export interface CreditPlan {
  satang: Satang
  /** Nothing is left for another payment method. */
  coversAll: boolean
}

/** Whether shop credit pays at the prices of this payment method; a wallet has its own. */
export const takesCredit = (payment: PaymentCode): boolean => PAYMENT_METHOD[payment].price === 'bank'

/** Whether credit pays without being asked to: there is some, and no PIN has to be set first. */
export const isUsedAtFirst = ({ balanceSatang, withoutPinSatang, pin }: CreditView): boolean =>
  balanceSatang > 0 && (pin !== null || balanceSatang <= withoutPinSatang)

/** Returns what of a selection the buyer's credit pays; null where they use none. @param balanceSatang 0 without credit */
export function creditPlanOf(
  draft: Draft,
  chosen: Pick<OfferedPackage, 'payment' | 'priceSatang' | 'discountSatang'> | undefined,
  balanceSatang: Satang,
): CreditPlan | null {
  if (!draft.usesCredit || !chosen || balanceSatang === 0 || !takesCredit(chosen.payment)) return null
  const totalSatang = totalSatangOf(draft, chosen)
  const satang = Math.min(totalSatang, balanceSatang)
  return { satang, coversAll: satang === totalSatang }
}

/** How the money that decides about an order's next page comes. */
export const payingWith = (plan: CreditPlan | null, payment: PaymentCode): PaymentCode =>
  plan?.coversAll ? 'credit' : payment
