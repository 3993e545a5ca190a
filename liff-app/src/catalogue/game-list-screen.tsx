import { type Game, listBanners, listGames } from '@shop/shared/catalogue/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { useCredit } from '../account/use-credit.ts'
import { api } from '../api.ts'
import { useRecentOrders } from '../orders/recent-orders.ts'
import { useRunningOrders } from '../orders/running-orders.ts'
import { useUnpaidOrders } from '../orders/unpaid-orders.ts'
import { useClosedInvitation } from '../settings/closed-note.ts'
import { useShopOptions } from '../settings/shop-options.ts'
import { Carousel } from '../ui/carousel.tsx'
import { classes } from '../ui/classes.ts'
import { Failure, Pending } from '../ui/state.tsx'
import {
  FILTER_KINDS,
  type FilterKind,
  filterGames,
  type GameFilter,
  readGameFilter,
  writeGameFilter,
} from './game-filter.ts'
import { GameGrid, GameListSkeleton, HowItWorks, NoGames } from './game-grid.tsx'
import { SearchBar } from './search-bar.tsx'

// Only people with earlier orders or a wallet, or who filter the list, need these.
const ResumeBanner = lazy(() => import('../orders/resume-banner.tsx').then(m => ({ default: m.ResumeBanner })))
const RunningOrders = lazy(() => import('../orders/running-list.tsx').then(m => ({ default: m.RunningOrders })))
const BuyAgain = lazy(() => import('../orders/buy-again.tsx').then(m => ({ default: m.BuyAgain })))
const WalletLine = lazy(() => import('./wallet-line.tsx'))
const CreditLine = lazy(() => import('./credit-line.tsx'))
const FilterSheet = lazy(() => import('./filter-sheet.tsx').then(m => ({ default: m.FilterSheet })))

const slideOf = ({ id, picture, description, gameCode }: Reply<typeof listBanners>[number]) => ({
  id: String(id),
  src: picture,
  alt: description || (gameCode ? 'ดูเกมในโปรโมชัน' : ''),
  to: gameCode && `/game/${gameCode}`,
})

/** The first page: the games, and links back to orders that are under way. */
export default function GameListScreen() {
  const { me } = useSession()
  const games = useQuery(api.query(listGames))
  const banners = useQuery(api.query(listBanners))
  const options = useShopOptions()
  const unpaid = useUnpaidOrders()
  const running = useRunningOrders().rows.filter(({ isBlocking }) => !isBlocking)
  const recent = useRecentOrders()
  const credit = useCredit(!me?.hasWallet)
  const creditSatang = credit.data?.balanceSatang ?? 0
  // Nothing is drawn until everything above the games is known, which would push them down later.
  const isOwnPending = unpaid.isLoading || recent.isLoading || credit.isLoading
  const isPending = games.isPending || banners.isPending || options.isPending || isOwnPending
  const isBack = recent.orders.length + running.length + unpaid.orders.length > 0
  return (
    <Pending pending={isPending} skeleton={<GameListSkeleton />}>
      {() => (
        <Suspense fallback={<GameListSkeleton />}>
          {unpaid.orders.length > 0 && <ResumeBanner orders={unpaid.orders} receivedAt={unpaid.receivedAt} />}
          {running.length > 0 && <RunningOrders orders={running} />}
          <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-[29rem_minmax(0,1fr)] lg:gap-6">
            {banners.isLoadingError && (
              <Failure
                text="ไม่สามารถโหลดโปรโมชันได้ กรุณาลองอีกครั้ง"
                busy={banners.isFetching}
                onRetry={() => void banners.refetch()}
              />
            )}
            {/* A promotion is for who buys by transfer; a reseller looks for what the wallet still holds. */}
            {me?.hasWallet && <WalletLine />}
            {me && creditSatang > 0 && <CreditLine uid={me.uid} satang={creditSatang} />}
            {!me?.hasWallet && banners.data && banners.data.length > 0 && (
              <Carousel
                label="โปรโมชัน"
                // People with earlier orders see these first; on a phone that leaves no room for a promotion.
                className={classes(isBack && 'hidden sm:block')}
                slides={banners.data.map(slideOf)}
              />
            )}
            {recent.orders.length > 0 ? <BuyAgain orders={recent.orders} /> : <HowItWorks className="max-sm:hidden" />}
          </div>
          {games.isLoadingError ? (
            <GamesFailure isBusy={games.isFetching} onRetry={() => games.refetch()} />
          ) : (
            <Games games={games.data ?? []} />
          )}
          {!isBack && <HowItWorks className="mt-6 sm:hidden" />}
        </Suspense>
      )}
    </Pending>
  )
}

function GamesFailure({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <>
      <h1 className="page-title my-4">เลือกเกม</h1>
      <Failure text="ไม่สามารถโหลดเกมได้ กรุณาลองอีกครั้ง" busy={isBusy} onRetry={onRetry} />
    </>
  )
}

/** The games with their search and filters, which are kept in the page's address. */
function Games({ games }: { games: Game[] }) {
  const [search, setSearch] = useSearchParams()
  const filter = readGameFilter(search)
  const [kinds, setKinds] = useState<readonly FilterKind[] | null>(null)
  const [wasNarrowed, setNarrowed] = useState(false)
  const shown = filterGames(games, filter)
  const closedNote = useClosedInvitation()
  const apply = (next: GameFilter) => {
    setKinds(null)
    setSearch(writeGameFilter(next), { replace: true })
  }
  const open = (kind: FilterKind | null) => {
    setNarrowed(true)
    setKinds(kind ? [kind] : FILTER_KINDS)
  }
  const clear = () => setSearch({}, { replace: true })
  const isNarrowed = search.size > 0
  return (
    <section aria-label="เกม" className="mt-5 lg:mt-7">
      <SearchBar note={closedNote} filter={filter} onSearch={apply} onFilter={open} />
      <p role="status" className={isNarrowed && shown.length > 0 ? 'mt-2 text-ink-2 text-small' : 'sr-only'}>
        {isNarrowed ? `พบ ${shown.length} เกม` : ''}
      </p>
      <div className="mt-4.5">
        {shown.length > 0 ? <GameGrid games={shown} isOpen={!closedNote} /> : <NoGames onClear={clear} />}
      </div>
      {wasNarrowed && (
        <Suspense fallback={null}>
          <FilterSheet
            kinds={kinds}
            filter={filter}
            countFor={next => filterGames(games, next).length}
            onApply={apply}
            onClose={() => setKinds(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
