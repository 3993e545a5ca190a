import { getPublicConfig, listBanners, listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { game } from '../buying/testing.ts'
import { InShop, refuse, shopConfig, startShopServer } from '../testing.tsx'
import GameListScreen from './game-list-screen.tsx'

const server = startShopServer()
beforeEach(() =>
  server.use(
    fake(listGames, () => [game]),
    fake(listBanners, () => [{ id: 1, picture: '/b.webp', description: '325 UC ฿149', gameCode: 'pubg' }]),
    fake(listWaitingOrders, () => []),
  ),
)

async function open() {
  render(<GameListScreen />, { wrapper: InShop })
  await screen.findByRole('link', { name: /PUBG Mobile/ }, { timeout: 10_000 })
}

test('while the shop is open each game tells its usual minutes', async () => {
  await open()
  expect(screen.getByText(/5–15 นาที/)).toBeTruthy()
  expect(screen.queryByText(/สั่งไว้ได้เลย/)).toBeNull()
})

test('while it is closed the page says when it goes on, and promises no minutes', async () => {
  server.use(fake(getPublicConfig, () => shopConfig({}, { nowDate: '2026-11-20T17:00:00.000Z' })))
  await open()
  expect(screen.getByText('เปิด 09:00 น. · สั่งไว้ได้เลย')).toBeTruthy()
  expect(screen.queryByText(/นาที/)).toBeNull()
})

test('banners that can not be loaded are told, tried again, and keep nobody from the games', async () => {
  server.use(http.get(`*${listBanners.path}`, () => refuse('INTERNAL'), { once: true }))
  await open()
  expect(screen.getByText(/ไม่สามารถโหลดโปรโมชันได้/).closest('[role=alert]')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await screen.findByAltText('325 UC ฿149')).toBeTruthy()
  expect(screen.queryByText(/ไม่สามารถโหลดโปรโมชันได้/)).toBeNull()
})

test('a promotion leads to its game, and one without a game nowhere', async () => {
  const picture = '/b.webp'
  server.use(
    fake(listBanners, () => [
      { id: 1, picture, description: '325 UC ฿149', gameCode: 'pubg' },
      { id: 2, picture, description: 'ร้านเปิดใหม่', gameCode: null },
      { id: 3, picture, description: '', gameCode: 'rov' },
    ]),
  )
  await open()
  expect(screen.getByRole('link', { name: '325 UC ฿149' }).getAttribute('href')).toBe('/game/pubg')
  expect(screen.getByAltText('ร้านเปิดใหม่').closest('a')).toBeNull()
  expect(screen.getByRole('link', { name: 'ดูเกมในโปรโมชัน' }).getAttribute('href')).toBe('/game/rov')
})

test('every game tells from which price it can be bought', async () => {
  await open()
  expect(screen.getByText('เริ่ม ฿35')).toBeTruthy()
})

test('the list narrows while one types, and clearing shows all again', async () => {
  server.use(fake(listGames, () => [game, { ...game, id: 2, code: 'rov', name: 'RoV', searchWords: [] }]))
  await open()
  await userEvent.type(screen.getByRole('textbox', { name: 'ค้นหาเกม' }), 'พับ')
  expect(await screen.findByText('พบ 1 เกม')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /RoV/ })).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'ค้นหาเกม' }), 'zz')
  await userEvent.click(await screen.findByRole('button', { name: 'ล้างการค้นหา' }))
  expect(await screen.findByRole('link', { name: /RoV/ })).toBeTruthy()
  expect((screen.getByRole('textbox', { name: 'ค้นหาเกม' }) as HTMLInputElement).value).toBe('')
})
