import { type Backlog, getBacklog, getToday, type News, type Today } from '@shop/shared/backlog/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

// A Friday, 14:12 in Bangkok.
const NOW = '2026-11-20T07:12:00.000Z'
const manager = { ...staff, role: 'manager' as const }
const hours = Array.from({ length: 24 }, (_, hour) => ({
  orders: hour === 13 ? 27 : 0,
  lastWeek: hour === 19 ? 36 : 0,
}))
const sales: NonNullable<Today['sales']> = {
  today: { orders: 30, revenueSatang: 450_000 },
  yesterday: { orders: 20, revenueSatang: 600_000 },
  lastWeek: { orders: 3, revenueSatang: 35_000 },
  hours,
  delivered: 28,
  medianSeconds: 420,
  found: { alone: 9, all: 12 },
  firstSaleAt: '2026-01-01T03:00:00.000Z',
}
const own: NonNullable<Today['own']> = {
  delivered: 14,
  failed: 1,
  medianSeconds: 240,
  claimed: [
    {
      orderNo: 'KT2611-00000007',
      queueNo: 7,
      gameName: 'PUBG Mobile',
      packageName: '325 UC',
      playerId: '5123456789',
      waitsSince: '2026-11-20T07:00:00.000Z',
      usualMinutes: { from: 5, to: 10 },
    },
  ],
}
const delivered: News = {
  at: '2026-11-20T07:11:00.000Z',
  actorName: 'มานพ',
  isAlone: false,
  pieces: ['เติม ', { subject: 'order:KT2611-00000004', name: 'KT2611-00000004' }, ' สำเร็จ'],
  note: 'PUBG Mobile · 325 UC',
}
const found: News = {
  at: '2026-11-19T07:08:00.000Z',
  actorName: 'ระบบ',
  isAlone: true,
  pieces: ['พบเงินของ ', { subject: 'order:KT2611-00000003', name: 'KT2611-00000003' }],
  note: null,
}
const noDay: Today = { sales: null, own: null, news: [], nowDate: NOW }
const quiet: Backlog = { waiting: {}, statements: [], deadCalls: 0, openingHours: '', nowDate: NOW }

const open = (today: Partial<Today>, me: typeof staff = manager) => {
  const page = renderSite({ path: '/dashboard', me })
  server.use(
    fake(getBacklog, () => quiet),
    fake(getToday, () => ({ ...noDay, ...today })),
  )
  return page
}
const card = (name: string) => within(screen.getByRole('region', { name }))
const textOf = (element: Element) => element.textContent?.replace(/\s+/g, ' ').trim()
const figure = (title: string) => textOf(card('วันนี้').getByRole('heading', { name: title }).parentElement!)

afterEach(() => {
  vi.useRealTimers()
})

test('today stands beside the same hours of yesterday and of a week ago, with a share only where it means something', async () => {
  open({ sales })
  await screen.findByText('฿4,500.00')
  expect(figure('รายได้')).toBe('รายได้฿4,500.00−25% จากเมื่อวานศุกร์ก่อน ฿350.00')
  expect(figure('คำสั่งซื้อที่จ่ายแล้ว')).toBe('คำสั่งซื้อที่จ่ายแล้ว30+50% จากเมื่อวานศุกร์ก่อน 3')
  expect(figure('เติมสำเร็จ')).toBe('เติมสำเร็จ28จากที่จ่ายวันนี้ 30ครึ่งหนึ่งเสร็จใน 7 นาที')
  expect(figure('พบเงินโอนเอง')).toBe('พบเงินโอนเอง75%9 จาก 12 รายการคนยืนยัน 3')
  expect(card('วันนี้').getByRole('link', { name: 'ดูรายงานยอดขาย' }).getAttribute('href')).toBe('/dashboard/sale')
})

test('a morning without a sale says what there was at that time, and never a fall of all', async () => {
  const none = { orders: 0, revenueSatang: 0 }
  open({
    sales: {
      ...sales,
      found: { alone: 0, all: 0 },
      today: none,
      yesterday: { orders: 40, revenueSatang: 600_000 },
      lastWeek: none,
    },
  })
  await screen.findByText('฿0.00')
  expect(figure('รายได้')).toBe('รายได้฿0.00เมื่อวาน ฿6,000.00ศุกร์ก่อน ยังไม่มี')
  expect(card('วันนี้').getByText('ถึง 14:12 น. เทียบเวลาเดียวกันของวันก่อน')).toBeTruthy()
  expect(card('วันนี้').queryByText(/%/)).toBeNull()
})

test.each([
  ['on its first day', '2026-11-20T02:00:00.000Z', ['ยังไม่มีวันก่อนให้เทียบ']],
  ['before its first sale', null, ['ยังไม่มีวันก่อนให้เทียบ']],
  ['on its second day', '2026-11-19T02:00:00.000Z', ['จากเมื่อวาน', 'ศุกร์ก่อน ร้านยังไม่เริ่มขาย']],
])('a shop %s is compared only with days on which it sold', async (_, firstSaleAt, said) => {
  open({ sales: { ...sales, lastWeek: { orders: 0, revenueSatang: 0 }, firstSaleAt } })
  await screen.findByText('฿4,500.00')
  for (const words of said) expect(figure('รายได้')).toContain(words)
  expect(figure('รายได้')).not.toContain('ยังไม่มี฿')
})

test('the hours are drawn for eyes and listed for readers; hours to come are told as such', async () => {
  open({ sales })
  const table = within(await screen.findByRole('table', { name: 'คำสั่งซื้อที่จ่ายแล้วต่อชั่วโมง' }))
  const heights = (bar: string) => [...document.querySelectorAll<HTMLElement>(bar)].map(({ style }) => style.height)
  // Of a scale that ends at 40.
  expect([heights('.hour-now'), heights('.hour-before')]).toEqual([['67.5%'], ['90%']])
  const row = (hour: string) => table.getByRole('rowheader', { name: hour }).parentElement!.textContent
  expect(row('13:00')).toBe('13:00270')
  expect(row('19:00')).toBe('19:00ยังไม่ถึง36')
  expect(table.getAllByRole('columnheader').map(textOf)).toEqual(['ชั่วโมง', 'วันนี้', 'ศุกร์ก่อน'])
})

test('a shop without orders has no chart but words', async () => {
  open({ sales: { ...sales, hours: hours.map(() => ({ orders: 0, lastWeek: 0 })) } })
  await screen.findByText('ยังไม่มีคำสั่งซื้อ ทั้งวันนี้และศุกร์ก่อน')
  expect(screen.queryByRole('table')).toBeNull()
})

test('what happened last leads to what it is about; what is not of today says its day', async () => {
  open({ sales, news: [delivered, found] })
  const list = within(await screen.findByRole('list', { name: 'ความเคลื่อนไหวล่าสุด' }))
  const [first, second] = list.getAllByRole('listitem')
  expect(textOf(first!)).toContain('เติม KT2611-00000004 สำเร็จมานพ · PUBG Mobile · 325 UC14:11 น.')
  expect(textOf(second!)).toContain('พบเงินของ KT2611-00000003ระบบ19 พ.ย.')
  const link = within(first!).getByRole('link', { name: 'KT2611-00000004' })
  expect(link.getAttribute('href')).toBe('/management/details/KT2611-00000004')
})

test('the list stands still under the pointer, and goes on after it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse(NOW) })
  open({ sales, news: [found] })
  const list = await screen.findByRole('list', { name: 'ความเคลื่อนไหวล่าสุด' })
  fireEvent.mouseEnter(list)
  let asked = 0
  server.use(
    fake(getToday, () => {
      asked += 1
      return { ...noDay, sales, news: [delivered, found] }
    }),
  )
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  await waitFor(() => expect(asked).toBeGreaterThan(0))
  expect(within(list).getAllByRole('listitem')).toHaveLength(1)
  fireEvent.mouseLeave(list)
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2))
})

test('staff see their own day and the orders they have taken, each of which opens in the queue', async () => {
  open({ own }, staff)
  const mine = within(await screen.findByRole('region', { name: 'งานของฉันวันนี้' }))
  const figures = (await mine.findAllByRole('heading', { level: 3 })).map(each => textOf(each.parentElement!))
  expect(figures.slice(0, 3)).toEqual([
    'เติมสำเร็จ14คำสั่งซื้อ',
    'เติมไม่สำเร็จ1ลูกค้าได้รับแจ้งเหตุผลแล้ว',
    'เวลาต่อคำสั่งซื้อ4 นาทีค่ากลาง ตั้งแต่รับเรื่องจนเติมสำเร็จ',
  ])
  const taken = within(mine.getByRole('list', { name: 'คำสั่งซื้อที่ฉันรับเรื่องไว้' }))
  expect(taken.getByRole('link', { name: 'PUBG Mobile · 325 UC' }).getAttribute('href')).toBe(
    '/management/queue?order=KT2611-00000007',
  )
  expect(taken.getByText(/^12 นาที/).className).toContain('is-bad')
  expect(screen.queryByRole('region', { name: 'วันนี้' })).toBeNull()
})

test('staff without anything yet are led to the queue', async () => {
  open({ own: { delivered: 0, failed: 0, medianSeconds: null, claimed: [] } }, staff)
  const mine = within(await screen.findByRole('region', { name: 'งานของฉันวันนี้' }))
  const link = await mine.findByRole('link', { name: 'ไปที่คิวเพื่อรับเรื่อง' })
  expect(link.getAttribute('href')).toBe('/management/queue')
  await card('ความเคลื่อนไหวล่าสุด').findByText(/^ยังไม่มีความเคลื่อนไหว/)
})

test('when today cannot be asked, its cards say so, and what waits stands all the same', async () => {
  renderSite({ path: '/dashboard', me: manager })
  server.use(
    fake(getBacklog, () => quiet),
    fake(getToday, refuse('INTERNAL')),
  )
  await screen.findByRole('region', { name: 'วันนี้' })
  await card('วันนี้').findByRole('alert')
  await card('ความเคลื่อนไหวล่าสุด').findByRole('alert')
  expect(card('ระบบ').getByText('บริการภายนอกตอบครบ')).toBeTruthy()
  server.use(fake(getToday, () => ({ ...noDay, sales })))
  fireEvent.click(card('วันนี้').getByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('฿4,500.00')
})
