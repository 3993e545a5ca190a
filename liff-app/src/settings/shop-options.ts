import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The shop's switches by name; `isPending` until they are known. */
export function useShopOptions() {
  const config = useQuery(api.query(getPublicConfig))
  const get = (name: string) => config.data?.options.find(option => option.optionName === name)?.optionValue
  return {
    isPending: config.isPending,
    error: config.error,
    refetch: config.refetch,
    checksPlayers: get('CHECK_MIDASBUY') === 'true',
    allowsGuests: get('ALLOW_GUEST_CHECKOUT') !== 'false',
    /** LINE official account, "@name"; empty when the shop has none. */
    lineAccount: get('LINE_OA_ID') ?? '',
  }
}
