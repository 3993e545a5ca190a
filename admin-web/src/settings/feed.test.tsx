import { createFeedKey, listFeedKeys, revokeFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { previewTakeBack, takeBackLines } from '@shop/shared/statement/take-back-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { fakeAccounts } from '../testing/statement.ts'

const admin = { ...staff, role: 'admin' as const }
const key = {
  id: '01a1f903-0006-7b09-91c6-000000000001',
  name: 'ตัวดึงรายการ SCB',
  prefix: 'feed-s',
  receivingAccountId: 7,
  createdAt: '2026-11-20T07:00:00.000Z',
  createdByName: 'มานี',
  lastUsedAt: null,
  expiresAt: '2027-11-20T07:00:00.000Z',
  end: null,
}

test('a key is shown once, told how to use, and ended after asking', async () => {
  let keys: (typeof key)[] = []
  const revoked: string[] = []
  const made: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listFeedKeys, () => keys),
    fake(createFeedKey, body => {
      made.push(body)
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
  await dialog.findByText('กรุณาเลือกบัญชีธนาคาร')
  expect(made).toEqual([])
  fireEvent.mouseDown(dialog.getByLabelText('ของบัญชี'))
  fireEvent.click(await screen.findByText('กสิกรไทย x5678', { selector: '.ant-select-item-option-content *' }))
  fireEvent.click(dialog.getByRole('button', { name: 'สร้างคีย์' }))
  const shown = within(await screen.findByRole('dialog', { name: 'คีย์ใหม่' }))
  shown.getByText('feed-secret-1')
  shown.getByText(/คีย์นี้แสดงครั้งเดียว/)
  fireEvent.click(shown.getByRole('button', { name: 'บันทึกคีย์ไว้แล้ว' }))
  await waitFor(() => expect(screen.queryByText('feed-secret-1')).toBeNull())
  expect(made).toEqual([{ name: key.name, receivingAccountId: 7, days: 365 }])
  await screen.findByText('feed-s…')
  await screen.findByText('กสิกรไทย x5678', { selector: 'td' })
  fireEvent.click(await screen.findByRole('button', { name: `ยกเลิกคีย์ ${key.name}` }))
  const confirm = (await screen.findAllByText(`ยกเลิกคีย์ ${key.name}?`))[0]!.closest<HTMLElement>('[role=dialog]')!
  expect(revoked).toEqual([])
  fireEvent.click(within(confirm).getByRole('button', { name: 'ยกเลิกคีย์' }))
  await screen.findByText(/ยังไม่มีคีย์/)
  expect(revoked).toEqual([key.id])
})

test('an ended key stays in the list and says why it ended', async () => {
  server.use(
    fakeAccounts(),
    fake(listFeedKeys, () => [{ ...key, end: 'maker' as const }]),
  )
  renderSite({ path: '/management/appconfig?section=feed', me: admin })
  await screen.findByText('ผู้สร้างไม่มีสิทธิ์แล้ว')
})

test('what a key brought is told before it is taken back, which goes on until nothing is left', async () => {
  const sent: unknown[] = []
  const none = { lines: 0, amountSatang: 0 }
  const stuck = { lineId: key.id, no: 12, amountSatang: 89_900, target: null, why: 'เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้' }
  server.use(
    fakeAccounts(),
    fake(listFeedKeys, () => [key]),
    fake(previewTakeBack, () => ({
      idle: { lines: 30, amountSatang: 1000 },
      undone: none,
      confirmed: none,
      stuck: { lines: 1, amountSatang: 89_900 },
      cases: [stuck],
    })),
    fake(takeBackLines, body => {
      sent.push(body)
      return sent.length === 1
        ? { voided: 25, undone: 0, stuck: 0, left: 6, next: 25 }
        : { voided: 5, undone: 0, stuck: 1, left: 0, next: null }
    }),
  )
  renderSite({ path: '/management/appconfig?section=feed', me: admin })
  fireEvent.click(await screen.findByRole('button', { name: `เพิกถอนรายการของ ${key.name}` }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/30 รายการ/)
  dialog.getByText('เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้')
  fireEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคีย์และเพิกถอน' }))
  await dialog.findByText('กรุณาระบุเหตุผล')
  expect(sent).toEqual([])
  fireEvent.change(dialog.getByLabelText('เหตุผล'), { target: { value: 'คีย์รั่ว' } })
  fireEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคีย์และเพิกถอน' }))
  await dialog.findByText(/เพิกถอนเสร็จแล้ว 30 รายการ/)
  expect(sent).toEqual([
    { since: null, reason: 'คีย์รั่ว', after: 0 },
    { since: null, reason: 'คีย์รั่ว', after: 25 },
  ])
})

test('a manager does not reach the keys', async () => {
  renderSite({ path: '/management/appconfig?section=feed', me: { ...staff, role: 'manager' } })
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
})
