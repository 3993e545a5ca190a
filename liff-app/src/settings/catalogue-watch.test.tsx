import {
  getPublicConfig,
  listBanners,
  listGamePackages,
  listGames,
  listLanguages,
  listPaymentMethods,
  listPlatforms,
  listReceivingAccounts,
  listRegions,
} from '@shop/shared/catalogue/endpoints.ts'
import { CATALOGUE_VERSION } from '@shop/shared/catalogue-version.ts'
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { isOfCatalogue, newestVersion } from '../catalogue-version.ts'
import { InShop, shopConfig, startShopServer } from '../testing.tsx'
import { useCatalogueWatch } from './catalogue-watch.ts'

const server = startShopServer()
/** What the server has, how often it was asked for it, and at which versions lists were asked for. */
let version = 0
let asked = 0
let askedFor: (string | null)[] = []
/** What a cache on the way has for an address, by its query. */
let cached: Record<string, number> = {}
let sending = Promise.withResolvers<void>()
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  // Versions only grow, also from one test to the next.
  version += 10
  ;[asked, askedFor, cached, sending] = [0, [], {}, Promise.withResolvers<void>()]
  server.use(
    fake(getPublicConfig, () => {
      asked += 1
      return shopConfig({}, { catalogueVersion: version })
    }),
    http.get(`*${listBanners.path}`, ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      askedFor.push(searchParams.get('version'))
      cached[search] ??= version
      const banner = { id: 1, picture: '/b.webp', description: `ฉบับ ${cached[search]}`, gameCode: null }
      return HttpResponse.json([banner], { headers: { [CATALOGUE_VERSION]: String(cached[search]) } })
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function Page() {
  useCatalogueWatch()
  const banners = useQuery({ ...api.query(listBanners), staleTime: Number.POSITIVE_INFINITY })
  const order = useMutation({ mutationFn: () => sending.promise })
  return (
    <>
      <p>{banners.data?.[0]?.description}</p>
      <button type="button" onClick={() => order.mutate()}>
        สั่งซื้อ
      </button>
    </>
  )
}

const shown = (at: number) => screen.findByText(`ฉบับ ${at}`)
async function open() {
  render(<Page />, { wrapper: InShop })
  await shown(version)
  await vi.waitFor(() => expect(asked).toBe(1))
}
function see(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}
function connect(isOnline: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}
const tenSeconds = () => act(() => vi.advanceTimersByTimeAsync(10_000))

test('a change of the catalogue is on the open page within ten seconds, asked for by its version and once', async () => {
  await open()
  version += 1
  await tenSeconds()
  await shown(version)
  await tenSeconds()
  expect(askedFor.filter(each => each === String(version))).toHaveLength(1)
})

test('an answer that a cache kept from before the change is replaced, though the version stays the same', async () => {
  const known = newestVersion()
  cached[known > 0 ? `?version=${known}` : ''] = version - 1
  render(<Page />, { wrapper: InShop })
  await shown(version)
  expect(askedFor.at(-1)).toBe(String(version))
})

test('nothing is read again under an order that is being placed, but right after it', async () => {
  await open()
  const before = version
  await userEvent.click(screen.getByRole('button', { name: 'สั่งซื้อ' }))
  version += 1
  await tenSeconds()
  expect(asked).toBeGreaterThan(1)
  expect(screen.getByText(`ฉบับ ${before}`)).toBeTruthy()
  await act(async () => sending.resolve())
  await shown(version)
})

test.each([
  ['hidden', () => see('hidden'), () => see('visible')],
  ['offline', () => connect(false), () => connect(true)],
])('a page that is %s asks nothing, and catches up afterwards', async (_, leave, comeBack) => {
  await open()
  act(leave)
  version += 1
  await tenSeconds()
  await tenSeconds()
  expect(asked).toBe(1)
  act(comeBack)
  await tenSeconds()
  await shown(version)
})

test('all that the shop sells and says is of the catalogue, and orders are not', () => {
  const catalogue = [
    listGames,
    listGamePackages,
    listPaymentMethods,
    listReceivingAccounts,
    listBanners,
    listRegions,
    listLanguages,
    listPlatforms,
    getTerms,
  ]
  expect(catalogue.filter(({ path }) => !isOfCatalogue(path))).toEqual([])
  for (const { path } of [listWaitingOrders, getPublicConfig]) expect(isOfCatalogue(path)).toBe(false)
})
