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
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { useMutation, useQuery } from '../query.tsx'
import { InShop, shopConfig, startShopServer } from '../testing.tsx'
import { isOfCatalogue, useCatalogueWatch } from './catalogue-watch.ts'

const server = startShopServer()
let version = 1
let asked = 0
let sending = Promise.withResolvers<void>()
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  ;[version, asked, sending] = [1, 0, Promise.withResolvers<void>()]
  server.use(
    fake(getPublicConfig, () => {
      asked += 1
      return shopConfig({}, { catalogueVersion: version })
    }),
    fake(listBanners, () => [{ id: version, picture: '/b.webp', description: `ฉบับ ${version}` }]),
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

async function open() {
  render(<Page />, { wrapper: InShop })
  await screen.findByText('ฉบับ 1')
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

test('a change of the catalogue is on the open page within ten seconds', async () => {
  await open()
  version = 2
  await tenSeconds()
  expect(await screen.findByText('ฉบับ 2')).toBeTruthy()
})

test('nothing is read again under an order that is being placed, but right after it', async () => {
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'สั่งซื้อ' }))
  version = 2
  await tenSeconds()
  expect(asked).toBeGreaterThan(1)
  expect(screen.getByText('ฉบับ 1')).toBeTruthy()
  await act(async () => sending.resolve())
  expect(await screen.findByText('ฉบับ 2')).toBeTruthy()
})

test.each([
  ['hidden', () => see('hidden'), () => see('visible')],
  ['offline', () => connect(false), () => connect(true)],
])('a page that is %s asks nothing, and catches up afterwards', async (_, leave, comeBack) => {
  await open()
  act(leave)
  version = 2
  await tenSeconds()
  await tenSeconds()
  expect(asked).toBe(1)
  act(comeBack)
  await tenSeconds()
  expect(await screen.findByText('ฉบับ 2')).toBeTruthy()
})

test('all that the shop sells and says is of the catalogue, and orders are not', () => {
  const catalogue = [
    ...[listGames, listGamePackages, listPaymentMethods, listReceivingAccounts, listBanners],
    ...[listRegions, listLanguages, listPlatforms, getTerms],
  ]
  expect(catalogue.filter(({ path }) => !isOfCatalogue(path))).toEqual([])
  for (const { path } of [listWaitingOrders, getPublicConfig]) expect(isOfCatalogue(path)).toBe(false)
})
