import { AppError } from '@shop/shared/errors.ts'
import {
  decideStatementLine,
  exportStatementLines,
  getStatementLine,
  type LineDetails,
  listStatementLines,
  type StatementLineView,
  searchStatementTargets,
  trustStatementLine,
} from '@shop/shared/statement/endpoints.ts'
import { settleDisputedLine } from '@shop/shared/statement/take-back-endpoints.ts'
import { searchWallets } from '@shop/shared/wallet/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { candidateOf, DAY, detailsOf, fakeAccounts, lineOf, manager, NOW } from '../testing/statement.ts'

const PAGE = '/management/bankstatement'
const first = lineOf(1)
const second = lineOf(2, { amountSatang: 35_562, candidates: 0, fitting: 0, fromBank: '006' })
const matched = {
  ...first,
  version: 2,
  state: 'matched' as const,
  target: candidateOf(1).target,
  decidedByName: 'มานี จัดการ',
  decidedAt: NOW,
}

/** The server's side: two lines, the first of which is open. */
function openLine(
  details: LineDetails,
  decide: (body: unknown) => LineDetails = () => detailsOf(matched),
  role: 'manager' | 'admin' = 'manager',
) {
  let now = details
  const asked: URLSearchParams[] = []
  const sent: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listStatementLines, (_, url) => {
      asked.push(url.searchParams)
      return page([first, second])
    }),
    fake(getStatementLine, (_, url) => (url.pathname.endsWith(second.id) ? detailsOf(second) : now)),
    fake(decideStatementLine, body => {
      sent.push(body)
      now = decide(body)
      return now
    }),
  )
  renderSite({ path: `${PAGE}?account=7&from=${DAY}&to=${DAY}&line=${details.line.id}`, me: { ...manager, role } })
  return { asked, sent, setNow: (next: LineDetails) => (now = next) }
}

const page = (rows: StatementLineView[]) => ({
  rows,
  total: rows.length,
  nowDate: NOW,
  summary: { moneyIn: 168, decided: 165, byItself: 163, inSatang: 0 },
  sources: [first.source, { kind: 'file' as const, id: first.id, name: 'scb.csv', byName: 'มานี จัดการ' }],
})
const panel = () => screen.findByRole('complementary', { name: 'รายการที่เลือก' })
/** By its title: ids that name dialogs are all alike in tests. */
const dialogOf = async (title: string) => (await screen.findByText(title)).closest<HTMLElement>('[role=dialog]')!
const best = () => screen.findByRole('button', { name: 'จับคู่รายการนี้' })

test('the page opens on everything that waits: every account, every day', async () => {
  const asked: URLSearchParams[] = []
  server.use(
    fakeAccounts(),
    fake(listStatementLines, (_, url) => {
      asked.push(url.searchParams)
      const old = { ...second, day: '2026-09-25', at: '2026-09-25T06:00:00.000Z' }
      return { ...page([old, first]), summary: null }
    }),
  )
  renderSite({ path: PAGE, me: manager })
  await screen.findByRole('link', { name: /279.00/ })
  expect(Object.fromEntries(asked[0]!)).toEqual({ noSaleOrder: 'true', page: '1', pageSize: '20' })
  await screen.findAllByText('กสิกรไทย x5678')
  expect(screen.getByText('รอ 56 วัน').className).toContain('is-bad')
  expect(screen.getByText('รอ 1 นาที').className).toBe('tag')
})

test('an account and a day are asked for with what waits only; the checkbox and the state stand in the question', async () => {
  const { asked } = openLine(detailsOf(first))
  await screen.findByText(/จับคู่อัตโนมัติแล้ว/)
  const countOf = (amount: string) =>
    screen.getByRole('link', { name: new RegExp(amount) }).closest('tr')!.lastChild!.textContent
  expect([countOf('279.00'), countOf('355.62')]).toEqual(['2 รายการตรงพอดี 1', 'ไม่พบ'])
  expect(asked[0]!.get('receivingAccountId')).toBe('7')
  expect(asked[0]!.get('noSaleOrder')).toBe('true')
  fireEvent.click(screen.getByRole('checkbox', { name: 'ยังไม่มีคำสั่งซื้อ' }))
  await waitFor(() => expect(asked.at(-1)!.get('noSaleOrder')).toBe('false'))
  screen.getByLabelText('สถานะรายการ')
})

test('a plain match is made at once with the version that was seen, and the next line opens', async () => {
  const { sent } = openLine(
    detailsOf(first, [candidateOf(1), candidateOf(2, { needs: 'reason', differenceSatang: -44 })]),
  )
  fireEvent.click(await best())
  await screen.findByText(`รายการที่เลือก · เลขที่ ${second.no}`)
  expect(sent).toEqual([{ step: 'match', version: 1, target: { kind: 'order', id: candidateOf(1).target.id } }])
  await waitFor(() => expect(document.activeElement?.getAttribute('data-line')).toBe(second.id))
})

test('too much money: a reason and what becomes of the rest are asked, and both are kept when saving fails', async () => {
  let calls = 0
  const { sent } = openLine(
    detailsOf(first, [candidateOf(1, { needs: 'reason', differenceSatang: 900, amountSatang: 27_000 })]),
    () => {
      calls += 1
      if (calls === 1) throw new AppError('UNAVAILABLE')
      return detailsOf(matched)
    },
  )
  fireEvent.click(await best())
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('เกิน ฿9.00')
  fireEvent.click(within(dialog).getByRole('button', { name: 'จับคู่รายการนี้' }))
  await within(dialog).findByText('กรุณาระบุเหตุผล')
  within(dialog).getByText('กรุณาเลือกว่าจะทำอย่างไรกับส่วนเกิน')
  expect(sent).toEqual([])
  fireEvent.click(within(dialog).getByRole('radio', { name: /เงินรอคืนลูกค้า/ }))
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: ' โอนเกิน ' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'จับคู่รายการนี้' }))
  await within(dialog).findByText('บันทึกไม่สำเร็จ ยังไม่มีอะไรเปลี่ยน')
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('เหตุผล').value).toBe(' โอนเกิน ')
  fireEvent.click(within(dialog).getByRole('button', { name: 'จับคู่รายการนี้' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toEqual({
    step: 'match',
    version: 1,
    target: { kind: 'order', id: candidateOf(1).target.id },
    reason: 'โอนเกิน',
    overpaid: 'owe',
  })
})

test('somebody was faster: both versions are told, the reason stays, and the decision is off', async () => {
  const { setNow } = openLine(detailsOf(first), () => {
    setNow(detailsOf(matched))
    throw new AppError('CONFLICT')
  })
  fireEvent.click(await screen.findByRole('button', { name: 'รอคืนเงิน' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: 'ลูกค้าโอนผิด' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'รอคืนเงิน' }))
  const note = await within(dialog).findByText(/มีผู้อื่นเปลี่ยนรายการนี้ไปก่อน/)
  expect(note.textContent).toContain('ที่คุณเห็น: ยังไม่มีคำสั่งซื้อ')
  expect(note.textContent).toContain('ตอนนี้: จับคู่แล้ว KT2611-00004801 โดย มานี จัดการ')
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('เหตุผล').value).toBe('ลูกค้าโอนผิด')
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'รอคืนเงิน' }).disabled).toBe(true)
})

test('undoing asks why', async () => {
  const { sent } = openLine(detailsOf(matched), () => detailsOf({ ...first, version: 3 }))
  fireEvent.click(await screen.findByRole('button', { name: 'ยกเลิกการจับคู่' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: 'จับคู่ผิด' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ยกเลิกการจับคู่' }))
  await waitFor(() => expect(sent).toEqual([{ step: 'undo', version: 2, reason: 'จับคู่ผิด' }]))
})

test('a match whose goods are delivered offers no way back, and says why', async () => {
  openLine(detailsOf(matched, [], 'เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้'))
  await screen.findByText('เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้')
  expect(screen.queryByRole('button', { name: 'ยกเลิกการจับคู่' })).toBeNull()
})

test('a line whose balance does not follow says why, is matched only after asking, and can be believed on a word', async () => {
  const gap = { ...first, chain: 'gap' as const }
  const note = 'ยอดก่อนหน้าที่รู้จักคือ 10.00 จึงควรเหลือ 289.00 แต่รายการนี้แจ้งยอดคงเหลือ 9,999.00'
  const { setNow, sent } = openLine(detailsOf(gap, [candidateOf(1)], null, note))
  const trusted: unknown[] = []
  server.use(
    fake(trustStatementLine, body => {
      trusted.push(body)
      setNow(detailsOf(first))
      return detailsOf(first)
    }),
  )
  await screen.findByText(new RegExp(note))
  fireEvent.click(screen.getByRole('button', { name: 'จับคู่รายการนี้' }))
  const asking = await dialogOf('จับคู่รายการนี้?')
  expect(sent).toEqual([])
  fireEvent.click(within(asking).getAllByRole('button', { name: 'ปิด' })[0]!)
  fireEvent.click(screen.getByRole('button', { name: 'ยืนยันยอดนี้…' }))
  const dialog = await dialogOf('ยืนยันยอดคงเหลือของรายการนี้?')
  fireEvent.change(within(dialog).getByLabelText('ตรวจกับอะไร'), { target: { value: 'แอปธนาคาร' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ยืนยันยอดนี้' }))
  await waitFor(() => expect(trusted).toEqual([{ version: 1, reason: 'แอปธนาคาร' }]))
  await waitFor(() => expect(screen.queryByText('ยอดคงเหลือไม่ต่อกัน ระบบไม่จับคู่รายการนี้เอง')).toBeNull())
})

test('a line that could not be taken back with its key says so; an admin settles it', async () => {
  const disputed = { ...matched, disputedAt: NOW }
  const { setNow } = openLine(detailsOf(disputed, [], 'เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้'), () => detailsOf(matched), 'admin')
  const settled: unknown[] = []
  server.use(
    fake(settleDisputedLine, body => {
      settled.push(body)
      setNow(detailsOf(matched))
      return { id: matched.id }
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'ปิดเรื่อง…' }))
  const dialog = await dialogOf('ปิดเรื่องรายการนี้?')
  fireEvent.change(within(dialog).getByLabelText(/ตรวจแล้วเป็นอย่างไร/), { target: { value: 'เงินเข้าจริง' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ปิดเรื่อง' }))
  await waitFor(() => expect(settled).toEqual([{ reason: 'เงินเข้าจริง' }]))
  await waitFor(() => expect(screen.queryByText(/คีย์ที่ส่งรายการนี้ถูกเพิกถอน/)).toBeNull())
})

test('where lines come from stands in the list, and in the address what is asked for', async () => {
  const { asked } = openLine(detailsOf(first))
  const aside = within(await panel())
  fireEvent.click(await aside.findByRole('link', { name: 'ส่งโดยคีย์ ตัวดึงรายการ SCB' }))
  await waitFor(() => expect(asked.at(-1)!.get('source')).toBe(`feed:${first.source.id}`))
  expect(asked.at(-1)!.get('noSaleOrder')).toBe('false')
})

test('money of a wallet needs the wallet and a reason', async () => {
  const wallet = {
    id: '01a1f903-0003-7b09-91c6-000000000001',
    uid: 'u-agent',
    name: 'สมชาย ท็อปอัพ',
    email: null,
    tierName: 'Gold',
    balanceSatang: 0,
    roomSatang: 1,
    minTopUpSatang: 0,
  }
  const { sent } = openLine(detailsOf(first))
  server.use(fake(searchWallets, () => [wallet]))
  fireEvent.click(await screen.findByRole('button', { name: 'เข้ากระเป๋าเงิน' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: 'ตัวแทนโอนตรง' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'เพิ่มเข้ากระเป๋าเงิน' }))
  await within(dialog).findByText('กรุณาเลือกกระเป๋าเงิน')
  fireEvent.mouseDown(within(dialog).getByLabelText('กระเป๋าเงิน'))
  fireEvent.click(await screen.findByText('สมชาย ท็อปอัพ · Gold'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'เพิ่มเข้ากระเป๋าเงิน' }))
  await waitFor(() =>
    expect(sent).toEqual([{ step: 'creditWallet', version: 1, walletId: wallet.id, reason: 'ตัวแทนโอนตรง' }]),
  )
})

test('finding by hand asks by number and amount, and confirms what was chosen', async () => {
  const { sent } = openLine(detailsOf(first))
  const searched: URLSearchParams[] = []
  server.use(
    fake(searchStatementTargets, (_, url) => {
      searched.push(url.searchParams)
      return { rows: [candidateOf(3)], total: 1, nowDate: NOW }
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'ค้นหาเอง' }))
  const dialog = await dialogOf('ค้นหาคำสั่งซื้อหรือรายการเติมเงิน')
  fireEvent.change(within(dialog).getByLabelText('จำนวนเงิน (บาท)'), { target: { value: 'มาก' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ค้นหา' }))
  await within(dialog).findByText('กรุณากรอกจำนวนเงินเป็นตัวเลข เช่น 149.37')
  expect(searched).toEqual([])
  fireEvent.change(within(dialog).getByLabelText('จำนวนเงิน (บาท)'), { target: { value: '279' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ค้นหา' }))
  fireEvent.click(await within(dialog).findByRole('button', { name: 'เลือก KT2611-00004803' }))
  expect(searched[0]!.get('amountSatang')).toBe('27900')
  const confirm = await dialogOf('จับคู่รายการนี้?')
  fireEvent.click(within(confirm).getByRole('button', { name: 'จับคู่รายการนี้' }))
  await waitFor(() => expect(sent).toHaveLength(1))
})

test('arrows move in the list, and single keys lead to the decision only from there', async () => {
  openLine(detailsOf(first, [candidateOf(1)]))
  await best()
  const [one, two] = await waitFor(() => {
    const links = [...document.querySelectorAll<HTMLElement>('a[data-line]')]
    expect(links).toHaveLength(2)
    return links as [HTMLElement, HTMLElement]
  })
  one.focus()
  fireEvent.keyDown(one, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(two)
  fireEvent.keyDown(two, { key: 'm' })
  expect(document.activeElement?.textContent).toBe('จับคู่รายการนี้')
  const find = screen.getByRole('button', { name: 'ค้นหาเอง' })
  fireEvent.keyDown(find, { key: 'm' })
  fireEvent.keyDown(find, { key: 'ArrowDown' })
  expect(document.activeElement?.textContent).toBe('จับคู่รายการนี้')
})

test('a link to one line alone lists the day and account it stands in', async () => {
  const { asked } = openLine(detailsOf(matched))
  await panel()
  asked.length = 0
  server.use(fake(getStatementLine, () => detailsOf({ ...matched, day: '2026-11-18' })))
  renderSite({ path: `${PAGE}?line=${first.id}`, me: manager })
  await waitFor(() => expect(asked.find(each => each.get('from') === '2026-11-18')?.get('noSaleOrder')).toBe('false'))
})

test('a list that fails can be asked for again', async () => {
  let calls = 0
  server.use(
    fakeAccounts(),
    fake(listStatementLines, () => {
      calls += 1
      if (calls === 1) throw new AppError('STATEMENT_PERIOD_INVALID')
      return page([])
    }),
  )
  renderSite({ path: `${PAGE}?account=7&from=2020-01-01&to=2020-01-02`, me: manager })
  await screen.findByText('เลือกได้เฉพาะช่วงวันที่ใน 3 เดือนล่าสุด')
  fireEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('ไม่มีรายการที่รอจับคู่ในช่วงนี้')
})

test('the CSV takes the same filters', async () => {
  const { asked } = openLine(detailsOf(first))
  await panel()
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined })
  const exported: URLSearchParams[] = []
  server.use(
    fake(exportStatementLines, (_, url) => {
      exported.push(url.searchParams)
      return new Blob()
    }),
  )
  fireEvent.click(screen.getByRole('button', { name: /ดาวน์โหลด CSV/ }))
  await waitFor(() => expect(names).toEqual([expect.stringMatching(/^Export\d{14}\.csv$/)]))
  expect(exported[0]!.get('receivingAccountId')).toBe(asked[0]!.get('receivingAccountId'))
})

test('another order with this amount is named before its money is given away', async () => {
  let calls = 0
  const { sent } = openLine(detailsOf(first, [candidateOf(1)]), () => {
    calls += 1
    const values = { orderNo: 'KT2611-00004899' }
    if (calls === 1) throw new AppError('SAME_AMOUNT_ORDER', { values, details: values })
    return detailsOf(matched)
  })
  fireEvent.click(await best())
  const dialog = within(await dialogOf('จับคู่รายการนี้?'))
  await dialog.findByText(/KT2611-00004899 ใช้ยอดโอนเดียวกันอยู่/)
  fireEvent.click(dialog.getByRole('button', { name: 'จับคู่รายการนี้' }))
  await waitFor(() => expect(sent[1]).toMatchObject({ step: 'match', sameAmountOrderNo: 'KT2611-00004899' }))
})

test('what has a line already is shown with why, and its money is proposed to go back', async () => {
  const reasons = [{ tone: 'warn' as const, text: 'จ่ายซ้ำ: รายการนี้มีเงินเข้าแล้ว' }]
  const { sent } = openLine(detailsOf(first, [candidateOf(1, { needs: 'impossible', reasons, goesBackFor: 'จ่ายซ้ำ' })]))
  await screen.findByText('จ่ายซ้ำ: รายการนี้มีเงินเข้าแล้ว')
  expect(screen.queryByRole('button', { name: 'จับคู่รายการนี้' })).toBeNull()
  expect(screen.queryByText('น่าจะใช่ที่สุด')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'คืนเงินให้ผู้ซื้อ…' }))
  const dialog = within(await dialogOf('บันทึกเป็นเงินรอคืน?'))
  fireEvent.click(dialog.getByRole('button', { name: 'รอคืนเงิน' }))
  const orderId = candidateOf(1).target.id
  await waitFor(() => expect(sent).toEqual([{ step: 'oweRefund', version: 1, orderId, reason: 'จ่ายซ้ำ' }]))
})

test('a usual reason takes one press', async () => {
  const { sent } = openLine(detailsOf(first, [candidateOf(1, { needs: 'reason', differenceSatang: -44 })]))
  fireEvent.click(await best())
  const dialog = within(await dialogOf('จับคู่รายการนี้?'))
  fireEvent.click(dialog.getByRole('button', { name: 'ปัดเศษ' }))
  fireEvent.click(dialog.getByRole('button', { name: 'จับคู่รายการนี้' }))
  await waitFor(() => expect(sent).toMatchObject([{ step: 'match', reason: 'ปัดเศษ' }]))
})

test('money to be given back can name the order it was meant for', async () => {
  const { sent } = openLine(detailsOf(first, [candidateOf(1)]))
  fireEvent.click(await screen.findByRole('button', { name: 'รอคืนเงิน' }))
  const dialog = within(await dialogOf('บันทึกเป็นเงินรอคืน?'))
  fireEvent.mouseDown(dialog.getByLabelText(/เป็นเงินของคำสั่งซื้อ/))
  fireEvent.click(await screen.findByText('KT2611-00004801 · Mobile Legends · 568 เพชร'))
  fireEvent.change(dialog.getByLabelText('เหตุผล'), { target: { value: 'จ่ายซ้ำ' } })
  fireEvent.click(dialog.getByRole('button', { name: 'รอคืนเงิน' }))
  const orderId = candidateOf(1).target.id
  await waitFor(() => expect(sent).toEqual([{ step: 'oweRefund', version: 1, orderId, reason: 'จ่ายซ้ำ' }]))
})
