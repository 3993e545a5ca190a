import { getUser, type Me } from '@shop/shared/account/endpoints.ts'
import { getAccountRecord } from '@shop/shared/account/record-endpoints.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { listOwedRefunds } from '@shop/shared/statement/refund-endpoints.ts'
import { fake, person, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const manager: Me = { ...staff, role: 'manager' }
const customer: Me = { ...person, uid: 'u-customer', tel: '+66812345678', providers: ['password', 'line'] }

/** What each list was asked for, newest last. */
let asked: Record<'orders' | 'refunds', URLSearchParams[]>
beforeEach(() => {
  asked = { orders: [], refunds: [] }
})

const open = (panel = '', me = manager) => {
  server.use(
    fake(getUser, () => customer),
    fake(listAllOrders, (_, url) => {
      asked.orders.push(url.searchParams)
      return { rows: [], total: 0, next: null, openBefore: 0, nowDate: NOW }
    }),
    fake(listOwedRefunds, (_, url) => {
      asked.refunds.push(url.searchParams)
      return { rows: [], total: 0, owedSatang: 0, nowDate: NOW }
    }),
    fake(getAccountRecord, () => ({
      lastSignInAt: '2026-11-19T03:04:05.000Z',
      walletSatang: null,
      creditSatang: 33_150,
      keys: 0,
    })),
  )
  // Last, because the calls about oneself look like that about somebody.
  renderSite({ path: `/user/${customer.uid}${panel && `?panel=${panel}`}`, me })
}
const last = (list: keyof typeof asked) => Object.fromEntries(asked[list].at(-1)!)
const panel = (name: string) => screen.findByRole('region', { name })

test('the page of a customer begins with their orders, of all months, and says how to reach them', async () => {
  open()
  await within(await panel('คำสั่งซื้อ')).findByText('ไม่มีคำสั่งซื้อในตัวกรองนี้')
  expect(last('orders')).toEqual({ buyer: customer.uid, page: '1', pageSize: '10' })
  screen.getByText('0812345678')
  const history = screen.getByRole('link', { name: 'ดูในประวัติคำสั่งซื้อ' }).getAttribute('href')
  expect(history).toBe(`/management/history?month=all&status=all&buyer=${customer.uid}`)
})

test('their filters stand in the address', async () => {
  open('orders&status=refunded&page=2')
  await waitFor(() => expect(last('orders')).toMatchObject({ buyer: customer.uid, status: 'refunded', page: '2' }))
  fireEvent.click(await screen.findByRole('button', { name: 'ล้างตัวกรอง' }))
  await waitFor(() => expect(last('orders')).not.toHaveProperty('status'))
})

test('their money: what the shop holds, what it owes and what it has sent back', async () => {
  open('money')
  expect((await screen.findByText('฿331.50')).closest('div')?.textContent).toBe('เครดิตร้าน฿331.50')
  await screen.findByText('ไม่มีเงินรอคืน')
  expect(last('refunds')).toMatchObject({ buyer: customer.uid, sent: 'false' })
  fireEvent.click(screen.getByRole('tab', { name: 'โอนคืนแล้ว' }))
  await screen.findByText('ยังไม่เคยโอนเงินคืน')
  expect(last('refunds')).toMatchObject({ buyer: customer.uid, sent: 'true' })
})

test('how they come in; what could not be read can be asked again', async () => {
  open('access')
  server.use(fake(getAccountRecord, refuse('UNAVAILABLE'), { once: true }))
  fireEvent.click(await within(await panel('การเข้าสู่ระบบ')).findByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('19/11/2026 10:04:05')
  screen.getByText('อีเมลและรหัสผ่าน, LINE')
})

test('staff see orders, not money and ways in, which are for managers', async () => {
  open('money', staff)
  await panel('คำสั่งซื้อ')
  const headings = within(screen.getByRole('navigation', { name: 'หัวข้อของบัญชี' })).getAllByRole('button')
  expect(headings.map(({ textContent }) => textContent)).toEqual(['คำสั่งซื้อ', 'ข้อมูลผู้ใช้'])
})
