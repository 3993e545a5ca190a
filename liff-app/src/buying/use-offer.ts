import { PAYMENT_CODES, VERIFIABLE_GAME_CODE } from '@shop/shared/catalogue/catalogue.ts'
import {
  listGamePackages,
  listGames,
  listPaymentMethods,
  listReceivingAccounts,
} from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useShopOptions } from '../settings/shop-options.ts'

/** Everything a purchase of one game chooses from, as offered to the caller now. */
export function useOffer(gameCode: string) {
  const games = useQuery(api.query(listGames))
  const packages = useQuery(api.query(listGamePackages, { params: { gameCode } }))
  const methods = useQuery(api.query(listPaymentMethods))
  const accounts = useQuery(api.query(listReceivingAccounts))
  const options = useShopOptions()
  const all = [games, packages, methods, accounts, options]
  const game = games.data?.find(each => each.code === gameCode)
  const unknown = games.data && !game ? new AppError('GAME_NOT_FOUND') : null
  const sold = packages.data ?? []
  return {
    isPending: all.some(each => each.isPending) && !all.some(each => each.error),
    error: unknown ?? all.find(each => each.error)?.error ?? null,
    retry: () => Promise.all(all.filter(each => each.error).map(each => each.refetch())),
    game,
    packages: sold,
    /** Payment methods that something is sold by. */
    methods: (methods.data ?? []).filter(
      method => PAYMENT_CODES.includes(method.code) && sold.some(({ payment }) => payment === method.code),
    ),
    accounts: accounts.data ?? [],
    mustVerify: gameCode === VERIFIABLE_GAME_CODE && options.checksPlayers,
    allowsGuests: options.allowsGuests,
  }
}
export type Offer = ReturnType<typeof useOffer>
