import { AppError } from '@shop/shared/errors.ts'
import { endKey, listKeys } from '@shop/shared/reseller/key-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { DOCS_PATH } from './address.ts'
import { apiKey, keysReply, showPage, startResellerServer } from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const findCard = async (name: string) => within(await screen.findByRole('listitem', { name }))

test('a key tells what it may do, from where, how much it spends, and when it was used', async () => {
  server.use(fake(listKeys, () => keysReply(apiKey('a'))))
  showPage('?mode=live')
  const card = await findCard('เครื่อง a')
  card.getByText('rk_live_Ab3dEf9hIjKlMn0a')
  card.getByText('อ่านสินค้า ราคา คำสั่งซื้อ และกระเป๋าเงิน')
  card.getByText('สั่งซื้อและยกเลิก (ใช้เงินในกระเป๋า)')
  expect(card.queryByText('อ่านรหัสของคำสั่งซื้อ')).toBeNull()
  card.getByText('198.51.100.0/24')
  card.getByText('1,250 บาท 50 สตางค์')
  card.getByText('5,000 บาท')
  card.getByText('20 พ.ย. · 13:58 น.')
  card.getByText('จาก 203.0.113.9')
  card.getByText('12,345 ครั้ง')
  card.getByText('ไม่สำเร็จ 12 ครั้ง')
  card.getByText('02/10/2026 09:00')
})

test('a key without limits that nobody has used says so', async () => {
  const bare = { addresses: [], dailyLimitSatang: null, lastUsedAt: null, lastUsedFrom: null }
  server.use(fake(listKeys, () => keysReply(apiKey('a', bare))))
  showPage('?mode=live')
  const card = await findCard('เครื่อง a')
  card.getByText('ทุกที่')
  card.getByText(/ไม่จำกัดวงเงิน/)
  card.getByText('ยังไม่เคยใช้')
})

test('live and test keys stand apart, and the address has the choice', async () => {
  server.use(fake(listKeys, () => keysReply(apiKey('a'), apiKey('b', { mode: 'test' }))))
  showPage('?mode=nonsense')
  await findCard('เครื่อง a')
  expect(screen.queryByText('เครื่อง b')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ทดสอบ', pressed: false }))
  const card = await findCard('เครื่อง b')
  card.getByText(/เงินจำลอง/)
  expect(screen.queryByText('เครื่อง a')).toBeNull()
  expect(screen.getByLabelText('ตัวเลือก').textContent).toBe('?mode=test')
})

test('an address with the choice shows test keys at once', async () => {
  server.use(fake(listKeys, () => keysReply(apiKey('a'), apiKey('b', { mode: 'test' }))))
  showPage('?mode=test')
  await findCard('เครื่อง b')
  expect(screen.queryByText('เครื่อง a')).toBeNull()
})

test('the copied id is the public one', async () => {
  const user = userEvent.setup()
  server.use(fake(listKeys, () => keysReply(apiKey('a'))))
  showPage('?mode=live')
  await user.click(await screen.findByRole('button', { name: 'คัดลอก รหัสของคีย์ เครื่อง a' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('rk_live_Ab3dEf9hIjKlMn0a'))
})

test('ended keys are folded away, and tell when and why; many come in two steps', async () => {
  const ended = Array.from({ length: 12 }, (_, at) =>
    apiKey('abcdefghijkl'.charAt(at), { endedAt: '2026-11-01T02:00:00.000Z', endedFor: at === 0 ? 'staff' : 'owner' }),
  )
  server.use(fake(listKeys, () => keysReply(...ended)))
  showPage('?mode=live')
  await screen.findByText('ยังไม่มีคีย์')
  const fold = screen.getByRole('button', { name: 'คีย์ที่ยกเลิกแล้ว 12 คีย์', expanded: false })
  expect(screen.queryByText('เครื่อง a')).toBeNull()
  await userEvent.click(fold)
  screen.getByText('เครื่อง a')
  screen.getByText('01/11/2026 09:00 · ร้านยกเลิก')
  expect(screen.queryByText('เครื่อง l')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ดูอีก 2 คีย์' }))
  screen.getByText('เครื่อง l')
  expect(screen.queryByRole('button', { name: /^ยกเลิกคีย์ เครื่อง/ })).toBeNull()
})

test('with two keys of a mode no third is offered, but how to change one; the other mode still takes one', async () => {
  server.use(fake(listKeys, () => keysReply(apiKey('a'), apiKey('b'), apiKey('c', { mode: 'test' }))))
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: 'ครบ 2 คีย์แล้ว' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement?.textContent).toMatch(/สร้างคีย์ใหม่ เปลี่ยนที่เครื่อง .*ค่อยยกเลิก/)
  await userEvent.click(screen.getByRole('button', { name: 'ทดสอบ' }))
  await userEvent.click(await screen.findByRole('button', { name: 'สร้างคีย์' }))
  const live = await screen.findByRole('radio', { name: /ใช้จริง/ })
  expect(live.textContent).toContain('ครบ 2 คีย์แล้ว')
  expect(live.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('radio', { name: /ทดสอบ/ }).getAttribute('aria-checked')).toBe('true')
})

test('ending a key warns of its machines; a failure stays in the dialog, then the key is gone', async () => {
  let keys = [apiKey('a'), apiKey('b')]
  const ended: string[] = []
  const answers = [
    refuse('UNAVAILABLE'),
    (id: string) => {
      keys = keys.map(key => (key.id === id ? { ...key, endedAt: '2026-11-20T07:00:00.000Z', endedFor: 'owner' } : key))
      return keys.find(key => key.id === id)!
    },
  ]
  server.use(
    fake(listKeys, () => keysReply(...keys)),
    fake(endKey, (_, url) => {
      const id = url.pathname.split('/').at(-2)!
      ended.push(id)
      return answers[ended.length - 1]!(id)
    }),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิกคีย์ เครื่อง a' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'ยกเลิกคีย์' }))
  dialog.getByText('เครื่อง a')
  dialog.getByText(/จะหยุดทำงานทันที/)
  expect(ended).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคีย์' }))
  await dialog.findByText(/ยกเลิกไม่สำเร็จ คีย์อาจยังใช้ได้อยู่/)
  await userEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคีย์' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(ended).toEqual(['rk_live_Ab3dEf9hIjKlMn0a', 'rk_live_Ab3dEf9hIjKlMn0a'])
  expect(screen.queryByRole('listitem', { name: 'เครื่อง a' })).toBeNull()
  screen.getByRole('listitem', { name: 'เครื่อง b' })
  screen.getByText('ยกเลิกคีย์ เครื่อง a แล้ว')
  screen.getByRole('button', { name: 'คีย์ที่ยกเลิกแล้ว 1 คีย์' })
})

test('keys that cannot be read say so, and come after another try', async () => {
  let tries = 0
  server.use(
    fake(listKeys, () => {
      if (++tries === 1) throw new AppError('INTERNAL')
      return keysReply(apiKey('a'))
    }),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await findCard('เครื่อง a')
})

test('the documentation opens beside the page', async () => {
  showPage('?mode=live')
  const link = await screen.findByRole('link', { name: /เอกสาร API/ })
  expect(link.getAttribute('href')).toBe(DOCS_PATH)
  expect(link.getAttribute('target')).toBe('_blank')
})
