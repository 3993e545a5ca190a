import { getFriendship } from '@shop/shared/chat/friendship.ts'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { saveCurrentOrder } from '../current-order.ts'
import { write } from '../storage.ts'
import { createTestQueries, InShop, startShopServer } from '../testing.tsx'
import { order } from './testing.ts'
import ThankYouScreen from './thank-you-screen.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: () => undefined,
  getToken: async () => 'token',
  signOut: async () => undefined,
}))

const server = startShopServer()
const question = () => screen.queryByRole('heading', { name: 'รับแจ้งเตือนเมื่อเติมเสร็จ' })
beforeEach(() => server.use(fake(getOrder, () => order)))

async function open(queries = createTestQueries()) {
  cleanup()
  saveCurrentOrder({ orderNo: order.orderNo, trackToken: order.trackToken! })
  render(
    <InShop at="/thankyou" queries={queries}>
      <ThankYouScreen />
    </InShop>,
  )
  await screen.findByText(order.orderNo)
}

/** The page of a signed-in person, once it has been told whether they are a friend. */
async function openSignedIn(answer: Parameters<typeof fake<typeof getFriendship>>[1]) {
  write('user', customer)
  server.use(fake(getFriendship, answer))
  const queries = createTestQueries()
  await open(queries)
  await waitFor(() => {
    const { data, error } = queries.getQueryState(api.query(getFriendship).queryKey) ?? {}
    expect(data ?? error).toBeTruthy()
  })
}

test('who is known to be a friend is not asked to become one', async () => {
  await openSignedIn(() => ({ isFriend: true }))
  expect(question()).toBeNull()
})

test.each<[string, Parameters<typeof openSignedIn>[0]]>([
  ['is no friend', () => ({ isFriend: false })],
  ['was never heard of', () => ({ isFriend: null })],
  ['can not be asked about', refuse('INTERNAL')],
])('who %s is asked', async (_, answer) => {
  await openSignedIn(answer)
  await waitFor(() => expect(question()).not.toBeNull())
})

test('a guest is asked, and after closing it never again', async () => {
  await open()
  await screen.findByRole('link', { name: 'เพิ่มเพื่อนใน LINE' })
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'ปิด รับแจ้งเตือนเมื่อเติมเสร็จ' }))
  expect(question()).toBeNull()
  await open()
  await screen.findByRole('button', { name: 'คัดลอกลิงก์ ติดตามคำสั่งซื้อ' })
  expect(question()).toBeNull()
})

test('once it is delivered nobody is promised news of it, and what shop credit paid is told', async () => {
  server.use(fake(getOrder, () => ({ ...order, status: 'success' as const, creditSatang: 100_00, dueSatang: 49_37 })))
  await open()
  expect(question()).toBeNull()
  expect(screen.queryByText(/เมื่อเติมเงินเรียบร้อย/)).toBeNull()
  expect(screen.getByText('ใช้เครดิตร้าน').closest('div')!.textContent).toContain('100.00')
  await openSignedIn(() => ({ isFriend: true }))
  expect(screen.queryByText(/เมื่อเติมเสร็จ/)).toBeNull()
})

test('who has seen all codes is not told to press for them', async () => {
  const row = { id: '01900000-0000-7000-8000-000000000001', revealedAt: null, revealedOn: null }
  const codes = { opening: 'press' as const, address: null, canGiveAddress: false, rows: [row] }
  const delivered = { ...order, status: 'success' as const, package: { ...order.package, delivers: 'code' as const } }
  server.use(fake(getOrder, () => ({ ...delivered, codes })))
  await open()
  expect(screen.getByText(/กด “แสดงรหัส”/)).toBeTruthy()
  const rows = [{ ...row, revealedAt: order.createdAt, revealedOn: 'iPhone' }]
  server.use(fake(getOrder, () => ({ ...delivered, codes: { ...codes, rows } })))
  await open()
  expect(screen.queryByText(/กด “แสดงรหัส”/)).toBeNull()
})
