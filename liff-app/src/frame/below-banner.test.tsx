import { listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ensureGuestKey } from '../guest-key.ts'
import { order, runningOrder } from '../orders/testing.ts'
import { createTestQueries, InShop, startShopServer } from '../testing.tsx'
import { BelowBanner } from './below-banner.tsx'

const server = startShopServer()
const reported = { ...runningOrder, orderNo: 'KT2611-00000002', isBlocking: false }

const open = (queries = createTestQueries()) =>
  render(
    <InShop queries={queries}>
      <BelowBanner>
        <input aria-label="ชื่อ" />
      </BelowBanner>
    </InShop>,
  )

test('the banner names the order that waits, and says nothing of one that was reported', async () => {
  ensureGuestKey()
  server.use(fake(listRunningOrders, () => ({ rows: [runningOrder, reported], nowDate: order.nowDate })))
  open()
  const banner = await screen.findByRole('link', { name: /PUBG Mobile · 325 UC/ })
  expect(banner.textContent).toContain(order.orderNo)
  expect(banner.getAttribute('href')).toBe(`/payment?order=${order.orderNo}`)
  expect(screen.queryByText(/KT2611-00000002/)).toBeNull()
})

test('a page is shown together with its banner, and then stays while the orders are read again', async () => {
  ensureGuestKey()
  const answers: (() => void)[] = []
  server.use(
    fake(listRunningOrders, async () => {
      await new Promise<void>(answer => answers.push(answer))
      return { rows: [runningOrder], nowDate: order.nowDate }
    }),
  )
  const queries = createTestQueries()
  open(queries)
  await expect.poll(() => answers.length).toBe(1)
  expect(screen.queryByRole('textbox')).toBeNull()
  answers[0]!()
  await userEvent.type(await screen.findByRole('textbox', { name: 'ชื่อ' }), 'น้ำ')
  expect(screen.getByRole('link', { name: /PUBG Mobile/ })).toBeTruthy()
  act(() => void queries.resetQueries())
  await expect.poll(() => answers.length).toBe(2)
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('น้ำ')
  answers[1]!()
})

test('who never ordered waits for nothing', async () => {
  open()
  expect(await screen.findByRole('textbox', { name: 'ชื่อ' })).toBeTruthy()
})
