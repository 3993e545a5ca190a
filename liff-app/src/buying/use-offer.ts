import { type GamePackage, getGameOffer } from '@shop/shared/catalogue/endpoints.ts'
import { isGatewayMethod, PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { listSoonestExpiries } from '@shop/shared/voucher/expiry-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useOpening } from '../settings/offered-methods.ts'
import { useShopOptions } from '../settings/shop-options.ts'

/** A package with its price by one of the payment methods. */
export interface OfferedPackage extends Omit<GamePackage, 'payment'> {
  payment: PaymentCode
  /** The Bangkok day on which its code may expire at the soonest; undefined where nothing is known to expire. */
  soonestExpiry?: string | undefined
}

/** Adds to packages of codes when what the buyer gets may expire. What can't be read is not told; the order's page tells it. */
function useExpiries(sold: GamePackage[]): { packages: OfferedPackage[]; isLoading: boolean } {
  const gameId = sold.find(({ delivers }) => delivers === 'code')?.gameId
  const { data, isLoading } = useQuery({
    ...api.query(listSoonestExpiries, { params: { gameId: gameId ?? 0 } }),
    enabled: gameId !== undefined,
    staleTime: 0,
    retry: false,
  })
  const expiryOf = (id: number) => data?.find(({ packageId }) => packageId === id)?.soonestExpiry
  return { packages: sold.map(each => ({ ...each, soonestExpiry: expiryOf(each.id) })), isLoading }
}

/** Adds a row for each method of the payment gateway: it sells at the prices of another method. */
function withGatewayRows(sold: OfferedPackage[], methods: { code: PaymentCode }[]): OfferedPackage[] {
  const rows = methods
    .filter(({ code }) => isGatewayMethod(code))
    .flatMap(({ code }) =>
      sold.filter(({ payment }) => payment === PAYMENT_METHOD[code].price).map(row => ({ ...row, payment: code })),
    )
  return [...sold, ...rows]
}

/** Everything that a purchase of one game chooses from, as the shop offers it to the caller now. */
export function useOffer(gameCode: string) {
  const offer = useQuery(api.query(getGameOffer, { params: { gameCode } }))
  const methods = useOpening(offer.data?.methods ?? [])
  const config = useShopOptions()
  const all = [offer, config]
  const { game, packages = [], regions = [], accounts = [] } = offer.data ?? {}
  const expiring = useExpiries(packages)
  const sold = withGatewayRows(expiring.packages, methods)
  return {
    isPending: (all.some(each => each.isPending) && !all.some(each => each.isLoadingError)) || expiring.isLoading,
    // Only a failure without earlier data counts: what was read before stays on the page when reading it again fails.
    error: all.find(each => each.isLoadingError)?.error ?? null,
    retry: () => Promise.all(all.filter(each => each.error).map(each => each.refetch())),
    game,
    /** The code of today, for one that the game had before. */
    newCode: game && game.code !== gameCode ? game.code : undefined,
    /** For accounts of which regions the packages are. */
    regions,
    packages: sold,
    /** The payment methods with at least one package. */
    methods: methods.filter(({ code }) => sold.some(({ payment }) => payment === code)),
    accounts,
    mustVerify: game?.isPlayerChecked ?? false,
    allowsGuests: config.options.ALLOW_GUEST_CHECKOUT === 'true',
  }
}
export type GameOffer = ReturnType<typeof useOffer>
