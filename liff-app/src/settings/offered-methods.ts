import { getPublicConfig, listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import { PAYMENT_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { openingTextOf } from '@shop/shared/settings/opening-hours.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { OfferedMethod } from './limits.ts'
import type { Config } from './shop-options.ts'

const clockOf = ({ nowDate }: Config) => nowDate

/** The payment methods that the caller may use, and whether each can be used now. */
export function useOfferedMethods() {
  const query = useQuery(api.query(listPaymentMethods))
  const clock = useQuery({ ...api.query(getPublicConfig), select: clockOf })
  const methods = (query.data ?? [])
    .filter(({ code }) => PAYMENT_CODES.includes(code))
    .map(
      ({ code, name, terms }): OfferedMethod => ({
        code,
        name,
        terms,
        opening: terms && clock.data ? openingTextOf(terms.openingHours, new Date(clock.data)) : null,
      }),
    )
  return { query, methods }
}
