import { getMe } from '@shop/shared/account/endpoints.ts'
import { listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppRoutes } from '../routes.tsx'
import { removeAll, write } from '../storage.ts'
import { InShop } from '../testing.tsx'
import { agent } from '../wallet/testing.ts'
import { startResellerServer } from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const open = () =>
  render(
    <InShop at="/agent/api?mode=test">
      <AppRoutes />
    </InShop>,
  )
const findPage = () => screen.findByRole('heading', { name: 'คีย์ทดสอบ' })

test('an agent opens the page', async () => {
  server.use(fake(listRunningOrders, () => ({ rows: [], nowDate: '2026-11-20T07:00:00.000Z' })))
  open()
  await findPage()
  expect(document.title).toContain('API สำหรับตัวแทน')
})

test.each(['customer', 'staff', 'manager'] as const)('%s is refused, and nothing is read', async role => {
  const who = { ...person, role, hasWallet: role !== 'customer' }
  server.use(fake(getMe, () => who))
  write('user', who)
  const asked: string[] = []
  const hear = ({ request }: { request: Request }) => asked.push(new URL(request.url).pathname)
  server.events.on('request:start', hear)
  open()
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
  expect(screen.queryByRole('heading', { name: 'คีย์ทดสอบ' })).toBeNull()
  expect(asked.filter(path => /reseller|webhook/.test(path))).toEqual([])
  server.events.removeListener('request:start', hear)
})

test('who is signed out signs in first', async () => {
  removeAll()
  open()
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/login'))
})

test('an agent who must choose a new PIN is led to that', async () => {
  const forced = { ...agent, mustChangePin: true }
  server.use(fake(getMe, () => forced))
  write('user', forced)
  open()
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe(`/user/${agent.uid}`))
})
