import { AppError } from '@shop/shared/errors.ts'
import {
  listWebhookMessages,
  listWebhooks,
  resendWebhookMessage,
  type WebhookMessageView,
} from '@shop/shared/webhook/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { endpointOf, messageOf, messagesReply, showPage, startResellerServer, webhooksReply } from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const PAGE = 2
const OPEN = `?mode=live&log=${endpointOf(1).id}`

/** The server has these messages, two a page. Returns what was asked of it. */
function answerLog(messages: WebhookMessageView[], isOn = true): string[] {
  const asked: string[] = []
  server.use(
    fake(listWebhooks, () => webhooksReply(endpointOf(1, isOn ? {} : { isOn, offFor: 'owner' }))),
    fake(listWebhookMessages, (_, { searchParams }) => {
      asked.push(String(searchParams))
      const state = searchParams.get('state')
      const wanted = messages.filter(message => !state || message.state === state)
      const from = wanted.findIndex(({ id }) => id === searchParams.get('after')) + 1
      return messagesReply(wanted.slice(from, from + PAGE), wanted.length > from + PAGE)
    }),
  )
  return asked
}
const log = async () => within(await screen.findByRole('region', { name: 'ประวัติการส่ง' }))
const rowsOf = (found: Awaited<ReturnType<typeof log>>) => found.queryAllByRole('listitem')

test('a message tells what became of it, what was answered last, and when it is tried next', async () => {
  answerLog([
    messageOf('m3', { state: 'waiting', tries: 3, lastStatus: 500, nextAt: '2026-11-20T09:05:00.000Z' }),
    messageOf('m2', { state: 'dead', tries: 10, lastStatus: null, lastError: 'timeout' }),
  ])
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: /^ประวัติการส่ง/, expanded: false }))
  const found = await log()
  await found.findByText('ลองแล้ว 3 ครั้ง')
  const [waiting, dead] = rowsOf(found).map(row => within(row))
  waiting!.getByText('order.completed')
  waiting!.getByText('รอส่ง')
  waiting!.getByText('ตอบ 500')
  waiting!.getByText('ส่งครั้งต่อไป 20/11/2026 16:05:00')
  dead!.getByText('เลิกส่ง')
  dead!.getByText('ไม่มีคำตอบ')
  dead!.getByText('timeout')
  expect(screen.getByLabelText('ตัวเลือก').textContent).toBe(OPEN)
  await userEvent.click(screen.getByRole('button', { name: /^ประวัติการส่ง/, expanded: true }))
  expect(screen.queryByRole('region', { name: 'ประวัติการส่ง' })).toBeNull()
})

test('further messages are added below, until there are no more', async () => {
  const asked = answerLog(['m5', 'm4', 'm3', 'm2', 'm1'].map(id => messageOf(id)))
  showPage(OPEN)
  const found = await log()
  await waitFor(() => expect(rowsOf(found)).toHaveLength(2))
  await userEvent.click(found.getByRole('button', { name: 'โหลดเพิ่ม' }))
  await waitFor(() => expect(rowsOf(found)).toHaveLength(4))
  await userEvent.click(found.getByRole('button', { name: 'โหลดเพิ่ม' }))
  await waitFor(() => expect(rowsOf(found)).toHaveLength(5))
  expect(found.queryByRole('button', { name: 'โหลดเพิ่ม' })).toBeNull()
  expect(asked).toEqual(['', 'after=m4', 'after=m2'])
})

test('a page that does not come says so, and the rows before it stay', async () => {
  answerLog(['m3', 'm2', 'm1'].map(id => messageOf(id)))
  showPage(OPEN)
  const found = await log()
  await waitFor(() => expect(rowsOf(found)).toHaveLength(2))
  server.use(
    fake(
      listWebhookMessages,
      () => {
        throw new AppError('INTERNAL')
      },
      { once: true },
    ),
  )
  await userEvent.click(found.getByRole('button', { name: 'โหลดเพิ่ม' }))
  await found.findByRole('alert')
  expect(rowsOf(found)).toHaveLength(2)
  await userEvent.click(found.getByRole('button', { name: 'โหลดเพิ่ม' }))
  await waitFor(() => expect(rowsOf(found)).toHaveLength(3))
  expect(found.queryByRole('alert')).toBeNull()
})

test('the filter is asked of the server and stands in the address; nothing found leads back to all', async () => {
  const asked = answerLog([messageOf('m1')])
  showPage(`${OPEN}&state=waiting`)
  const found = await log()
  await found.findByText('ไม่พบข้อความ')
  expect(asked).toEqual(['state=waiting'])
  await userEvent.selectOptions(found.getByRole('combobox', { name: 'สถานะการส่ง' }), 'ส่งแล้ว')
  await waitFor(() => expect(rowsOf(found)).toHaveLength(1))
  expect(screen.getByLabelText('ตัวเลือก').textContent).toBe(`${OPEN}&state=done`)
  await userEvent.selectOptions(found.getByRole('combobox', { name: 'สถานะการส่ง' }), 'เลิกส่ง')
  await userEvent.click(await found.findByRole('button', { name: 'ล้างตัวกรอง' }))
  await waitFor(() => expect(asked.at(-1)).toBe(''))
  expect(screen.getByLabelText('ตัวเลือก').textContent).toBe(OPEN)
})

test('a log without messages says what to do', async () => {
  answerLog([])
  showPage(OPEN)
  const found = await log()
  await found.findByText('ยังไม่มีข้อความ')
})

test('a log that cannot be read comes after another try', async () => {
  answerLog([messageOf('m1')])
  server.use(
    fake(
      listWebhookMessages,
      () => {
        throw new AppError('INTERNAL')
      },
      { once: true },
    ),
  )
  showPage(OPEN)
  const found = await log()
  await userEvent.click(await found.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await found.findByText('order.completed')
})

test('the body is drawn on demand, and copied as it was sent', async () => {
  const user = userEvent.setup()
  answerLog([messageOf('msg_1')])
  showPage(OPEN)
  const found = await log()
  const opener = await found.findByRole('button', { name: /^ดูเนื้อหา order.completed/, expanded: false })
  expect(found.queryByText(/INV-1042/)).toBeNull()
  await user.click(opener)
  found.getByText(/"ref": "INV-1042"/)
  found.getByText('webhook-id: msg_1')
  await user.click(found.getByRole('button', { name: 'คัดลอก เนื้อหา' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(messageOf('msg_1').body))
})

test('a message is sent again; a refusal stands at it', async () => {
  const messages = [messageOf('m1', { state: 'dead', lastStatus: 500 })]
  answerLog(messages)
  const asked: string[] = []
  server.use(
    fake(resendWebhookMessage, (_, url) => {
      asked.push(url.pathname)
      if (asked.length === 1) throw new AppError('RATE_LIMITED', { values: { n: 2 } })
      messages[0] = messageOf('m1', { tries: 11 })
      return messages[0]
    }),
  )
  showPage(OPEN)
  const found = await log()
  const again = () => found.getByRole('button', { name: /^ส่งอีกครั้ง order.completed/ })
  await found.findByText('เลิกส่ง', { selector: 'li span' })
  await userEvent.click(again())
  await found.findByText(/ทำรายการบ่อยเกินไป .*2 นาที/)
  await userEvent.click(again())
  await found.findByText('ลองแล้ว 11 ครั้ง')
  expect(found.queryByText(/ทำรายการบ่อยเกินไป/)).toBeNull()
  expect(asked[1]).toMatch(new RegExp(`/${endpointOf(1).id}/messages/m1/resend$`))
})

test('nothing is sent again to an endpoint that is off', async () => {
  answerLog([messageOf('m1')], false)
  showPage(OPEN)
  const found = await log()
  await found.findByText('order.completed')
  expect(found.queryByRole('button', { name: /^ส่งอีกครั้ง/ })).toBeNull()
})

test('while a message is about to be sent the log follows it', async () => {
  const messages = [messageOf('m1', { state: 'waiting', tries: 0, nextAt: '2026-11-20T07:00:03.000Z' })]
  answerLog(messages)
  showPage(OPEN)
  const found = await log()
  await found.findByText('รอส่ง', { selector: 'li span' })
  messages[0] = messageOf('m1')
  await found.findByText('ส่งแล้ว', { selector: 'li span' })
})
