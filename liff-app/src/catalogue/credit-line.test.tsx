import { getMe } from '@shop/shared/account/endpoints.ts'
import { getCredit } from '@shop/shared/credit/endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop, noCredit, startShopServer } from '../testing.tsx'
import CreditLine from './credit-line.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
let asked = 0
beforeEach(() => {
  asked = 0
  write('user', person)
  server.use(fake(getMe, () => person))
})

const open = (balanceSatang: number) => {
  server.use(
    fake(getCredit, () => {
      asked++
      return { ...noCredit, balanceSatang }
    }),
  )
  render(<CreditLine />, { wrapper: InShop })
}

test('who has shop credit sees it above the games, and is led to it', async () => {
  open(61_00)
  const line = await screen.findByRole('link', { name: /เครดิตร้าน/ })
  expect([line.textContent, line.getAttribute('href')]).toEqual([
    expect.stringContaining('61 บาท'),
    '/user/u1?panel=credit',
  ])
})

test('who has none sees nothing of it', async () => {
  open(0)
  await waitFor(() => expect(asked).toBe(1))
  expect(screen.queryByRole('link')).toBeNull()
})
