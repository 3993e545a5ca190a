import { AppError } from '@shop/shared/errors.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { createEvent, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PASSWORD, renderSite, server } from '../testing/site.tsx'

const noOrders = fake(listAllOrders, () => ({
  rows: [],
  total: 0,
  next: null,
  openBefore: 0,
  nowDate: '2026-11-20T07:00:00.000Z',
}))

const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))

test('a wrong login says so and keeps what was typed', async () => {
  renderSite({ path: '/login', isSignedIn: false })
  type('อีเมล', 'staff@demo.shop')
  type('รหัสผ่าน', 'not-the-one')
  submit()

  expect((await screen.findByRole('alert')).textContent).toContain('อีเมลหรือรหัสผ่านไม่ถูกต้อง')
  expect(screen.getByLabelText<HTMLInputElement>('อีเมล').value).toBe('staff@demo.shop')
  expect(screen.getByLabelText<HTMLInputElement>('รหัสผ่าน').value).toBe('not-the-one')
})

test('a visitor is told to sign in and comes back to the page they wanted', async () => {
  let asked: URL | undefined
  server.use(
    fake(listAllOrders, (_, url) => {
      asked = url
      return { rows: [], total: 0, next: null, openBefore: 0, nowDate: '2026-11-20T07:00:00.000Z' }
    }),
  )
  renderSite({ path: '/management/history?status=paid', isSignedIn: false })
  await screen.findByText('กรุณาเข้าสู่ระบบเพื่อดูหน้านี้')
  type('อีเมล', 'staff@demo.shop')
  type('รหัสผ่าน', PASSWORD)
  submit()

  await screen.findByRole('heading', { name: 'ประวัติคำสั่งซื้อ' })
  await screen.findByText('ไม่มีคำสั่งซื้อในตัวกรองนี้')
  expect(asked?.searchParams.getAll('status')).toEqual(['paid'])
})

test('signing out by oneself leads to the login page without a reproach', async () => {
  server.use(noOrders)
  renderSite({ path: '/' })
  fireEvent.click(await screen.findByRole('button', { name: 'ออกจากระบบ' }))

  await screen.findByRole('heading', { name: /เข้าสู่ระบบ/ })
  expect(screen.queryByText('กรุณาเข้าสู่ระบบเพื่อดูหน้านี้')).toBeNull()
})

test('a session that was ended elsewhere leads to the login page and says why', async () => {
  server.use(
    fake(listAllOrders, () => {
      throw new AppError('SESSION_REVOKED')
    }),
  )
  renderSite({ path: '/management/history' })
  await screen.findByText('เซสชันหมดอายุ กรุณาเข้าสู่ระบบอีกครั้ง')
  screen.getByLabelText('อีเมล')
})

test('who forgot the password has a link mailed, once an address is typed', async () => {
  renderSite({ path: '/login', isSignedIn: false })
  const forgot = () => fireEvent.click(screen.getByRole('button', { name: 'ลืมรหัสผ่าน' }))
  forgot()
  expect(await screen.findByText('กรุณากรอกอีเมล')).toBeTruthy()
  type('อีเมล', ' staff@demo.shop ')
  forgot()
  expect((await screen.findByText(/ลิงก์ตั้งรหัสผ่านใหม่ส่งไปที่อีเมลนั้นแล้ว/)).textContent).toContain('ถ้า staff@demo.shop มี')
})

test('a password typed with Caps Lock on is said so, until it is off', async () => {
  renderSite({ path: '/login', isSignedIn: false })
  const press = (isOn: boolean) => {
    const field = screen.getByLabelText('รหัสผ่าน')
    const event = createEvent.keyDown(field, { key: 'A' })
    // happy-dom knows no such key.
    Object.defineProperty(event, 'getModifierState', { value: (name: string) => name === 'CapsLock' && isOn })
    fireEvent(field, event)
  }
  press(true)
  expect(await screen.findByText(/Caps Lock เปิดอยู่/)).toBeTruthy()
  press(false)
  expect(screen.queryByText(/Caps Lock เปิดอยู่/)).toBeNull()
})
