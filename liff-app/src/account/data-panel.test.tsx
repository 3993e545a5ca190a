import { AppError } from '@shop/shared/errors.ts'
import { askErasure, downloadOwnData, getOwnErasure, withdrawErasure } from '@shop/shared/privacy/endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { InShop } from '../testing.tsx'
import DataPanel from './data-panel.tsx'
import { startServer } from './testing.ts'

const saved = vi.hoisted(() => ({ saveFile: vi.fn() }))
vi.mock('@shop/web/files.ts', async original => ({ ...(await original<object>()), ...saved }))

const server = startServer()
const NOTHING = { request: null, barriers: [] }
const ASKED = { request: { state: 'asked' as const, askedAt: '2026-11-20T05:00:00.000Z' }, barriers: [] }
const show = () =>
  render(
    <InShop at="/user/u1">
      <DataPanel me={person} />
    </InShop>,
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the file is handed over; why there is none is told beside the button', async () => {
  let isTooOften = true
  server.use(
    fake(getOwnErasure, () => NOTHING),
    fake(downloadOwnData, () => {
      if (isTooOften) throw new AppError('RATE_LIMITED', { values: { n: 9 } })
      return new Blob(['{"account":[]}'])
    }),
  )
  show()
  await press('ดาวน์โหลดข้อมูล')
  expect((await screen.findByText(/ใน 9 นาที/)).textContent).toContain('บ่อยเกินไป')
  isTooOften = false
  await press('ดาวน์โหลดข้อมูล')
  await waitFor(() => expect(saved.saveFile).toHaveBeenCalledWith(expect.any(Blob), 'my-data.json'))
})

test('asking takes a question and a proof, and can be taken back', async () => {
  let isProven = false
  server.use(
    fake(getOwnErasure, () => NOTHING),
    fake(askErasure, () => {
      if (!isProven) throw new AppError('RECENT_SIGN_IN_REQUIRED')
      return ASKED
    }),
    fake(withdrawErasure, () => NOTHING),
  )
  show()
  await press('ขอลบบัญชีและข้อมูล')
  await press('ส่งคำขอลบ')
  expect(await screen.findByRole('dialog', { name: 'ยืนยันตัวตน' })).toBeTruthy()
  isProven = true
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('ขอลบบัญชีและข้อมูล')
  await press('ส่งคำขอลบ')
  expect((await screen.findByText(/ขอลบไว้เมื่อ/)).textContent).toContain('รอทีมงานสองคนอนุมัติ')
  await press('ยกเลิกคำขอลบบัญชี')
  expect(await screen.findByRole('button', { name: 'ขอลบบัญชีและข้อมูล' })).toBeTruthy()
})

test('what stands against it is said, and what to do about it', async () => {
  server.use(fake(getOwnErasure, () => ({ request: null, barriers: ['balance' as const, 'order' as const] })))
  show()
  expect(await screen.findByText(/กระเป๋าเงินยังมีเงินเหลือ ใช้ให้หมด/)).toBeTruthy()
  expect(screen.getByText(/ยังมีคำสั่งซื้อที่ไม่จบ/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'ขอลบบัญชีและข้อมูล' })).toBeNull()
})
