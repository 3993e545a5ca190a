import { type Backlog, getBacklog, getToday, type Waiting } from '@shop/shared/backlog/endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const none: Waiting = { count: 0, oldest: null, amountSatang: null, inHand: 0, receivingAccountId: null }
const quiet: Backlog = {
  waiting: {
    orders: none,
    reports: none,
    lateReports: none,
    corrections: none,
    failed: none,
    topUps: none,
    lines: none,
    disputed: none,
    refunds: none,
    withoutLine: none,
    messages: none,
  },
  statements: [
    { receivingAccountId: 1, bankCode: '004', accountNo: '1234565678', lastLineAt: '2026-11-20T07:10:00.000Z' },
  ],
  deadCalls: 0,
  openingHours: '',
  nowDate: '2026-11-20T07:12:00.000Z',
}
const busy: Backlog = {
  ...quiet,
  waiting: {
    ...quiet.waiting,
    orders: { ...none, count: 7, inHand: 3, oldest: '2026-11-20T06:54:00.000Z', amountSatang: 245_000 },
    topUps: { ...none, count: 3, oldest: '2026-11-20T06:42:00.000Z', amountSatang: 650_000 },
    lines: { ...none, count: 5, oldest: '2026-11-18T05:12:00.000Z', amountSatang: 99_900, receivingAccountId: 2 },
  },
}
const slipService = {
  provider: null,
  isShadow: false,
  usedThisMonth: 0,
  monthlyQuota: 100,
  isQuotaLow: false,
  stopped: null,
  nowDate: quiet.nowDate,
}
const manager = { ...staff, role: 'manager' as const }
const answer = (backlog: Backlog) => server.use(fake(getBacklog, () => backlog))

const open = (backlog: Backlog, me: typeof staff = manager) => {
  const page = renderSite({ path: '/dashboard', me })
  server.use(fake(getSlipService, () => slipService))
  answer(backlog)
  return page
}
const card = (name: string) => within(screen.getByRole('region', { name }))

beforeEach(() => {
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what waits is told with its age and money, and each leads to where it is done', async () => {
  open(busy)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  expect(card('คำสั่งซื้อรอเติม').getByText(/^นานสุด 18 นาที/).className).toContain('is-warn')
  // A bank line of two days ago is late, as is a top-up of half an hour.
  expect(card('รายการธนาคารยังไม่จับคู่').getByText(/^นานสุด 2 วัน/).className).toContain('is-bad')
  const titles = within(screen.getByRole('list', { name: 'งานรอทำ' })).getAllByRole('heading')
  expect(titles.map(({ textContent }) => textContent)).toEqual([
    'รายการธนาคารยังไม่จับคู่',
    'คำสั่งซื้อรอเติม',
    'เติมกระเป๋าเงินรออนุมัติ',
  ])
  expect(card('เติมกระเป๋าเงินรออนุมัติ').getByText('รวม ฿6,500.00')).toBeTruthy()
  const link = card('รายการธนาคารยังไม่จับคู่').getByRole('link', { name: 'จับคู่: รายการธนาคารยังไม่จับคู่' })
  expect(link.getAttribute('href')).toBe('/management/bankstatement?account=2&from=2026-11-18')
  // What does not wait is one quiet line.
  const reports = screen.getByRole('link', { name: 'แจ้งโอนแล้ว รอตรวจเงิน' })
  expect(reports.getAttribute('href')).toBe('/management/history?waiting=reported')
  expect(screen.queryByRole('region', { name: 'เงินรอคืนลูกค้า' })).toBeNull()
  card('ระบบ').getByText('กสิกรไทย x5678')
})

test('the menu and the tab count it: what customers wait for stands out', async () => {
  open(busy)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  const menu = within(screen.getByRole('navigation', { name: 'เมนูหลัก' }))
  const badge = (page: string) => menu.getByRole('link', { name: new RegExp(`^${page}`) }).querySelector('.badge')
  expect(badge('กระเป๋าเงินตัวแทน')?.className).toContain('is-pressing')
  expect(badge('จับคู่รายการธนาคาร')?.className).toBe('badge')
  expect(badge('จับคู่รายการธนาคาร')?.textContent).toContain('5')
  expect(badge('เงินรอคืนลูกค้า')).toBeNull()
  expect(document.title).toBe('(10) งานรอทำ · คราม หลังร้าน')
})

test('that nobody hears the shop stands above all else, with the way to change it', async () => {
  open({ ...quiet, unheard: ['managers', 'admins'] })
  const note = within(await screen.findByRole('alert'))
  note.getByText('ร้านแจ้งผู้จัดการและผู้ดูแลระบบไม่ได้สักคน')
  note.getByText(/ยอดที่เกินวงเงินที่ทำคนเดียวได้จึงทำไม่ได้/)
  expect(note.getByRole('link', { name: 'การแจ้งเตือน LINE' }).getAttribute('href')).toBe('/management/chat')
})

test('staff see only what they can do', async () => {
  const { orders, reports, lateReports, corrections, messages } = busy.waiting
  open({ ...quiet, waiting: { orders, reports, lateReports, corrections, messages }, statements: [] }, staff)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  expect(screen.getAllByRole('link', { name: /^(เปิดคิว|ตรวจเงิน)/ })).toHaveLength(1)
  expect(screen.queryByRole('link', { name: 'เงินรอคืนลูกค้า' })).toBeNull()
})

test('when it cannot be asked at first, it says so and asks again', async () => {
  renderSite({ path: '/dashboard', me: manager })
  server.use(fake(getBacklog, refuse('INTERNAL')))
  await screen.findByRole('region', { name: 'งานรอทำ' })
  await card('งานรอทำ').findByRole('alert')
  answer(busy)
  fireEvent.click(card('งานรอทำ').getByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
})

test('when the connection is lost it says since when, and goes on by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-20T07:12:00.000Z') })
  open(busy)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  server.use(fake(getBacklog, refuse('INTERNAL')))
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  await screen.findByText(/^ขาดการเชื่อมต่อ ข้อมูลที่เห็นเป็นของเวลา 14:12 น\.$/)
  screen.getByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  answer(quiet)
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  await waitFor(() => expect(screen.queryByText(/ขาดการเชื่อมต่อ/)).toBeNull())
  expect(document.title).toBe('งานรอทำ · คราม หลังร้าน')
})

test('it rings for more work only where somebody wants that, and remembers the wish', async () => {
  const started: number[] = []
  const node = { connect: (next: unknown) => next, start: (at: number) => started.push(at), stop: () => undefined }
  const gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined }
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'running'
      currentTime = 0
      destination = {}
      resume = async () => undefined
      createOscillator = () => ({ ...node, frequency: {} })
      createGain = () => ({ ...node, gain })
    },
  )
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-20T07:12:00.000Z') })
  open(quiet)
  await screen.findByText(/ไม่มีงานค้าง/)
  const next = async (backlog: Backlog) => {
    answer(backlog)
    await act(() => vi.advanceTimersByTimeAsync(10_500))
  }
  await next(busy)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  expect(started).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'เปิดเสียงเตือนงานใหม่' }))
  const bell = screen.getByRole('button', { name: 'เสียงเตือนเปิดอยู่' })
  expect([bell.getAttribute('aria-pressed'), started.length]).toEqual(['true', 2])
  await next(quiet)
  await screen.findByText(/ไม่มีงานค้าง/)
  expect(started).toHaveLength(2)
  await next(busy)
  await waitFor(() => expect(started).toHaveLength(4))
  expect(localStorage.getItem('workChime')).toBe('on')
  vi.unstubAllGlobals()
})

test('in the demo shop a newcomer is led to buy, pay and deliver, until they close it', async () => {
  const demo = { shopUrl: 'http://localhost:5173', bankUrl: 'http://localhost:9800' }
  const { unmount } = open({ ...busy, demo })
  const steps = within(await screen.findByRole('region', { name: 'ลองทำ 3 อย่าง' }))
  expect(steps.getAllByRole('link').map(link => link.getAttribute('href'))).toEqual([
    demo.shopUrl,
    demo.bankUrl,
    '/management/queue',
  ])
  fireEvent.click(steps.getByRole('button', { name: 'ปิดลองทำ 3 อย่าง' }))
  expect(screen.queryByRole('region', { name: 'ลองทำ 3 อย่าง' })).toBeNull()
  unmount()
  open({ ...busy, demo })
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  expect(screen.queryByRole('region', { name: 'ลองทำ 3 อย่าง' })).toBeNull()
})

test('what is below stands there only when what is above is known, because it would be pushed down', async () => {
  let answerLate = () => {}
  const late = new Promise<void>(resolve => {
    answerLate = resolve
  })
  const isTodayAsked = vi.fn()
  open(busy)
  server.use(
    fake(getBacklog, async () => {
      await late
      return { ...busy, demo: { shopUrl: 'http://localhost:5173', bankUrl: 'http://localhost:9800' } }
    }),
    fake(getToday, () => {
      isTodayAsked()
      return { sales: null, own: null, news: [], nowDate: quiet.nowDate }
    }),
  )
  await waitFor(() => expect(isTodayAsked).toHaveBeenCalled())
  await screen.findByRole('heading', { name: 'งานรอทำ' })
  expect(screen.queryByRole('region', { name: 'วันนี้' })).toBeNull()
  answerLate()
  await screen.findByRole('region', { name: 'วันนี้' })
  screen.getByRole('region', { name: 'ลองทำ 3 อย่าง' })
})

test('a real shop has no first steps', async () => {
  open(busy)
  await screen.findByText('รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4')
  expect(screen.queryByRole('region', { name: 'ลองทำ 3 อย่าง' })).toBeNull()
})
