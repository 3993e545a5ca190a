import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { Days } from '@shop/shared/dashboard/dashboard.ts'

/** Selects sales; null means every game or every payment method. */
export interface SaleQuery {
  gameId: number | null
  payment: PaymentCode | null
}

/** A period counted by days, or by months whose first days are given. */
export interface Span {
  days: Days
  step: 'day' | 'month'
}
