import {
  type GamePackage,
  listGamePackages,
  listGames,
  listReceivingAccounts,
} from '@shop/shared/catalogue/endpoints.ts'
import { isGatewayMethod, PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useOfferedMethods } from '../settings/offered-methods.ts'
import { useShopOptions } from '../settings/shop-options.ts'

/** A package with its price by one of the payment methods. */
export interface OfferedPackage extends Omit<GamePackage, 'payment'> {
  payment: PaymentCode
}

/** Adds a row for each method of the payment gateway: it sells at the prices of another method. */
function withGatewayRows(sold: GamePackage[], methods: { code: PaymentCode }[]): OfferedPackage[] {
  const rows = methods
    .filter(({ code }) => isGatewayMethod(code))
    .flatMap(({ code }) =>
      sold.filter(({ payment }) => payment === PAYMENT_METHOD[code].price).map(row => ({ ...row, payment: code })),
    )
  return [...sold, ...rows]
}

/** Everything that a purchase of one game chooses from, as the shop offers it to the caller now. */
export function useOffer(gameCode: string) {
  const games = useQuery(api.query(listGames))
  const packages = useQuery(api.query(listGamePackages, { params: { gameCode } }))
  const { query: listing, methods } = useOfferedMethods()
  const accounts = useQuery(api.query(listReceivingAccounts))
  const config = useShopOptions()
  const all = [games, packages, listing, accounts, config]
  const game = games.data?.find(each => each.code === gameCode)
  const moved = games.data?.find(each => each.oldCodes.includes(gameCode))
  const unknown = games.data && !game ? new AppError('GAME_NOT_FOUND') : null
  const sold = withGatewayRows(packages.data ?? [], methods)
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
    methods: methods.filter(({ code }) => sold.some(({ payment }) => payment === code)),
    accounts: accounts.data ?? [],
    mustVerify: game?.isPlayerChecked ?? false,
    allowsGuests: config.options.ALLOW_GUEST_CHECKOUT === 'true',
  }
}
export type GameOffer = ReturnType<typeof useOffer>
