import { createCustomToken, startLink } from '@shop/shared/account/endpoints.ts'
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { write } from '../storage.ts'
import { InShop } from '../testing.tsx'
// Fetched when needed, which takes longer than a test waits.
import '../ui/sheet-dialog.tsx'
import './line-trouble-sheet.tsx'
import LinksPanel from './links-panel.tsx'
import { startServer } from './testing.ts'

const firebase = vi.hoisted(() => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
  signInWithToken: vi.fn(),
  sendVerificationEmail: vi.fn(async () => undefined),
}))
const line = vi.hoisted(() => ({ isKnown: false, tries: 0, staySignedOut: vi.fn() }))
vi.mock('../firebase.ts', () => firebase)
vi.mock('./password.ts', () => ({ getSecondsSinceProof: async () => 0 }))
vi.mock('./social.ts', () => ({ linkProvider: vi.fn() }))
vi.mock('./line-in-app.ts', () => ({
  canSignInSilently: () => line.isKnown,
  getLineTrouble: () => null,
  isLineHere: () => false,
  staySignedOut: line.staySignedOut,
  withIdToken: async (use: (proof: { idToken: string }) => Promise<unknown>) => {
    line.tries += 1
    return use({ idToken: 'signed by LINE' })
  },
}))

const server = startServer()

const open = (children = <p>ร้าน</p>) => render(<InShop at="/">{children}</InShop>)

test('whom LINE may not let in is told so once, is offered no second try and looks on as a guest', async () => {
  line.isKnown = true
  server.use(fake(createCustomToken, refuse('LINE_NOT_ALLOWED')))
  open()
  const sheet = within(await screen.findByRole('dialog'))
  expect(sheet.getByText(/เข้าสู่ระบบด้วย LINE ไม่ได้ กรุณาใช้อีเมลหรือ Google/)).toBeTruthy()
  expect(sheet.queryByRole('button', { name: 'ลองอีกครั้ง' })).toBeNull()
  expect(sheet.getByRole('button', { name: 'เข้าสู่ระบบด้วยวิธีอื่น' })).toBeTruthy()
  await userEvent.click(sheet.getByRole('button', { name: 'ดูร้านก่อน' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('ร้าน')).toBeTruthy()
  expect(line.tries).toBe(1)
  expect(line.staySignedOut).toHaveBeenCalled()
  line.isKnown = false
})

test('staff whose session wants a code are told where they can work', async () => {
  write('user', { ...customer, role: 'staff' })
  server.use(fake(listWaitingOrders, refuse('TOTP_REQUIRED')))
  open()
  await api.call(listWaitingOrders).catch(() => undefined)
  expect((await screen.findByText(/รหัส 6 หลัก/)).textContent).toContain('ระบบหลังร้าน')
  expect(screen.getByRole('button', { name: 'เปิดระบบหลังร้าน' })).toBeTruthy()
})

test('a way to sign in that waits for the address comes with the way to prove it', async () => {
  const me = { ...customer, emailVerified: false }
  write('user', me)
  server.use(fake(startLink, refuse('EMAIL_UNPROVEN')))
  open(<LinksPanel me={me} />)
  await userEvent.click(screen.getByRole('button', { name: 'เชื่อมต่อ Google' }))
  const alert = await screen.findByText(/อีเมลของบัญชีนี้ยังไม่ได้ยืนยัน/)
  await userEvent.click(within(alert.parentElement!).getByRole('button', { name: 'ยืนยันอีเมล' }))
  expect(firebase.sendVerificationEmail).toHaveBeenCalled()
})
