import { changePin, sendOwnerCode } from '@shop/shared/account/pin-endpoints.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop } from '../testing.tsx'
import PinPanel from './pin-panel.tsx'
import { startServer } from './testing.ts'

let seconds = 0
vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
  proveWithPassword: async () => {
    seconds = 0
  },
}))
vi.mock('./password.ts', () => ({ getSecondsSinceProof: async () => seconds }))

const server = startServer()
const me = { ...customer, providers: ['password'] }
beforeEach(() => {
  seconds = 0
  write('user', me)
})

const open = () => render(<PinPanel me={me} onDone={() => undefined} />, { wrapper: InShop })
async function typePin(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('PIN ใหม่'), '4821')
  await userEvent.type(screen.getByLabelText('ยืนยัน PIN ใหม่'), '4821')
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'ตั้ง PIN' }))
const typed = () => (screen.getByLabelText('PIN ใหม่') as HTMLInputElement).value
const prove = async () => {
  await userEvent.type(await screen.findByLabelText('รหัสผ่านปัจจุบัน'), 'a password')
  await userEvent.click(screen.getByRole('button', { name: 'ยืนยัน' }))
}

/** Answers the tries to set it, one after the other, with these refusals and then with success. */
function answering(...codes: ErrorCode[]) {
  const sent: unknown[] = []
  server.use(
    fake(changePin, body => {
      sent.push(body)
      const code = codes[sent.length - 1]
      if (code) throw new AppError(code, { values: { n: 4 } })
      return me
    }),
  )
  return sent
}

test('whoever signed in long ago proves who they are before they type', async () => {
  seconds = 4000
  const sent = answering()
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'ยืนยันตัวตน' }))
  expect(screen.queryByLabelText('PIN ใหม่')).toBeNull()
  await prove()
  await typePin()
  await press()
  await screen.findByText('ตั้ง PIN สำเร็จ')
  expect(sent).toEqual([{ pin: '4821' }])
})

test('a proof that is over by then is asked for again, and what was typed goes on', async () => {
  const sent = answering('RECENT_SIGN_IN_REQUIRED')
  open()
  await typePin()
  await press()
  await prove()
  await screen.findByText('ตั้ง PIN สำเร็จ')
  expect(sent).toEqual([{ pin: '4821' }, { pin: '4821' }])
})

test('a code of the shop: sent, wrong, over, sent again and right, while the typed PIN stays', async () => {
  const sent = answering('OWNER_CODE_REQUIRED', 'NUMBER_WRONG', 'NUMBER_OVER')
  server.use(fake(sendOwnerCode, refuse('OWNER_CODE_NO_ADDRESS')))
  open()
  await typePin()
  await press()
  await userEvent.click(await screen.findByRole('button', { name: 'ส่งรหัสให้ฉัน' }))
  expect(await screen.findByText(/ไม่มี LINE หรืออีเมลที่ใช้มาเกิน 24 ชั่วโมง/)).toBeTruthy()
  server.use(fake(sendOwnerCode, () => ({ sentTo: 'LINE ของคุณ' })))
  await userEvent.click(screen.getByRole('button', { name: 'ส่งรหัสให้ฉัน' }))
  expect(await screen.findByText('ส่งไปที่ LINE ของคุณ แล้ว ใช้ได้ 10 นาที')).toBeTruthy()
  const type = async (code: string) => {
    await userEvent.type(screen.getByLabelText('รหัสที่ได้รับ'), code)
    await press()
  }
  await type('12')
  expect(await screen.findByText('กรอกรหัสเป็นตัวเลข 6 หลัก')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('รหัสที่ได้รับ'))
  await type('111111')
  expect(await screen.findByText('ตัวเลขไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await type('222222')
  expect(await screen.findByText('ตัวเลขนี้หมดอายุหรือใช้ไม่ได้แล้ว กรุณาขอใหม่')).toBeTruthy()
  expect(typed()).toBe('4821')
  await userEvent.click(screen.getByRole('button', { name: 'ส่งรหัสอีกครั้ง' }))
  await type('๓๓๓๓๓๓')
  await screen.findByText('ตั้ง PIN สำเร็จ')
  expect(sent.slice(1)).toEqual(['111111', '222222', '333333'].map(code => ({ pin: '4821', code })))
})
