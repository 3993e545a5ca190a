import { createCustomToken, startLineSignIn, syncAccount } from '@shop/shared/account/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop } from '../testing.tsx'
import LinksPanel from './links-panel.tsx'
import LoginScreen from './login-screen.tsx'
import { startServer } from './testing.ts'
import { rememberWayBack } from './way-back.ts'

vi.mock('../firebase.ts', () => ({
  onUser: () => undefined,
  getToken: async () => 'token',
  signOut: async () => undefined,
  signInWithPassword: async () => undefined,
}))
vi.mock('./password.ts', () => ({ getSecondsSinceProof: async () => 0 }))
vi.mock('./social.ts', () => ({}))

const server = startServer()
let me = customer
beforeEach(() => {
  me = customer
  server.use(
    fake(createCustomToken, refuse('EMAIL_IN_USE')),
    fake(startLineSignIn, () => ({ authorizeUrl: '#line', attempt: 'next' })),
    fake(syncAccount, () => me),
  )
})

function open(path: string) {
  history.replaceState(null, '', path)
  render(
    <InShop at={path}>
      <Routes>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="/user/:uid" element={<LinksPanel me={me} />} />
        <Route path="/game" element={<p>เลือกเกม</p>} />
        <Route path="/wallet" element={<p>กระเป๋าเงิน</p>} />
      </Routes>
    </InShop>,
  )
}

function comeBackFromLine() {
  write('lineAttempt', { attempt: 'a', purpose: 'signIn' })
  open('/login?code=c&state=s')
}

/** The form stands open: the way in is the one the account had. */
async function signInByEmail() {
  await userEvent.type(await screen.findByLabelText('อีเมล'), 'a@example.com')
  await userEvent.type(screen.getByLabelText('รหัสผ่าน'), 'secret-99')
  await userEvent.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))
}

test('LINE with the address of an account: the way in is told, and after it linking LINE is one press', async () => {
  comeBackFromLine()
  expect(await screen.findByText(/เข้าสู่ระบบด้วยวิธีเดิมก่อน แล้วร้านจะถามว่าต้องการเชื่อมต่อ LINE/)).toBeTruthy()
  await signInByEmail()
  await userEvent.click(await screen.findByRole('button', { name: 'เชื่อมต่อกับ LINE' }))
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem('lineAttempt')!)).toEqual({
      attempt: 'next',
      purpose: 'link',
      wayBack: '/user/u1?panel=links&link=line',
    }),
  )
})

test('who does not want to link goes on to where they were heading, and is not asked again', async () => {
  rememberWayBack('/wallet')
  comeBackFromLine()
  await signInByEmail()
  await userEvent.click(await screen.findByRole('button', { name: 'ไว้ทีหลัง' }))
  expect(await screen.findByText('กระเป๋าเงิน')).toBeTruthy()
  expect(Object.keys({ ...sessionStorage })).toEqual([])
})

test('once linked, the offer leads on', async () => {
  me = { ...customer, providers: ['password', 'line'] }
  open('/user/u1?panel=links&link=line')
  expect(screen.getByText('เชื่อมต่อ LINE แล้ว ครั้งต่อไปเข้าได้ทั้งสองทาง')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'ดำเนินการต่อ' }))
  expect(await screen.findByText('เลือกเกม')).toBeTruthy()
})

test('a manager, who may not come by LINE, is offered no link to it', async () => {
  me = { ...customer, role: 'manager' }
  comeBackFromLine()
  await signInByEmail()
  expect(await screen.findByText('เลือกเกม')).toBeTruthy()
})
