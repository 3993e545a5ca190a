import { getMe } from '@shop/shared/account/endpoints.ts'
import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop, startShopServer } from '../testing.tsx'
import { RefundSection } from './refund-section.tsx'
import { order } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
const owed: OrderView = {
  ...order,
  status: 'refunding',
  canGivePayee: true,
  canTakeCredit: true,
  refunds: [{ amountSatang: 149_37, payee: null, payeeAt: null, asCredit: false, sentAt: null, slipId: null }],
}

test('who is signed in takes what is owed as shop credit, once', async () => {
  let changed = 0
  const keys: (string | null)[] = []
  server.use(
    fake(getMe, () => person),
    http.post(`*${takeRefundAsCredit.path.replace(':orderNo', order.orderNo)}`, ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      if (keys.length === 1) return HttpResponse.error()
      const done = { ...owed.refunds[0]!, asCredit: true, sentAt: order.createdAt }
      return HttpResponse.json({ ...owed, refunds: [done] })
    }),
  )
  write('user', person)
  render(
    <InShop>
      <RefundSection order={owed} onChanged={() => void changed++} />
    </InShop>,
  )
  await screen.findByText('รับเป็นเครดิตร้าน ได้ทันที')
  // The transfer is a second thought for whoever may have it at once.
  expect(screen.queryByLabelText('รับเงินทาง')).toBeNull()
  const take = () => userEvent.click(screen.getByRole('button', { name: 'รับเป็นเครดิตร้าน' }))
  await take()
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0)
  await take()
  await screen.findByText('คืนเป็นเครดิตร้านแล้ว')
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
  expect(changed).toBe(1)
})
