import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { exportAllOrders, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { download } from '../ui/download.ts'
import { viewOf } from './saved-views.ts'

const NOW = '2026-11-20T07:00:00.000Z'
const row = (at: number) => ({
  orderNo: `KT2611-0000000${at}`,
  status: 'paid' as const,
  gameCode: 'pubg',
  gameName: 'PUBG Mobile',
  gamePicture: '/files/games/pubg.svg',
  packageName: '325 UC',
  quantity: 1,
  playerId: '5123456789',
  playerName: 'Namkhao',
  payment: 'bank' as const,
  amountSatang: 14937,
  createdAt: NOW,
  expiresAt: null,
  transferReportedAt: null,
  paidAt: NOW,
  buyerName: 'น้ำฝน ใจดี',
  lineId: 'U1234',
  queueNo: 4821,
  claimedBy: null,
  claimedByName: null,
  commands: [],
})

/** What the list was asked for, newest last. */
let asked: URLSearchParams[]
beforeEach(() => {
  asked = []
  localStorage.clear()
  server.use(
    fake(getSlipService, () => ({ provider: null, isStopped: false, stoppedUntil: null }) as never),
    fake(listAllOrders, (_, url) => {
      asked.push(url.searchParams)
      return { rows: [row(1), row(2)], total: 1001, next: 'the-place', openBefore: 3, nowDate: NOW }
    }),
  )
})
afterEach(() => vi.restoreAllMocks())

const last = () => Object.fromEntries(asked.at(-1)!)

test('orders behind a number of the sales are said to be so, and the list can be shown without', async () => {
  renderSite({
    path: '/management/history?month=all&status=paid&sort=paidAt&paidFrom=2026-11-14&paidTo=2026-11-20&package=7&channel=guest&payment=bank&buyer=b1',
  })
  await screen.findByText('ชำระ 14 พ.ย. – 20 พ.ย. · 325 UC · โอนเงินธนาคาร · ไม่เข้าสู่ระบบ · น้ำฝน ใจดี')
  const narrowed = { paidFrom: '2026-11-14', paidTo: '2026-11-20', package: '7', channel: 'guest', buyer: 'b1' }
  expect(last()).toMatchObject({ ...narrowed, payment: 'bank', status: 'paid' })
  fireEvent.click(screen.getByLabelText('เลิกจำกัดตามยอดขาย'))
  await waitFor(() => expect(last()).not.toHaveProperty('paidFrom'))
  expect(last()).toMatchObject({ status: 'paid' })
  expect(last()).not.toHaveProperty('buyer')
})

test('a row shows queue number, buyer, LINE id and payment, and leads to the order by its number', async () => {
  renderSite({ path: '/management/history?status=all&month=all' })
  const link = await screen.findByRole('link', { name: 'KT2611-00000001' })
  expect(link.getAttribute('href')).toBe('/management/details/KT2611-00000001')
  for (const text of ['4821', 'น้ำฝน ใจดี', 'U1234']) expect(screen.getAllByText(text)).toHaveLength(2)
  screen.getByText('มากกว่า 1,000 รายการ')
})

test('a heading sorts; the next page goes on after the last row, and another filter begins anew', async () => {
  renderSite({ path: '/management/history?status=all&month=all' })
  await screen.findByText('มากกว่า 1,000 รายการ')
  fireEvent.click(screen.getByRole('columnheader', { name: /ยอด/ }))
  await waitFor(() => expect(last()).toMatchObject({ sort: 'amount', direction: 'desc' }))
  fireEvent.click(screen.getByRole('listitem', { name: '2' }))
  await waitFor(() => expect(last()).toMatchObject({ page: '2', after: 'the-place', sort: 'amount' }))
  fireEvent.click(screen.getByRole('listitem', { name: '5' }))
  await waitFor(() => expect(last()).toMatchObject({ page: '5' }))
  expect(last()).not.toHaveProperty('after')
  fireEvent.click(screen.getByRole('listitem', { name: '6' }))
  await waitFor(() => expect(last()).toMatchObject({ page: '6', after: 'the-place' }))
  fireEvent.click(screen.getByRole('radio', { name: 'รอเติม' }))
  await waitFor(() => expect(last()).toMatchObject({ waiting: 'paid', page: '1' }))
  for (const name of ['after', 'month', 'status', 'sort']) expect(last()).not.toHaveProperty(name)
})

test('a reported transfer is marked from its first minute on; who has yet to pay is told quietly', async () => {
  const waits = {
    status: 'waiting_payment' as const,
    paidAt: null,
    queueNo: null,
    createdAt: '2026-11-20T06:20:00.000Z',
  }
  server.use(
    fake(listAllOrders, () => ({
      rows: [
        { ...row(1), ...waits, transferReportedAt: '2026-11-20T06:59:00.000Z' },
        { ...row(2), ...waits },
      ],
      total: 2,
      next: null,
      openBefore: 0,
      nowDate: NOW,
    })),
  )
  renderSite({ path: '/management/history' })
  const reported = await screen.findByText('แจ้งโอน 1 นาที')
  expect(reported.className).toBe('tag is-accent')
  expect(reported.closest('tr')?.classList).toContain('is-reported')
  const unpaid = screen.getByText('40 นาที')
  expect(unpaid.className).not.toContain('tag')
  expect(unpaid.closest('tr')?.classList).not.toContain('is-reported')
})

test('the count of the menu stands at its list, and leads there', async () => {
  const waiting = { count: 4, oldest: NOW, amountSatang: 100, inHand: 0, receivingAccountId: null }
  renderSite({ path: '/management/history' })
  server.use(
    fake(getBacklog, () => ({
      waiting: { reports: waiting },
      statements: [],
      deadCalls: 0,
      openingHours: '',
      nowDate: NOW,
    })),
  )
  await screen.findByRole('radio', { name: 'แจ้งโอนแล้ว 4' })
  const link = screen.getByRole('link', { name: /^ประวัติคำสั่งซื้อ/ })
  expect(link.getAttribute('href')).toBe('/management/history?waiting=reported')
})

const showAs = (rows: ReturnType<typeof row>[]) =>
  fake(listAllOrders, (_, url) => {
    asked.push(url.searchParams)
    return { rows, total: rows.length, next: null, openBefore: 0, nowDate: NOW }
  })
const chosenList = () => screen.getByRole<HTMLInputElement>('radio', { checked: true }).labels![0]!.textContent

test('it opens with the orders that wait for payment, under their name', async () => {
  renderSite({ path: '/management/history' })
  await screen.findAllByText('4821')
  expect(chosenList()).toBe('รอชำระเงิน')
  expect(last()).toMatchObject({ status: 'waiting_payment' })
  fireEvent.click(screen.getByRole('radio', { name: 'ทั้งหมด' }))
  await waitFor(() => expect(last()).not.toHaveProperty('status'))
  expect(screen.queryByRole('button', { name: 'ล้างตัวกรอง' })).toBeNull()
})

test('while nobody owes a payment it opens with all orders; who asked for the empty list is shown the way out', async () => {
  server.use(showAs([]))
  renderSite({ path: '/management/history' })
  await waitFor(() => expect(last()).not.toHaveProperty('status'))
  expect(chosenList()).toBe('ทั้งหมด')
  fireEvent.click(screen.getByRole('radio', { name: 'รอชำระเงิน' }))
  fireEvent.click(await screen.findByRole('button', { name: 'ดูคำสั่งซื้อทั้งหมด' }))
  await waitFor(() => expect(chosenList()).toBe('ทั้งหมด'))
})

test('open orders of earlier months are announced, with the way to them', async () => {
  renderSite({ path: '/management/history' })
  await screen.findByText('มีคำสั่งซื้อค้างจากเดือนก่อนหน้า 3 รายการ')
  fireEvent.click(screen.getByRole('button', { name: 'ดูรายการที่ค้าง' }))
  await waitFor(() => expect(asked.at(-1)!.getAll('status')).toEqual(['waiting_payment', 'paid', 'processing']))
  expect(last()).toMatchObject({ direction: 'asc' })
  expect(last()).not.toHaveProperty('month')
})

describe('views of one’s own', () => {
  test('are kept by name for this person, applied, and taken away', async () => {
    renderSite({ path: '/management/history?status=all&month=all&page=3&after=x' })
    fireEvent.click(await screen.findByRole('button', { name: 'มุมมองของฉัน' }))
    fireEvent.change(await screen.findByLabelText('บันทึกตัวกรองนี้เป็น'), { target: { value: 'ทุกเดือน' } })
    fireEvent.click(screen.getByRole('button', { name: 'บันทึก' }))
    await screen.findByRole('button', { name: 'ทุกเดือน' })
    expect(JSON.parse(localStorage.getItem('orderViews:u-staff')!)).toEqual([
      { name: 'ทุกเดือน', search: 'status=all&month=all' },
    ])
    fireEvent.click(screen.getByRole('button', { name: 'ทุกเดือน' }))
    await waitFor(() => expect(last()).toMatchObject({ page: '1' }))
    fireEvent.click(await screen.findByRole('button', { name: 'ลบมุมมอง ทุกเดือน' }))
    expect(localStorage.getItem('orderViews:u-staff')).toBe('[]')
  })

  test.each(['{', '5', '[{"name":1}]', '[null]', '{"a":1}'])('of a broken storage (%s) are none', async kept => {
    localStorage.setItem('orderViews:u-staff', kept)
    renderSite({ path: '/management/history' })
    fireEvent.click(await screen.findByRole('button', { name: 'มุมมองของฉัน' }))
    await screen.findByText('ยังไม่มีมุมมองที่บันทึกไว้')
  })

  test('leave out what belongs to a page', () => {
    expect(viewOf('?page=2&after=x&order=KT&status=paid')).toBe('status=paid')
  })
})

describe('the download', () => {
  const saved: Blob[] = []
  beforeEach(() => {
    saved.length = 0
    vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => `blob:${saved.push(blob as Blob)}`)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  })
  afterEach(() => vi.restoreAllMocks())

  const encode = (text: string) => new TextEncoder().encode(text)
  const open = (source: UnderlyingDefaultSource<Uint8Array>) => async () => new Response(new ReadableStream(source))

  test('is saved when it is whole, and lines are told as they come', async () => {
    const told: number[] = []
    const source = open({
      start(control) {
        for (const text of ['head\r\n', 'a\r\nb\r\n']) control.enqueue(encode(text))
        control.close()
      },
    })
    await download('x.csv', source, { signal: new AbortController().signal, onLines: lines => told.push(lines) })
    expect(told).toEqual([1, 3])
    expect(await Promise.all(saved.map(blob => blob.text()))).toEqual(['head\r\na\r\nb\r\n'])
  })

  test('that breaks off leaves no file', async () => {
    let isAsked = false
    const source = open({
      pull(control) {
        if (isAsked) control.error(new TypeError('network error'))
        else control.enqueue(encode('head\r\na\r\n'))
        isAsked = true
      },
    })
    const options = { signal: new AbortController().signal, onLines: () => undefined }
    await expect(download('x.csv', source, options)).rejects.toThrow('network error')
    expect(saved).toEqual([])
  })

  test('of the list that is shown says so when it fails, and asks with the same filters', async () => {
    let query = ''
    server.use(
      fake(exportAllOrders, (_, url) => {
        query = url.search
        throw new AppError('UNAVAILABLE')
      }),
    )
    renderSite({ path: '/management/history?month=2026-10&status=paid&sort=amount&direction=asc&page=4' })
    fireEvent.click(await screen.findByRole('button', { name: 'ดาวน์โหลด CSV' }))
    await screen.findByText(/ดาวน์โหลดไม่สำเร็จ ไม่มีไฟล์ถูกบันทึก/)
    expect(query).toBe('?month=2026-10&status=paid&sort=amount&direction=asc')
    expect(saved).toEqual([])
  })
})

/** A search that finds these orders, by the row's number, under these names of buyers. */
function findByBuyer(rowsOf: Record<string, number>) {
  const found = (no: number) => {
    const { orderNo, status, gameName, packageName, playerId, playerName, buyerName, amountSatang, createdAt } = row(no)
    return { orderNo, status, gameName, packageName, playerId, playerName, buyerName, amountSatang, createdAt }
  }
  server.use(
    fake(searchOrders, (_, url) => {
      const no = rowsOf[url.searchParams.get('text')!]
      return { groups: no ? [{ by: 'buyer' as const, rows: [found(no)] }] : [], topUps: [] }
    }),
    fake(getOrderForStaff, () => {
      throw new AppError('UNAVAILABLE')
    }),
  )
}

test('one box finds orders in groups and opens the chosen one', async () => {
  const { orderNo } = row(1)
  findByBuyer({ น้ำฝน: 1 })
  renderSite({ path: '/management/history?status=all' })
  await screen.findAllByText('4821')
  fireEvent.keyDown(document.body, { key: '/' })
  const box = screen.getByRole('combobox', { name: /ค้นหาคำสั่งซื้อ/ })
  expect(document.activeElement).toBe(box)
  fireEvent.change(box, { target: { value: 'น้ำฝน' } })
  const list = await screen.findByText('ลูกค้า', { selector: '.ant-select-item-group' })
  within(list.closest('.ant-select-dropdown') as HTMLElement).getByText(orderNo)
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
  await screen.findByRole('heading', { name: `คำสั่งซื้อ ${orderNo}` })
})

test('Enter before the answer is remembered: the order opens when it comes, or none is said to be there', async () => {
  findByBuyer({ ฝน: 1, ฝนทอง: 2 })
  renderSite({ path: '/management/history?status=all' })
  await screen.findAllByText('4821')
  const box = screen.getByRole('combobox', { name: /ค้นหาคำสั่งซื้อ/ })
  const type = (value: string) => fireEvent.change(box, { target: { value } })
  const enter = () => fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
  box.focus()
  type('ไม่มี')
  enter()
  await screen.findByText(/^ไม่พบคำสั่งซื้อ ค้นได้ด้วย.*เบอร์โทรเต็ม เลขอ้างอิงในสลิป/)
  type('ฝน')
  await screen.findByText('ลูกค้า', { selector: '.ant-select-item-group' })
  // The rows that are shown now answer the shorter text.
  type('ฝนทอง')
  enter()
  await screen.findByRole('heading', { name: `คำสั่งซื้อ ${row(2).orderNo}` })
})
