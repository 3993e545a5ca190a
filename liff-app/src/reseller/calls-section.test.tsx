import { type CallView, listCalls } from '@shop/shared/reseller/key-endpoints.ts'
import { chooseWebhookEvents, listWebhooks } from '@shop/shared/webhook/endpoints.ts'
import { CHOSEN_EVENTS } from '@shop/shared/webhook/webhook.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import '../ui/sheet-dialog.tsx'
import { listKeys } from '@shop/shared/reseller/key-endpoints.ts'
import { apiKey, endpointOf, keysReply, showPage, startResellerServer, webhooksReply } from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const callOf = (id: string, change: Partial<CallView> = {}): CallView => ({
  id: `0193a000-0000-7000-8000-00000000000${id}`,
  at: '2026-11-20T06:00:05.000Z',
  keyName: 'เว็บร้าน',
  call: 'createOrder',
  status: 200,
  code: null,
  ref: 'INV-1042',
  address: '203.0.113.9',
  ...change,
})

test('the calls of the last days are read once they are opened, and those that failed alone when wanted', async () => {
  const asked: string[] = []
  const all = [callOf('1', { status: 402, code: 'WALLET_BALANCE_TOO_LOW', ref: 'INV-1043' }), callOf('2')]
  server.use(
    fake(listCalls, (_, { searchParams }) => {
      asked.push(String(searchParams))
      const calls = searchParams.get('isFailed') ? all.filter(({ code }) => code) : all
      return { calls, hasMore: false, nowDate: '2026-11-20T07:00:00.000Z' }
    }),
  )
  showPage('?mode=live')
  const open = await screen.findByRole('button', { name: 'ดูการเรียก' })
  expect(asked).toEqual([])
  await userEvent.click(open)
  const rows = async () => within(await screen.findByRole('list', { name: 'การเรียก' })).getAllByRole('listitem')
  await waitFor(async () => expect(await rows()).toHaveLength(2))
  const [failed] = await rows()
  for (const part of [
    'createOrder',
    '402',
    'WALLET_BALANCE_TOO_LOW',
    '20/11/2026 13:00:05',
    'ref INV-1043',
    'เว็บร้าน',
    '203.0.113.9',
  ])
    expect(within(failed!).getByText(part)).toBeTruthy()
  await userEvent.selectOptions(screen.getByLabelText('ผลการเรียก'), 'ไม่สำเร็จ')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  expect(asked.at(-1)).toBe('mode=live&isFailed=true')
})

test('events are chosen for each address', async () => {
  let sent: unknown
  let events: (typeof CHOSEN_EVENTS)[number][] | null = null
  server.use(
    fake(listWebhooks, () => webhooksReply(endpointOf(1, { events }))),
    fake(chooseWebhookEvents, body => {
      sent = body
      events = CHOSEN_EVENTS.slice(1)
      return endpointOf(1, { events })
    }),
  )
  showPage('?mode=live')
  expect(await screen.findByText('ส่งทุกเหตุการณ์')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^เลือกเหตุการณ์/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'เหตุการณ์ที่ส่ง' }))
  await userEvent.click(sheet.getByRole('checkbox', { name: /เริ่มเติมคำสั่งซื้อ/ }))
  await userEvent.click(sheet.getByRole('button', { name: 'บันทึก' }))
  expect(await screen.findByText(`ส่ง ${CHOSEN_EVENTS.length - 1} จาก ${CHOSEN_EVENTS.length} เหตุการณ์`)).toBeTruthy()
  expect(sent).toEqual({ events: CHOSEN_EVENTS.slice(1) })
})

test.each([
  ['no key yet', [], 'คีย์ทดสอบ'],
  ['test keys alone', [apiKey('a', { mode: 'test' })], 'คีย์ทดสอบ'],
  ['a live key', [apiKey('a')], 'คีย์ใช้จริง'],
])('with %s the page opens with %s%s, and the mode to try with stands first', async (_, keys, heading) => {
  server.use(fake(listKeys, () => keysReply(...keys)))
  showPage()
  expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
  const [first] = screen.getAllByRole('button', { name: /^(ทดสอบ|ใช้จริง)$/ })
  expect(first!.textContent).toContain('ทดสอบ')
  await userEvent.click(screen.getByRole('button', { name: 'สร้างคีย์' }))
  const choices = within(await screen.findByRole('dialog')).getAllByRole('radio')
  expect(choices.map(each => each.textContent)).toEqual([
    expect.stringContaining('ทดสอบ'),
    expect.stringContaining('ใช้จริง'),
  ])
})
