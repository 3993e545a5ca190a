import { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import { claimOrders, listQueue, type QueueRow, renewClaim } from '@shop/shared/order/queue-endpoints.ts'
import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'

const row = (nth: number, change: Partial<QueueRow> = {}): QueueRow => ({
  orderNo: `KT2611-0000000${nth}`,
  queueNo: 120 + nth,
  group: 'open',
  status: 'paid',
  gameId: 1,
  gameName: 'PUBG Mobile',
  gamePicture: '/files/games/pubg.svg',
  packageName: `${nth}00 UC`,
  quantity: 1,
  playerId: '5123456789',
  amountSatang: 14937,
  paidAt: '2026-11-20T06:56:00.000Z',
  waitsSince: '2026-11-20T06:56:00.000Z',
  usualMinutes: { from: 5, to: 15 },
  claimedBy: null,
  claimedByName: null,
  isHeld: false,
  commands: ['fail', 'claim'],
  ...change,
})
const claimed = { status: 'processing', claimedBy: staff.uid, claimedByName: staff.displayName } as const
const mine = { ...claimed, group: 'mine', commands: ['fail', 'release', 'complete'] } satisfies Partial<QueueRow>

/** The server's queue, which answers as the real one does. */
let rows: QueueRow[]
let answers: ('list' | 'unchanged')[]
const sent: unknown[] = []

function view(of: QueueRow): StaffOrderView {
  const { orderNo, queueNo, status, claimedBy, claimedByName, commands } = of
  return { ...order, orderNo, queueNo, status, claimedBy, claimedByName, commands, claimedAt: claimedBy && NOW }
}

beforeEach(() => {
  sent.length = 0
  answers = []
  server.use(
    fake(getSlipService, () => ({
      provider: null,
      isShadow: false,
      usedThisMonth: 0,
      monthlyQuota: 100,
      isQuotaLow: false,
      stopped: null,
      nowDate: NOW,
    })),
    fake(listQueue, (_, { searchParams }) => {
      const version = rows.map(({ orderNo, group }) => orderNo.slice(-1) + group).join()
      const isSame = searchParams.get('since') === version
      answers.push(isSame ? 'unchanged' : 'list')
      const counts = { mine: 0, open: 0, others: 0 }
      for (const { group } of rows) counts[group]++
      return { version, list: isSame ? null : { rows, counts }, nowDate: NOW }
    }),
    fake(getOrderForStaff, (_, { pathname }) => {
      const found = rows.find(each => pathname.endsWith(each.orderNo))
      if (!found) throw new AppError('ORDER_NOT_FOUND')
      return view(found)
    }),
    fake(renewClaim, () => ({ claimUntil: NOW })),
    fake(updateOrderStatus, body => {
      sent.push(body)
      const { orderNo, status } = body as { orderNo: string; status: 'processing' | 'success' }
      rows =
        status === 'success'
          ? rows.filter(each => each.orderNo !== orderNo)
          : rows.map(each => (each.orderNo === orderNo ? { ...each, ...mine } : each))
      rows.sort((a, b) => (a.group === b.group ? a.queueNo - b.queueNo : a.group === 'mine' ? -1 : 1))
      return { orderNo, status }
    }),
  )
})

const press = (key: string, code = key) => fireEvent.keyDown(document.activeElement ?? document.body, { key, code })
const focused = () => (document.activeElement as HTMLElement).dataset.order

test('the groups with their counts; what is late by the usual time of its game stands out', async () => {
  rows = [
    row(1, mine),
    row(2, { waitsSince: '2026-11-20T06:40:00.000Z' }),
    row(3, { waitsSince: '2026-11-20T06:48:00.000Z' }),
    row(4, { ...mine, group: 'others', claimedBy: 'u2', claimedByName: 'มานพ', commands: [] }),
  ]
  renderSite({ path: '/management/queue' })
  expect((await screen.findAllByRole('rowheader')).map(({ textContent }) => textContent)).toEqual([
    'ของฉัน 1',
    'ยังไม่มีคนรับ 2',
    'คนอื่นรับแล้ว 1',
  ])
  expect(screen.getByText('20 นาที').className).toContain('is-bad')
  expect(screen.getByText('12 นาที').className).toContain('is-warn')
  screen.getByText('มานพ')
  expect(screen.getAllByRole('button', { name: /^รับเรื่อง KT/ })).toHaveLength(2)
})

test('by keyboard alone: claim, reference, done; then the next one is open', async () => {
  rows = [row(1), row(2)]
  renderSite({ path: '/management/queue' })
  await screen.findByText('100 UC')
  press('ArrowDown')
  // As with a Thai layout: the key says another letter.
  press('่', 'KeyJ')
  expect(focused()).toBe('KT2611-00000002')
  press('ห', 'KeyK')
  press('Enter')
  const reference = await screen.findByLabelText('เลขอ้างอิงการเติม')
  await waitFor(() => expect(focused()).toBe('KT2611-00000001'))
  press('r', 'KeyR')
  expect(document.activeElement).toBe(reference)
  fireEvent.change(reference, { target: { value: 'MB-1' } })
  fireEvent.submit(reference.closest('form')!)
  await screen.findByLabelText('รายละเอียดคำสั่งซื้อ KT2611-00000002')
  await waitFor(() => expect(focused()).toBe('KT2611-00000002'))
  expect(sent).toEqual([
    { orderNo: 'KT2611-00000001', status: 'processing' },
    { orderNo: 'KT2611-00000001', status: 'success', deliveryReference: 'MB-1' },
  ])
})

test('letters can be switched off, the rest of the keys stay', async () => {
  rows = [row(1), row(2)]
  renderSite({ path: '/management/queue' })
  await screen.findByText('100 UC')
  press('?')
  fireEvent.click(await screen.findByRole('switch', { name: 'ใช้ปุ่มตัวอักษร' }))
  fireEvent.click(screen.getByRole('dialog').querySelector('.ant-modal-close')!)
  screen.getByRole('link', { name: '200 UC' }).focus()
  press('k', 'KeyK')
  expect(focused()).toBe('KT2611-00000002')
  press('ArrowUp')
  expect(focused()).toBe('KT2611-00000001')
  localStorage.clear()
})

test('what is typed and chosen survives that the queue changes; nothing is sent twice while it does not', async () => {
  rows = [row(1, mine), row(2), row(3)]
  renderSite({ path: '/management/queue?order=KT2611-00000001' })
  const reference = await screen.findByLabelText<HTMLInputElement>('เลขอ้างอิงการเติม')
  fireEvent.change(reference, { target: { value: 'MB-7' } })
  fireEvent.click(screen.getByLabelText('เลือก KT2611-00000003'))
  await waitFor(() => expect(answers).toContain('unchanged'), { timeout: 5000 })
  rows = [rows[0]!, rows[2]!, row(4)]
  await screen.findByText('400 UC', undefined, { timeout: 5000 })
  expect(screen.queryByText('200 UC')).toBeNull()
  expect(reference.value).toBe('MB-7')
  expect(screen.getByLabelText<HTMLInputElement>('เลือก KT2611-00000003').checked).toBe(true)
})

test('a row is drawn again only when something of it has changed, whatever happens around it', async () => {
  rows = [row(1), row(2), row(3)]
  // A row writes its address once each time that it is drawn.
  const written = vi.spyOn(globalThis, 'encodeURIComponent')
  onTestFinished(() => written.mockRestore())
  const drawn = () => {
    const numbers = written.mock.calls.map(([text]) => String(text)).filter(text => text.startsWith('KT'))
    written.mockClear()
    return [...new Set(numbers)].map(text => Number(text.slice(-1))).toSorted()
  }
  renderSite({ path: '/management/queue' })
  await screen.findByText('300 UC')
  expect(drawn()).toEqual([1, 2, 3])
  fireEvent.click(screen.getByRole('link', { name: '100 UC' }))
  await screen.findByRole('button', { name: 'คัดลอก Player ID' })
  expect(drawn()).toEqual([1])
  const search = screen.getByLabelText('เลขที่ / Player ID')
  fireEvent.change(search, { target: { value: '5123' } })
  fireEvent.keyDown(search, { key: 'Enter' })
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'คำสั่งซื้อรอเติม' }).getAttribute('aria-busy')).toBe('false'),
  )
  fireEvent.click(screen.getByLabelText('เลือก KT2611-00000003'))
  expect(drawn()).toEqual([3])
  rows = [row(2), row(3)]
  await waitFor(() => expect(screen.queryByText('100 UC')).toBeNull(), { timeout: 5000 })
  expect(drawn()).toEqual([])
})

test('several of one game are claimed together; what was lost is named', async () => {
  rows = [row(1), row(2), row(3, { gameId: 2, gameName: 'RoV' })]
  server.use(
    fake(claimOrders, body => {
      sent.push(body)
      rows = [row(1, mine), row(2, { ...mine, group: 'others', claimedBy: 'u2', claimedByName: 'มานพ', commands: [] })]
      const { code, message } = new AppError('ORDER_CLAIMED_BY_OTHER', { values: { name: 'มานพ' } })
      return { claimed: ['KT2611-00000001'], refused: [{ orderNo: 'KT2611-00000002', code, message }] }
    }),
  )
  renderSite({ path: '/management/queue' })
  fireEvent.click(await screen.findByLabelText('เลือก KT2611-00000001'))
  expect(screen.getByLabelText<HTMLInputElement>('เลือก KT2611-00000003').disabled).toBe(true)
  fireEvent.click(screen.getByLabelText('เลือก KT2611-00000002'))
  fireEvent.click(screen.getByRole('button', { name: 'รับเรื่อง 2 รายการ' }))
  await screen.findByText(/KT2611-00000002 .*มานพ/)
  await screen.findByLabelText('รายละเอียดคำสั่งซื้อ KT2611-00000001')
  expect(sent).toEqual([{ orderNos: ['KT2611-00000001', 'KT2611-00000002'] }])
})

test('who lost a claim is told by whom', async () => {
  rows = [row(1)]
  server.use(
    fake(updateOrderStatus, () => {
      rows = [row(1, { ...mine, group: 'others', claimedBy: 'u2', claimedByName: 'มานพ', commands: [] })]
      throw new AppError('ORDER_CLAIMED_BY_OTHER', { values: { name: 'มานพ' } })
    }),
  )
  renderSite({ path: '/management/queue' })
  fireEvent.click(await screen.findByRole('button', { name: 'รับเรื่อง KT2611-00000001' }))
  await screen.findByText('มานพ รับเรื่อง KT2611-00000001 ไปแล้ว')
  await screen.findByRole('rowheader', { name: 'คนอื่นรับแล้ว 1' })
})

test('a lease that ran out keeps the typed reference and says so', async () => {
  rows = [row(1, mine)]
  renderSite({ path: '/management/queue?order=KT2611-00000001' })
  const reference = await screen.findByLabelText<HTMLInputElement>('เลขอ้างอิงการเติม')
  fireEvent.change(reference, { target: { value: 'MB-9' } })
  rows = [row(1, { commands: ['fail', 'claim', 'complete'] })]
  await screen.findByText(/หมดเวลารับเรื่อง/, undefined, { timeout: 7000 })
  expect(screen.getByLabelText<HTMLInputElement>('เลขอ้างอิงการเติม').value).toBe('MB-9')
})

test('an empty search leads back to everything', async () => {
  rows = []
  renderSite({ path: '/management/queue?text=zzz' })
  await screen.findByText('ไม่พบ "zzz" ในคิว')
  fireEvent.click(screen.getByRole('button', { name: 'ดูทั้งหมด' }))
  await screen.findByText('ไม่มีคำสั่งซื้อรอเติม')
})

test('what is paid by one word alone says so, and a second person confirms the money', async () => {
  const confirmed: unknown[] = []
  rows = [row(1, { isHeld: true })]
  server.use(
    fake(getOrderForStaff, () => ({ ...view(rows[0]!), hold: { heldByName: 'สมชาย', file: null, whyNot: null } })),
    fake(confirmMoney, body => {
      confirmed.push(body)
      return { orderNo: rows[0]!.orderNo }
    }),
  )
  renderSite({ path: '/management/queue' })
  await screen.findByText('รอหลักฐานเงินเข้า')
  fireEvent.click(screen.getByRole('link', { name: '100 UC' }))
  const card = await screen.findByRole('region', { name: 'ยืนยันว่าเงินเข้า' })
  expect(card.textContent).toContain('รอหลักฐานเงินเข้า หรือคนที่สองยืนยัน ก่อนส่งให้ผู้จำหน่าย')
  expect(card.textContent).toContain('สมชาย บันทึกว่าได้รับเงิน')
  fireEvent.click(within(card).getByRole('button', { name: 'ยืนยันว่าเงินเข้า' }))
  await waitFor(() => expect(confirmed).toEqual([{ orderNo: rows[0]!.orderNo }]))
})

test('who marked it paid sees why somebody else must confirm it', async () => {
  rows = [row(1, { isHeld: true })]
  const whyNot = 'คุณเป็นผู้บันทึกว่าได้รับเงิน'
  server.use(fake(getOrderForStaff, () => ({ ...view(rows[0]!), hold: { heldByName: null, file: null, whyNot } })))
  renderSite({ path: `/management/queue?order=${rows[0]!.orderNo}` })
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'ยืนยันว่าเงินเข้า', description: whyNot })
  expect(button.disabled).toBe(true)
})
