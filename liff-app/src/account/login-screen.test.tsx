import { createCustomToken, linkLine, syncAccount } from '@shop/shared/account/endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { isRemembered } from '../remembered.ts'
import { read, write } from '../storage.ts'
import { InShop, shopConfig } from '../testing.tsx'
import LoginScreen from './login-screen.tsx'
import { startServer } from './testing.ts'

// The identity provider is somebody else's server; everything of ours is real.
const firebase = vi.hoisted(() => ({
  signInWithPassword: vi.fn(),
  signInWithToken: vi.fn(),
  signOut: vi.fn(async () => undefined),
  onUser: vi.fn(),
  getToken: vi.fn(async () => 'token'),
}))
vi.mock('../firebase.ts', () => firebase)
const social = vi.hoisted(() => ({ signInWithProvider: vi.fn(async () => undefined) }))
vi.mock('./social.ts', () => social)

const server = startServer()
beforeEach(() => {
  vi.clearAllMocks()
  firebase.signInWithPassword.mockReset()
})

function open(path = '/login') {
  history.replaceState(null, '', path)
  render(
    <InShop at={path}>
      <Routes>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="*" element={<p>ไปต่อแล้ว</p>} />
      </Routes>
    </InShop>,
  )
}

const alertText = async () =>
  waitFor(() => {
    const text = screen.getAllByRole('alert').find(each => each.textContent)?.textContent
    if (!text) throw new Error('no alert yet')
    return text
  })

async function signInByEmail() {
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }))
  await userEvent.type(screen.getByLabelText('อีเมล'), 'a@example.com')
  await userEvent.type(screen.getByLabelText('รหัสผ่าน'), 'secret-99')
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))
}

test('a wrong password is told in the spec’s words, and nobody is signed in', async () => {
  firebase.signInWithPassword.mockRejectedValue(Object.assign(new Error(), { code: 'auth/invalid-credential' }))
  open()
  await signInByEmail()
  expect(await screen.findByText('อีเมลหรือรหัสผ่านไม่ถูกต้อง')).toBeTruthy()
  expect(screen.getByLabelText('รหัสผ่าน').getAttribute('aria-invalid')).toBe('true')
  expect(read('user', isRemembered)).toBeNull()
})

test('a right password goes on once the shop knows the person', async () => {
  server.use(fake(syncAccount, () => customer))
  open()
  await signInByEmail()
  await screen.findByText('ไปต่อแล้ว')
  expect(firebase.signInWithPassword.mock.calls).toEqual([['a@example.com', 'secret-99']])
})

test('what a password manager fills in without an event is what is sent', async () => {
  server.use(fake(syncAccount, () => customer))
  open()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }))
  screen.getByLabelText<HTMLInputElement>('อีเมล').value = 'a@example.com'
  screen.getByLabelText<HTMLInputElement>('รหัสผ่าน').value = 'secret-99'
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))
  await screen.findByText('ไปต่อแล้ว')
  expect(firebase.signInWithPassword.mock.calls).toEqual([['a@example.com', 'secret-99']])
})

test('while the sign-in runs, a loader covers the page and nothing under it can be pressed', async () => {
  let answer = () => undefined as unknown
  firebase.signInWithPassword.mockReturnValue(new Promise(resolve => (answer = () => resolve(undefined))))
  server.use(fake(syncAccount, () => customer))
  open()
  await signInByEmail()
  expect(screen.getByText('กรุณารอสักครู่..').closest('[inert]')).toBeNull()
  expect(screen.getByText('เข้าสู่ระบบด้วยวิธีอื่น').closest('[inert]')).toBeTruthy()
  answer()
  await screen.findByText('ไปต่อแล้ว')
})

test('an account the shop refuses is signed out again', async () => {
  server.use(fake(syncAccount, refuse('ACCOUNT_INACTIVE')))
  open()
  await signInByEmail()
  expect(await alertText()).toContain('บัญชีนี้ถูกระงับการใช้งาน')
  expect((await screen.findByRole('link', { name: 'ติดต่อแอดมิน' })).getAttribute('href')).toContain('%40kraam')
  expect(firebase.signOut).toHaveBeenCalled()
})

test('whose registration broke off before the shop heard of it comes in like everybody else', async () => {
  const bodies: unknown[] = []
  server.use(
    fake(syncAccount, body => {
      bodies.push(body)
      return customer
    }),
  )
  open()
  await signInByEmail()
  await screen.findByText('ไปต่อแล้ว')
  expect(bodies).toEqual([{}])
})

test('an address that has an account already: Google is told to come second, and nobody is signed in', async () => {
  server.use(fake(syncAccount, refuse('SIGN_IN_THEN_LINK')))
  open()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วย Google' }))
  expect(await alertText()).toContain('กรุณาเข้าสู่ระบบด้วยวิธีเดิม (หรือกดลืมรหัสผ่าน) แล้วเชื่อมต่อช่องทางนี้')
  expect(firebase.signOut).toHaveBeenCalled()
  expect(read('user', isRemembered)).toBeNull()
})

test('back from LINE: the proof is sent once and leaves the address', async () => {
  const proofs: unknown[] = []
  server.use(
    fake(createCustomToken, proof => {
      proofs.push(proof)
      return { firebaseToken: 'custom' }
    }),
    fake(syncAccount, () => customer),
  )
  write('lineAttempt', { attempt: 'a', purpose: 'signIn' })
  open('/login?code=c&state=s')
  await screen.findByText('ไปต่อแล้ว')
  expect(proofs).toEqual([{ code: 'c', state: 's', attempt: 'a' }])
  expect(firebase.signInWithToken.mock.calls).toEqual([['custom']])
  expect(location.search).toBe('')
  expect(localStorage.getItem('lineAttempt')).toBeNull()
})

test.each([
  ['EMAIL_IN_USE', 'อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว เช่น Google หรือ Facebook กรุณาลองอีกครั้ง'],
  ['SIGN_IN_REPLAYED', 'ลิงก์เข้าสู่ระบบนี้ถูกใช้แล้ว กรุณาเข้าสู่ระบบอีกครั้ง'],
] as const)('back from LINE, the server’s %s is shown with every other way to sign in', async (code, text) => {
  server.use(fake(createCustomToken, refuse(code)))
  write('lineAttempt', { attempt: 'a', purpose: 'signIn' })
  open('/login?code=c&state=s')
  expect(await alertText()).toContain(`เข้าสู่ระบบไม่สำเร็จ${text}`)
  expect(await screen.findByRole('button', { name: 'เข้าสู่ระบบด้วย Google' })).toBeTruthy()
})

test('back from LINE without consent: the way on is told', async () => {
  write('lineAttempt', { attempt: 'a', purpose: 'signIn' })
  open('/login?error=ACCESS_DENIED&error_description=no&state=s')
  expect(await alertText()).toContain('คุณยังไม่ได้อนุญาต')
  expect(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วย LINE' })).toBeTruthy()
})

test('a return from LINE that this browser did not start is refused without asking the server', async () => {
  open('/login?code=c&state=s')
  expect(await alertText()).toContain('เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง')
})

test('back from LINE to link it: the account stays, and the page that asked is shown again', async () => {
  server.use(fake(linkLine, () => ({ ...customer, providers: ['password', 'line'] })))
  write('user', customer)
  write('lineAttempt', { attempt: 'a', purpose: 'link', wayBack: '/user/u1?panel=links' })
  open('/login?code=c&state=s')
  await screen.findByText('ไปต่อแล้ว')
  expect(firebase.signInWithToken).not.toHaveBeenCalled()
  expect(read('user', isRemembered)).toMatchObject({ uid: 'u1', providers: ['password', 'line'] })
})

test('the e-mail form is a step of its own, from which one can go back to the other ways', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }))
  expect(screen.queryByText('เข้าสู่ระบบด้วย LINE')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วยวิธีอื่น' }))
  expect(screen.getByText('เข้าสู่ระบบด้วย LINE')).toBeTruthy()
  expect(screen.queryByLabelText('อีเมล')).toBeNull()
})

test.each([
  ['true', 'ซื้อเลย'],
  ['false', undefined],
])('where guests may buy (%s) the page says that nobody has to sign in: %s', async (ALLOW_GUEST_CHECKOUT, link) => {
  server.use(fake(getPublicConfig, () => shopConfig({ ALLOW_GUEST_CHECKOUT })))
  open()
  await screen.findByText('เข้าสู่ระบบด้วย LINE')
  if (link) expect((await screen.findByRole('link', { name: link })).getAttribute('href')).toBe('/game')
  else expect(screen.queryByText(/ซื้อได้โดยไม่ต้องเข้าสู่ระบบ/)).toBeNull()
})

test('a window that was closed is told quietly, in a line that was there before', async () => {
  social.signInWithProvider.mockRejectedValueOnce(Object.assign(new Error(), { code: 'auth/popup-closed-by-user' }))
  open()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วย Google' }))
  expect(await screen.findByText('ยังไม่ได้เข้าสู่ระบบ เลือกวิธีได้อีกครั้ง')).toBeTruthy()
  expect(screen.queryByText('เพื่อดูคำสั่งซื้อและรับแจ้งเตือน')).toBeNull()
  expect(screen.getAllByRole('alert').every(each => each.textContent === '')).toBe(true)
})

test('a password typed with Caps Lock on is said so at its field', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }))
  const field = screen.getByLabelText('รหัสผ่าน')
  const event = createEvent.keyDown(field, { key: 'A' })
  // happy-dom knows no such key.
  Object.defineProperty(event, 'getModifierState', { value: (name: string) => name === 'CapsLock' })
  fireEvent(field, event)
  expect(screen.getByText(/Caps Lock เปิดอยู่/)).toBeTruthy()
})

test('who signs in from the page that thanks for a paid order is not told to pay', async () => {
  write('order', { orderNo: 'KT2611-00000001' })
  open()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('เข้าสู่ระบบเพื่อทำรายการต่อ')
})
