import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import { type ChargeLimits, limitsOf, type MethodTerms } from '@shop/shared/gateway/gateway.ts'
import { formatBahtShort, type Satang } from '@shop/shared/money.ts'
import { nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Gateway } from './provider.ts'

/** A method that can be used now. */
export interface OfferedMethod {
  gateway: Gateway
  terms: MethodTerms
  limits: ChargeLimits
}

/** Returns a method of the gateway that the shop offers at this moment. @throws PAYMENT_METHOD_NOT_ALLOWED */
export function offeredMethod(
  gateway: Gateway | null,
  { paymentMethods }: Catalogue,
  method: GatewayMethod,
  now: Date,
): OfferedMethod {
  const terms = paymentMethods.find(({ code }) => code === method)
  const limits = gateway?.methods[method]
  if (!gateway || !limits || !terms?.isOn || nextOpeningOf(terms.openingHours, now))
    throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  return { gateway, terms, limits: limitsOf(terms, limits) }
}

/** Refuses an amount that the method does not take. @throws AMOUNT_NOT_FOR_METHOD */
export function mustBeTaken({ leastSatang, mostSatang }: ChargeLimits, amountSatang: Satang): void {
  if (amountSatang >= leastSatang && amountSatang <= mostSatang) return
  throw new AppError('AMOUNT_NOT_FOR_METHOD', {
    values: { least: formatBahtShort(leastSatang), most: formatBahtShort(mostSatang) },
  })
}
