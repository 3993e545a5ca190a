import { PAYMENT_CODES } from '@shop/shared/catalogue/catalogue.ts'
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

/** Everything that a purchase of one game chooses from, as the shop offers it to the caller now. */
export function useOffer(gameCode: string) {
  const games = useQuery(api.query(listGames))
  const packages = useQuery(api.query(listGamePackages, { params: { gameCode } }))
  const methods = useQuery(api.query(listPaymentMethods))
  const accounts = useQuery(api.query(listReceivingAccounts))
  const config = useShopOptions()
  const all = [games, packages, methods, accounts, config]
  const game = games.data?.find(each => each.code === gameCode)
  const moved = games.data?.find(each => each.oldCodes.includes(gameCode))
  const unknown = games.data && !game ? new AppError('GAME_NOT_FOUND') : null
  const sold = packages.data ?? []
  return {
    isPending: all.some(each => each.isPending) && !all.some(each => each.isLoadingError),
    // Only a failure without earlier data counts: what was read before stays on the page when reading it again fails.
    error: unknown ?? all.find(each => each.isLoadingError)?.error ?? null,
    retry: () => Promise.all(all.filter(each => each.error).map(each => each.refetch())),
    game,
    /** The code of today, for one that a game had before. */
    newCode: game ? undefined : moved?.code,
    packages: sold,
    /** The payment methods with at least one package. */
    methods: (methods.data ?? []).filter(
      method => PAYMENT_CODES.includes(method.code) && sold.some(({ payment }) => payment === method.code),
    ),
    accounts: accounts.data ?? [],
    mustVerify: game?.isPlayerChecked ?? false,
    allowsGuests: config.options.ALLOW_GUEST_CHECKOUT === 'true',
  }
}
export type GameOffer = ReturnType<typeof useOffer>
