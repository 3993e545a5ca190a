import { exportStatement, getStatement } from '@shop/shared/wallet/endpoints.ts'
import { person } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { InShop } from '../testing.tsx'
import '../ui/sheet-dialog.tsx'
import { StatementSheet } from '../wallet/statement-sheet.tsx'
import LinksPanel from './links-panel.tsx'
import LoginScreen from './login-screen.tsx'
import { ProveSheet } from './prove-sheet.tsx'
import { startServer } from './testing.ts'

// The shop in Facebook's browser on an iPhone.
vi.hoisted(() => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/490.0]'
  Object.defineProperty(navigator, 'userAgent', { value: userAgent })
})
vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
vi.mock('./social.ts', () => ({}))
const saved = vi.hoisted(() => ({ saveFile: vi.fn() }))
vi.mock('@shop/web/files.ts', async original => ({ ...(await original<object>()), ...saved }))

const server = startServer()
const show = (page: ReactNode, at = '/login') => render(<InShop at={at}>{page}</InShop>)

test('Google and Facebook, which refuse there, are not offered; the way out and the other ways are', async () => {
  show(<LoginScreen />)
  expect(await screen.findByText(/Google และ Facebook ใช้ในแอป Facebook ไม่ได้/)).toBeTruthy()
  expect(screen.getByText(/แตะปุ่ม ⋯ ที่มุมจอ แล้วเลือก "เปิดในเบราว์เซอร์"/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /คัดลอกลิงก์/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Google|Facebook/ })).toBeNull()
  for (const way of ['LINE', 'อีเมล'])
    expect(screen.getByRole('button', { name: `เข้าสู่ระบบด้วย${way === 'LINE' ? ' ' : ''}${way}` })).toBeTruthy()
})

test('nor are they offered to link, or to prove who one is', async () => {
  const me = { ...person, providers: ['google.com' as const] }
  show(<LinksPanel me={me} />)
  expect(screen.queryByRole('button', { name: 'เชื่อมต่อ Facebook' })).toBeNull()
  expect(screen.getByText(/ในแอป Facebook เชื่อมต่อได้เฉพาะ LINE/)).toBeTruthy()
  show(<ProveSheet me={me} open path="/user/u1" onProven={() => undefined} onClose={() => undefined} />)
  expect(await screen.findByText(/Google และ Facebook ใช้ยืนยันในแอป Facebook ไม่ได้/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'ยืนยันด้วย Google' })).toBeNull()
})

/** The wallet's statement, open, with a file to export. */
function openStatement() {
  const statement = { month: '2026-11', openingSatang: 0, inSatang: 0, outSatang: 0, closingSatang: 0, rows: [] }
  server.use(
    http.get(`*${getStatement.path.replace('/:month', '')}/:month`, () => HttpResponse.json(statement)),
    http.get(
      `*${exportStatement.path.replace(':month', '*')}`,
      () => new HttpResponse('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } }),
    ),
  )
  show(<StatementSheet open onClose={() => undefined} />)
}
const exportIt = async () => userEvent.click(await screen.findByRole('button', { name: 'ส่งออก CSV' }))
afterEach(() => Object.assign(navigator, { canShare: undefined, share: undefined }))

test('a CSV goes to the share sheet, by which an app without downloads can save it', async () => {
  const share = vi.fn(async (_: { files: File[] }) => undefined)
  Object.assign(navigator, { canShare: () => true, share })
  openStatement()
  await exportIt()
  await waitFor(() => expect(share).toHaveBeenCalled())
  const [file] = share.mock.calls[0]![0].files
  expect([file!.type, file!.name]).toEqual(['text/csv', expect.stringMatching(/^Export\d+\.csv$/)])
  expect(saved.saveFile).not.toHaveBeenCalled()
})

test('where there is no share sheet either, the page says where it works', async () => {
  openStatement()
  await exportIt()
  expect(await screen.findByText(/แอป Facebook บันทึกไฟล์ไม่ได้ กรุณาเปิดร้านในเบราว์เซอร์/)).toBeTruthy()
})
