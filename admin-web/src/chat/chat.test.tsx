import { MESSAGE_TABS, type MessageTab } from '@shop/shared/chat/chat.ts'
import {
  type ChatMessageRow,
  type ChatState,
  getChat,
  listChatMessages,
  makeChatCode,
  resendChatMessages,
  unbindChatRoom,
} from '@shop/shared/chat/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { getMail, type MailStanding, resendMails } from '@shop/shared/mail/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const at = '2026-11-20T07:00:00.000Z'
const manager = { ...staff, role: 'manager' as const }
const chat: ChatState = {
  isOn: true,
  quota: { limit: 300, used: 120, at, isLow: false, fullAt: null },
  rooms: [],
  isLinked: false,
  linkedStaff: 1,
  allStaff: 4,
  lastError: null,
  lastErrorAt: null,
}
const dead: ChatMessageRow = {
  id: '01a1f903-0006-7b09-91c6-000000000001',
  kind: 'orderEnded',
  about: 'KT2611-04821937',
  recipientName: 'น้ำข้าว',
  isRoom: false,
  state: 'dead',
  cost: 1,
  text: 'เติมสำเร็จ PUBG Mobile 325 UC',
  reason: 'ติดต่อ LINE ไม่ได้หลายครั้งติดกัน',
  createdAt: at,
  settledAt: at,
  canResend: true,
}

const noMail: MailStanding = { isOn: true, unsent: [] }
const unsent: MailStanding['unsent'][number] = {
  id: '01a1f903-0006-7b09-91c6-000000000009',
  kind: 'passwordReset',
  uid: 'u-agent',
  name: 'สมชาย',
  recipient: 'somchai@test.shop',
  state: 'dead',
  attempts: 31,
  reason: 'ปลายทางไม่รับอีเมลนี้ (550 No such mailbox)',
  createdAt: at,
}

const countsOf = (rows: ChatMessageRow[]) =>
  Object.fromEntries(
    MESSAGE_TABS.map(tab => [
      tab,
      rows.filter(({ state, canResend }) => (tab === 'resendable' ? canResend : state === tab)).length,
    ]),
  ) as Record<MessageTab, number>

function open(
  options: {
    change?: Partial<ChatState>
    rows?: ChatMessageRow[]
    me?: typeof staff
    path?: string
    mail?: MailStanding
  } = {},
) {
  const { change = {}, rows = [], me = manager, path = '/management/chat', mail = noMail } = options
  server.use(
    fake(getChat, () => ({ ...chat, ...change })),
    fake(listChatMessages, (_, { searchParams }) => {
      const shown = rows.filter(({ state }) => state === searchParams.get('state'))
      return { rows: shown, total: shown.length, counts: countsOf(rows), nowDate: at }
    }),
    fake(getMail, () => mail),
    fake(makeChatCode, () => ({ code: '4829135702', expiresAt: '2026-11-20T07:10:00.000Z' })),
  )
  renderSite({ path, me })
}

test("a manager gets a code for the staff's group, with where to type it and until when", async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'ผูกกลุ่ม กลุ่มทีมงาน' }))
  const card = within(screen.getByRole('region', { name: 'กลุ่ม LINE' }))
  await card.findByText('48291-35702')
  card.getByText(/พิมพ์รหัสนี้ในกลุ่มทีมงาน ภายใน 14:10 น\. ใช้ได้ครั้งเดียว/)
})

test('staff bind no group, and get a code for their own LINE', async () => {
  open({ me: staff })
  fireEvent.click(await screen.findByRole('button', { name: 'เชื่อม LINE ของฉัน' }))
  await screen.findByText(/ส่งรหัสนี้ให้บัญชี LINE ของร้านในแชทส่วนตัว/)
  expect(screen.queryByRole('button', { name: /กลุ่ม/ })).toBeNull()
})

test('managers read what linking does to their LINE before they get a code', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'เชื่อม LINE ของฉัน' }))
  const dialog = await screen.findByRole('dialog', { name: 'เชื่อม LINE ของฉัน?' })
  expect(dialog.textContent).toContain('จะเข้าร้านใน LINE ไม่ได้')
  expect(screen.queryByText(/ส่งรหัสนี้ให้บัญชี LINE/)).toBeNull()
  fireEvent.click(within(dialog).getByRole('button', { name: 'สร้างรหัส' }))
  await screen.findByText(/ส่งรหัสนี้ให้บัญชี LINE ของร้านในแชทส่วนตัว/)
})

test('why there is no code is told where it was asked for', async () => {
  open({ me: staff })
  server.use(fake(makeChatCode, refuse('RECENT_SIGN_IN_REQUIRED')))
  fireEvent.click(await screen.findByRole('button', { name: 'เชื่อม LINE ของฉัน' }))
  await screen.findByText(new AppError('RECENT_SIGN_IN_REQUIRED').message)
})

test('a bound group tells who bound it, and is let go after asking', async () => {
  const bound = {
    room: 'staff' as const,
    groupName: 'ทีมเติมเกม',
    memberCount: 4,
    boundByName: 'วิภา',
    boundAt: at,
    lostAt: null,
  }
  open({ change: { rooms: [bound] } })
  await screen.findByText('ทีมเติมเกม')
  server.use(fake(unbindChatRoom, () => chat))
  fireEvent.click(screen.getByRole('button', { name: 'เลิกผูก กลุ่มทีมงาน' }))
  const confirm = (await screen.findAllByText('เลิกผูกกลุ่มทีมงาน?'))[0]!.closest<HTMLElement>('[role=dialog]')!
  fireEvent.click(within(confirm).getByRole('button', { name: 'เลิกผูก' }))
  await screen.findByText('ยังไม่ได้ผูก ทีมงานจะไม่ได้รับแจ้งใน LINE')
})

test.each<[string, Partial<ChatState>, RegExp]>([
  ['nearly full', { quota: { ...chat.quota, used: 250, isLow: true } }, /ใกล้เต็ม/],
  ['full', { quota: { ...chat.quota, used: 300, isLow: true } }, /โควตาเต็มแล้ว/],
  ['refused by LINE', { quota: { ...chat.quota, fullAt: at } }, /โควตาเต็มแล้ว/],
  ['without an end', { quota: { ...chat.quota, limit: null } }, /ไม่จำกัด/],
  ['without a channel', { isOn: false }, /ยังไม่ได้เชื่อมต่อ LINE/],
  ['with a wrong token', { lastError: 'LINE ไม่รับ Channel access token ของร้าน', lastErrorAt: at }, /ไม่รับ Channel/],
  ['linked', { isLinked: true }, /เชื่อมแล้ว/],
])('%s: it is told', async (_, change, words) => {
  open({ change })
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
})

test('what did not go out is told with why, and sent again', async () => {
  open({ rows: [dead] })
  const sent: unknown[] = []
  server.use(
    fake(resendChatMessages, body => {
      sent.push(body)
      return { resent: 1 }
    }),
  )
  await screen.findByText(dead.reason!)
  expect(screen.getByRole('link', { name: 'KT2611-04821937' }).getAttribute('href')).toBe(
    '/management/details/KT2611-04821937',
  )
  fireEvent.click(screen.getByRole('button', { name: `ส่งอีกครั้ง ${dead.text}` }))
  await screen.findByText('กำลังส่งอีกครั้ง 1 ข้อความ')
  expect(sent).toEqual([{ ids: [dead.id] }])
})

test('what its receiver may have seen is sent again only after asking', async () => {
  open({ rows: [dead] })
  const sent: unknown[] = []
  server.use(
    fake(resendChatMessages, refuse('MESSAGE_MAY_BE_SEEN', { values: { n: 1 } }), { once: true }),
    fake(resendChatMessages, body => {
      sent.push(body)
      return { resent: 1 }
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: `ส่งอีกครั้ง ${dead.text}` }))
  await screen.findByText(new AppError('MESSAGE_MAY_BE_SEEN', { values: { n: 1 } }).message)
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'ส่งอีกครั้ง 1 ข้อความ' }))
  await screen.findByText('กำลังส่งอีกครั้ง 1 ข้อความ')
  expect(sent).toEqual([{ ids: [dead.id], evenIfSeen: true }])
})

test('several are chosen and sent again in one go', async () => {
  const rows = [1, 2, 3].map(n => ({
    ...dead,
    id: dead.id.replace(/1$/, String(n)),
    text: `ข้อความ ${n}`,
    canResend: n < 3,
  }))
  open({ rows })
  const sent: unknown[] = []
  server.use(
    fake(resendChatMessages, body => {
      sent.push(body)
      return { resent: 2 }
    }),
  )
  await screen.findByText('ข้อความ 3')
  for (const n of [1, 2]) fireEvent.click(screen.getByLabelText(`เลือก ข้อความ ${n}`))
  expect(screen.getByLabelText<HTMLInputElement>('เลือก ข้อความ 3').disabled).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'ส่งอีกครั้ง 2 ข้อความ' }))
  await waitFor(() => expect(sent).toEqual([{ ids: rows.slice(0, 2).map(({ id }) => id) }]))
})

test('nothing undelivered is said so; the tab and the search stand in the address', async () => {
  open({ rows: [{ ...dead, state: 'sent', reason: null, canResend: false }] })
  await screen.findByText('ไม่มีข้อความที่ส่งไม่สำเร็จ')
  screen.getByRole('tab', { name: 'ส่งไม่สำเร็จ' })
  fireEvent.click(screen.getByRole('tab', { name: 'ส่งแล้ว 1' }))
  await screen.findByText(dead.text)
})

test('a list that can not be loaded is asked for again', async () => {
  open({ rows: [dead] })
  server.use(fake(listChatMessages, refuse('FORBIDDEN')))
  const retry = await screen.findByRole('button', { name: 'ลองอีกครั้ง' }, { timeout: 5000 })
  server.use(fake(listChatMessages, () => ({ rows: [dead], total: 1, counts: countsOf([dead]), nowDate: at })))
  fireEvent.click(retry)
  await screen.findByText(dead.reason!)
})

test('a mail that did not go out tells to whom, about what and why, and is sent again', async () => {
  let sent: unknown
  open({ mail: { isOn: true, unsent: [unsent] } })
  server.use(
    fake(resendMails, body => {
      sent = body
      return { resent: 1 }
    }),
  )
  const card = within(await screen.findByRole('region', { name: 'อีเมลถึงเจ้าของบัญชีและผู้จัดการ' }))
  await card.findByText('ร้านตั้งรหัสผ่านใหม่ให้บัญชีของคุณ')
  card.getByText(/somchai@test\.shop/)
  card.getByText('ปลายทางไม่รับอีเมลนี้ (550 No such mailbox)')
  fireEvent.click(card.getByRole('button', { name: 'ส่งอีเมลถึง สมชาย อีกครั้ง' }))
  await waitFor(() => expect(sent).toEqual({ ids: [unsent.id] }))
})

test('a shop without mail is told what that means', async () => {
  open({ mail: { isOn: false, unsent: [] } })
  await screen.findByText(/ยังไม่ได้ตั้งค่าอีเมล เจ้าของบัญชีที่ไม่มี LINE จะไม่ได้รับแจ้ง/)
})
