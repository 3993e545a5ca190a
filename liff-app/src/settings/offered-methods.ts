import { getPublicConfig, listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import { PAYMENT_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { openingTextOf } from '@shop/shared/settings/opening-hours.ts'
import { listTopUpMethods } from '@shop/shared/wallet/top-up-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { OfferedMethod } from './limits.ts'
import type { Config } from './shop-options.ts'

const clockOf = ({ nowDate }: Config) => nowDate

/** Says of each method whether it can be used now. */
export function useOpening(methods: readonly Omit<OfferedMethod, 'opening'>[]): OfferedMethod[] {
  const clock = useQuery({ ...api.query(getPublicConfig), select: clockOf })
  return methods
    .filter(({ code }) => PAYMENT_CODES.includes(code))
    .map(({ code, name, terms }) => ({
      code,
      name,
      terms,
      opening: terms && clock.data ? openingTextOf(terms.openingHours, new Date(clock.data)) : null,
    }))
}

/** The payment methods that the caller may use, and whether each can be used now. */
export function useOfferedMethods() {
  const query = useQuery(api.query(listPaymentMethods))
  return { query, methods: useOpening(query.data ?? []) }
}

/** The gateway's methods that a top-up of the caller's wallet can be paid by, and whether each can be used now. */
export function useTopUpMethods(): OfferedMethod[] {
  const query = useQuery(api.query(listTopUpMethods))
  return useOpening(query.data ?? [])
}
