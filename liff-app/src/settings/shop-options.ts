import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { optionsFrom } from '@shop/shared/settings/option.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** What the shop's managers chose; the standards until it is known. */
export function useShopOptions() {
  const config = useQuery(api.query(getPublicConfig))
  const told = config.data?.options ?? []
  const options = optionsFrom(Object.fromEntries(told.map(({ optionName, optionValue }) => [optionName, optionValue])))
  return {
    isPending: config.isPending,
    error: config.error,
    refetch: config.refetch,
    checksPlayers: options.CHECK_MIDASBUY,
    allowsGuests: options.ALLOW_GUEST_CHECKOUT,
    /** LINE official account, "@name"; empty when the shop has none. */
    lineAccount: options.LINE_OA_ID,
  }
}
