import { AppError } from '@shop/shared/errors.ts'
import { approveErasure, type Erasure, listErasures } from '@shop/shared/privacy/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const admin = { ...staff, uid: 'u-admin', role: 'admin' as const }
const erasure = (change: Partial<Erasure> = {}): Erasure => ({
  id: '01a1f903-0005-7b09-91c6-000000000001',
  state: 'asked',
  askedAt: NOW,
  approvedAt: null,
  endedAt: null,
  account: { uid: 'u1', name: 'มะลิ ทองดี' },
  approvedByName: null,
  secondByName: null,
  barriers: [],
  ...change,
})
const barred = erasure({
  id: '01a1f903-0005-7b09-91c6-000000000002',
  account: { uid: 'u2', name: 'กล้า ใจดี' },
  barriers: ['balance'],
})

test('a request is approved after a question; one with money open says so and waits', async () => {
  let approved = 0
  server.use(
    fake(listErasures, () => ({ rows: [erasure(), barred], total: 2, nowDate: NOW })),
    fake(approveErasure, () => {
      approved++
      throw new AppError('CONFLICT')
    }),
  )
  renderSite({ path: '/management/erasure', me: admin })
  const closed = await screen.findByRole('button', { name: 'อนุมัติลบข้อมูลของ กล้า ใจดี' })
  expect((closed as HTMLButtonElement).disabled).toBe(true)
  expect(screen.getByText(/กระเป๋าเงินยังมีเงินเหลือ/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'อนุมัติลบข้อมูลของ มะลิ ทองดี' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/เอากลับมาไม่ได้/)).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'อนุมัติ' }))
  expect(await screen.findByText(/ข้อมูลถูกเปลี่ยนไปแล้ว/)).toBeTruthy()
  expect(approved).toBe(1)
})

test('what is over names nobody', async () => {
  const done = erasure({ state: 'done', account: null, endedAt: NOW, approvedByName: 'หนึ่ง', secondByName: 'สอง' })
  server.use(
    fake(listErasures, (_, url) => ({
      rows: url.searchParams.get('state') === 'over' ? [done] : [],
      total: 1,
      nowDate: NOW,
    })),
  )
  renderSite({ path: '/management/erasure?over=true', me: admin })
  expect(await screen.findByText('บัญชีที่ลบแล้ว')).toBeTruthy()
  expect(screen.getByText('หนึ่ง และ สอง')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /อนุมัติลบ/ })).toBeNull()
})
