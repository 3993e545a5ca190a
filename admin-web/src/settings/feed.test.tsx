import { createFeedKey, listFeedKeys, revokeFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const admin = { ...staff, role: 'admin' as const }
const key = {
  id: '01a1f903-0006-7b09-91c6-000000000001',
  name: 'ตัวดึงรายการ SCB',
  createdAt: '2026-11-20T07:00:00.000Z',
  createdByName: 'มานี',
  lastUsedAt: null,
}

test('a key is shown once, told how to use, and ended after asking', async () => {
  let keys: (typeof key)[] = []
  const revoked: string[] = []
  server.use(
    fake(listFeedKeys, () => keys),
    fake(createFeedKey, body => {
      keys = [{ ...key, name: (body as { name: string }).name }]
      return { id: key.id, key: 'feed-secret-1' }
    }),
    fake(revokeFeedKey, (_, url) => {
      revoked.push(url.pathname.split('/').at(-1)!)
      keys = []
      return { id: key.id }
    }),
  )
  renderSite({ path: '/management/appconfig?section=feed', me: admin })
  await screen.findByText(/ยังไม่มีคีย์/)
  expect(screen.getByText(/curl -X POST/).textContent).toContain('/romons.payment/api/statement/lines')
  fireEvent.click(screen.getByRole('button', { name: 'สร้างคีย์' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('ชื่อคีย์'), { target: { value: key.name } })
  fireEvent.click(dialog.getByRole('button', { name: 'สร้างคีย์' }))
  await dialog.findByText('feed-secret-1')
  dialog.getByText(/คีย์นี้แสดงครั้งเดียว/)
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึกคีย์ไว้แล้ว' }))
  await waitFor(() => expect(screen.queryByText('feed-secret-1')).toBeNull())
  fireEvent.click(await screen.findByRole('button', { name: `ยกเลิกคีย์ ${key.name}` }))
  const confirm = (await screen.findAllByText(`ยกเลิกคีย์ ${key.name}?`))[0]!.closest<HTMLElement>('[role=dialog]')!
  expect(revoked).toEqual([])
  fireEvent.click(within(confirm).getByRole('button', { name: 'ยกเลิกคีย์' }))
  await screen.findByText(/ยังไม่มีคีย์/)
  expect(revoked).toEqual([key.id])
})

test('a manager does not reach the keys', async () => {
  renderSite({ path: '/management/appconfig?section=feed', me: { ...staff, role: 'manager' } })
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
})
