import { syncAccount } from '@shop/shared/account/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { saveCurrentOrder } from '../current-order.ts'
import { removeAll } from '../storage.ts'
import { InShop } from '../testing.tsx'
import RegistrationScreen from './registration-screen.tsx'
import { startServer } from './testing.ts'

// The identity provider is somebody else's server; everything of ours is real.
const firebase = vi.hoisted(() => ({
  signInWithPassword: vi.fn(async () => undefined),
  signOut: vi.fn(async () => undefined),
  onUser: vi.fn(),
  sendVerificationEmail: vi.fn(async () => undefined),
  getToken: vi.fn(async () => 'token'),
}))
const passwords = vi.hoisted(() => ({ createAccount: vi.fn() }))
vi.mock('../firebase.ts', () => firebase)
vi.mock('./password.ts', () => passwords)
vi.mock('./social.ts', () => ({}))

const server = startServer()
beforeEach(() => {
  vi.clearAllMocks()
  passwords.createAccount.mockReset()
})

function open() {
  return render(
    <InShop at="/registration">
      <Routes>
        <Route path="/registration" element={<RegistrationScreen />} />
        <Route path="*" element={<p>ไปต่อแล้ว</p>} />
      </Routes>
    </InShop>,
  )
}

const filled = {
  อีเมล: 'namkhao@example.com',
  รหัสผ่าน: 'secret-99',
}
const submit = () => userEvent.click(screen.getAllByRole('button', { name: 'สมัครสมาชิก' })[0]!)

async function fill(change: Partial<Record<keyof typeof filled, string>> = {}) {
  for (const [label, text] of Object.entries({ ...filled, ...change })) {
    const field = screen.getByLabelText(label)
    await userEvent.clear(field)
    if (text) await userEvent.type(field, text)
  }
}

test('only an address and a password are asked for; the rest waits until it is wanted', () => {
  open()
  expect([...document.querySelectorAll('input')].map(({ name }) => name)).toEqual(['email', 'password'])
})

test('an empty form: each field says so, a summary leads to them, nothing is sent', async () => {
  open()
  await submit()
  expect(await screen.findByText('กรุณาตรวจสอบ 2 ช่อง')).toBeTruthy()
  for (const label of Object.keys(filled)) {
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  }
  expect(document.activeElement).toBe(screen.getByLabelText('อีเมล'))
  await userEvent.click(screen.getByRole('button', { name: 'รหัสผ่าน' }))
  expect(document.activeElement).toBe(screen.getByLabelText('รหัสผ่าน'))
  expect(passwords.createAccount).not.toHaveBeenCalled()
})

test.each([
  [{ รหัสผ่าน: 'short' }, 'รหัสผ่าน', 'รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร'],
  [{ อีเมล: 'namkhao' }, 'อีเมล', 'กรุณากรอกอีเมลให้ถูกต้อง'],
  [{ รหัสผ่าน: '' }, 'รหัสผ่าน', 'กรุณากรอกรหัสผ่าน'],
])('%j is told at its field', async (change, label, message) => {
  open()
  await fill(change)
  await submit()
  expect(await screen.findByText(message)).toBeTruthy()
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  expect(passwords.createAccount).not.toHaveBeenCalled()
})

test('a sync that fails stays with a message; sent again, the account is not made twice', async () => {
  const bodies: unknown[] = []
  const answers = [refuse('UNAVAILABLE'), () => customer]
  server.use(
    fake(syncAccount, body => {
      bodies.push(body)
      return answers.shift()!()
    }),
  )
  open()
  await fill()
  await submit()
  expect(await screen.findByText('ไม่สามารถสมัครสมาชิกได้ กรุณาลองอีกครั้ง')).toBeTruthy()
  expect(screen.queryByText('ไปต่อแล้ว')).toBeNull()
  await submit()
  expect(await screen.findByText('ไปต่อแล้ว')).toBeTruthy()
  expect(passwords.createAccount).toHaveBeenCalledTimes(1)
  expect(firebase.signInWithPassword).toHaveBeenCalledTimes(1)
  expect(bodies).toEqual([{}, {}])
  expect(firebase.sendVerificationEmail).toHaveBeenCalledTimes(1)
})

test('an address that is taken is told at its field in the catalogue’s words', async () => {
  passwords.createAccount.mockRejectedValue(Object.assign(new Error(), { code: 'auth/email-already-in-use' }))
  open()
  await fill()
  await submit()
  expect(await screen.findByText(/^อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว/)).toBeTruthy()
  expect(screen.getByLabelText('อีเมล').getAttribute('aria-invalid')).toBe('true')
})

test('what was typed is there again after a reload, but for the password', async () => {
  const { unmount } = open()
  await fill()
  await waitFor(() => expect(sessionStorage.getItem('registration')).toContain('namkhao@example.com'))
  unmount()
  open()
  expect((screen.getByLabelText('อีเมล') as HTMLInputElement).value).toBe('namkhao@example.com')
  expect((screen.getByLabelText('รหัสผ่าน') as HTMLInputElement).value).toBe('')
})

test('one press by LINE, Google or Facebook stands before the form', () => {
  open()
  const buttons = screen.getAllByRole('button').map(button => button.textContent)
  expect(buttons.slice(0, 3)).toEqual(['สมัครด้วย LINE', 'สมัครด้วย Google', 'สมัครด้วย Facebook'])
  expect(buttons.at(-1)).toBe('สมัครสมาชิก')
})

test('who registers to pay goes on without a message over the payment; elsewhere the mail is told', async () => {
  server.use(fake(syncAccount, () => customer))
  const { unmount } = open()
  await fill()
  await submit()
  await screen.findByText(/ส่งอีเมลยืนยันไปที่ namkhao@example.com แล้ว/)
  unmount()
  removeAll()
  saveCurrentOrder({ orderNo: 'KT2611-00000001' })
  open()
  await fill()
  await submit()
  await screen.findByText('ไปต่อแล้ว')
  expect(screen.queryByText(/ส่งอีเมลยืนยันไปที่/)).toBeNull()
  expect(sessionStorage.getItem('mailedTo')).toBe('namkhao@example.com')
})
