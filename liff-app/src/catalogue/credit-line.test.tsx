import { getMe } from '@shop/shared/account/endpoints.ts'
import { listBanners, listGames } from '@shop/shared/catalogue/endpoints.ts'
import { getCredit } from '@shop/shared/credit/endpoints.ts'
import { listOwnOrders, listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { game } from '../buying/testing.ts'
import { write } from '../storage.ts'
import { InShop, noCredit, startShopServer } from '../testing.tsx'
import GameListScreen from './game-list-screen.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
let answers: (() => void)[]
beforeEach(() => {
  answers = []
  write('user', person)
  server.use(
    fake(getMe, () => person),
    fake(listGames, () => [game]),
    fake(listBanners, () => []),
    fake(listOwnOrders, () => ({
      rows: [],
      total: 0,
      counts: { all: 0, pay: 0, underWay: 0, done: 0, trouble: 0 },
      nowDate: noCredit.nowDate,
    })),
    fake(listRunningOrders, () => ({ rows: [], nowDate: noCredit.nowDate })),
  )
})

/** Opens the list of games, up to the answer about the credit. */
async function open(balanceSatang: number) {
  server.use(
    fake(getCredit, async () => {
      await new Promise<void>(answer => answers.push(answer))
      return { ...noCredit, balanceSatang }
    }),
  )
  render(<GameListScreen />, { wrapper: InShop })
  await expect.poll(() => answers.length).toBe(1)
}

test('who has shop credit sees it above the games from the first, and is led to it', async () => {
  await open(61_00)
  expect(screen.queryByRole('link')).toBeNull()
  answers[0]!()
  await screen.findByRole('link', { name: /PUBG Mobile/ })
  const line = screen.getByRole('link', { name: /เครดิตร้าน/ })
  expect([line.textContent, line.getAttribute('href')]).toEqual([
    expect.stringContaining('61 บาท'),
    '/user/u1?panel=credit',
  ])
})

test('who has none sees nothing of it', async () => {
  await open(0)
  answers[0]!()
  await screen.findByRole('link', { name: /PUBG Mobile/ })
  expect(screen.queryByRole('link', { name: /เครดิตร้าน/ })).toBeNull()
})
