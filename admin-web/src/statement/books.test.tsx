import { AppError } from '@shop/shared/errors.ts'
import { getGatewayAccounts } from '@shop/shared/statement/gateway-account-endpoints.ts'
import {
  agreeRefundPayee,
  getReconciliation,
  listBookedWithoutLine,
  listOwedRefunds,
  type OwedRefund,
  type ReconciliationDay,
  sendOwedRefund,
  setRefundPayee,
} from '@shop/shared/statement/refund-endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { DAY, fakeAccounts, manager, NOW } from '../testing/statement.ts'

const refund: OwedRefund = {
  id: '01a1f903-0005-7b09-91c6-000000000001',
  orderNo: 'KT2611-00004815',
  lineId: '01a1f903-0001-7b09-91c6-000000000001',
  amountSatang: 14_937,
  reason: 'โอนหลังหมดเวลา',
  person: { name: 'น้ำข้าว', email: 'nam@example.com', phone: '+66812345678' },
  payer: { bankCode: '014', account: 'x7713', name: null },
  createdAt: NOW,
  sent: null,
  payee: { bankCode: '014', accountNo: '4051237713', accountName: 'น้ำข้าว ใจดี' },
  payeeEnd: { bankCode: '014', end: '7713' },
  payeeVersion: 1,
  payeeAt: NOW,
  payeeByName: null,
  payeeFit: 'payer',
  payeeReason: null,
  payeeAgreed: null,
  payeeOthers: 0,
  paidSlipId: null,
  asCredit: false,
  fromCredit: false,
}

test('a refund that was sent asks account and reference, keeps them when saving fails, and moves on', async () => {
  let calls = 0
  const sent: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listOwedRefunds, (_, url) => {
      const isSent = url.searchParams.get('sent') === 'true'
      return { rows: isSent ? [] : [refund], total: isSent ? 0 : 1, nowDate: NOW, owedSatang: 14_937 }
    }),
    fake(sendOwedRefund, body => {
      calls += 1
      if (calls === 1) throw new AppError('OWN_ORDER')
      sent.push(body)
      return { ...refund, sent: { at: NOW, byName: 'มานี', receivingAccountId: 7, reference: 'R1', slipId: null } }
    }),
  )
  renderSite({ path: '/management/refund', me: manager })
  await screen.findByText('น้ำข้าว')
  screen.getByText('โอนมาจาก ไทยพาณิชย์ x7713')
  expect(screen.getByRole('link', { name: refund.orderNo! }).getAttribute('href')).toBe(
    `/management/details/${refund.orderNo}`,
  )
  expect(screen.getByRole('link', { name: /ดูรายการธนาคาร/ }).getAttribute('href')).toContain(`line=${refund.lineId}`)
  fireEvent.click(screen.getByRole('button', { name: /บันทึกว่า โอนคืนแล้ว ฿149.37/ }))
  const dialog = within(await screen.findByRole('dialog'))
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'โอนคืนแล้ว ฿149.37' }))
  save()
  await dialog.findByText('กรุณากรอกเลขอ้างอิงการโอน')
  dialog.getByText('กรุณาเลือกบัญชีธนาคาร')
  fireEvent.mouseDown(dialog.getByLabelText('โอนออกจากบัญชี'))
  fireEvent.click(await screen.findByText('กสิกรไทย x5678'))
  fireEvent.change(dialog.getByLabelText('เลขอ้างอิงการโอน'), { target: { value: ' R1 ' } })
  save()
  await dialog.findByText(/ทำรายการกับคำสั่งซื้อของตนเองไม่ได้/)
  expect(dialog.getByLabelText<HTMLInputElement>('เลขอ้างอิงการโอน').value).toBe(' R1 ')
  save()
  await waitFor(() => expect(sent).toEqual([{ receivingAccountId: 7, reference: ' R1 ', payeeVersion: 1 }]))
  fireEvent.click(screen.getByRole('tab', { name: 'โอนคืนแล้ว' }))
  await screen.findByText('ยังไม่เคยโอนเงินคืน')
})

test('several are recorded at once, each with its slip; a changed account is shown before it is sent to', async () => {
  const other = { ...refund, id: '01a1f903-0005-7b09-91c6-000000000002', orderNo: 'KT2611-00004816' }
  const anna = { ...other, person: { ...refund.person, name: 'แอนนา' }, payeeVersion: 0 }
  const named = { bankCode: null, accountNo: '0812345678', accountName: 'แอนนา ดี' }
  let rows: OwedRefund[] = [refund, anna]
  const sent: [string, unknown][] = []
  const slips = ['01a1f903-aaaa-7b09-91c6-000000000001', '01a1f903-aaaa-7b09-91c6-000000000002']
  let uploads = 0
  server.use(
    fakeAccounts(),
    fake(uploadSlip, () => ({ id: slips[uploads++]!, url: '/slip', hasBankReference: true })),
    fake(listOwedRefunds, () => ({ rows, total: rows.length, nowDate: NOW, owedSatang: 29_874 })),
    fake(sendOwedRefund, (body, url) => {
      const id = url.pathname.split('/').at(-2)!
      if (id === anna.id && (body as { payeeVersion: number }).payeeVersion === 0) {
        rows = [{ ...anna, payee: named, payeeEnd: { bankCode: null, end: '5678' }, payeeVersion: 1 }]
        throw new AppError('PAYEE_CHANGED')
      }
      sent.push([id, body])
      return { ...refund, sent: { at: NOW, byName: 'มานี', receivingAccountId: 7, reference: 'R1', slipId: null } }
    }),
  )
  renderSite({ path: '/management/refund', me: manager })
  await screen.findByText('แอนนา')
  for (const { orderNo } of [refund, anna]) fireEvent.click(screen.getByRole('checkbox', { name: `เลือก ${orderNo}` }))
  fireEvent.click(screen.getByRole('button', { name: 'โอนคืนแล้ว 2 รายการ…' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.mouseDown(dialog.getByLabelText('โอนออกจากบัญชี'))
  fireEvent.click(await screen.findByText('กสิกรไทย x5678'))
  fireEvent.change(dialog.getByLabelText('เลขอ้างอิงการโอน น้ำข้าว'), { target: { value: 'R1' } })
  for (const each of ['น้ำข้าว', 'แอนนา']) {
    const slip = new File([each], `${each}.png`, { type: 'image/png' })
    const region = dialog.getByRole('region', { name: `คืนให้ ${each}` })
    within(region).getByLabelText(`สลิปการโอนคืน ${each}`)
    fireEvent.change(region.querySelector('input[type=file]')!, { target: { files: [slip] } })
    await within(region).findByText(/uploaded successfully/)
  }
  fireEvent.click(dialog.getByRole('button', { name: 'โอนคืนแล้ว ฿298.74' }))
  await dialog.findByText(/แอนนา: บัญชีรับเงินเพิ่งเปลี่ยน/)
  await dialog.findByText('0812345678')
  dialog.getByText('บันทึกแล้ว')
  fireEvent.click(dialog.getByRole('button', { name: 'โอนคืนแล้ว ฿149.37' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    [refund.id, { receivingAccountId: 7, reference: 'R1', payeeVersion: 1, slipId: slips[0] }],
    [anna.id, { receivingAccountId: 7, reference: 'R1', payeeVersion: 1, slipId: slips[1] }],
  ])
})

test('one that somebody else has recorded, or that waits for a second person, keeps none of the others back', async () => {
  const of = (nth: number, name: string) => ({
    ...refund,
    id: `01a1f903-0005-7b09-91c6-00000000000${nth}`,
    orderNo: `KT2611-0000481${nth}`,
    person: { ...refund.person, name },
  })
  const [gone, asked, own, good] = [of(1, 'กัน'), of(2, 'ขิม'), of(3, 'คิม'), of(4, 'งาม')] as const
  let rows: OwedRefund[] = [gone, asked, own, good]
  const calls: string[] = []
  server.use(
    fakeAccounts(),
    fake(listOwedRefunds, () => ({ rows, total: rows.length, nowDate: NOW, owedSatang: 59_748 })),
    fake(sendOwedRefund, (_, url) => {
      const id = url.pathname.split('/').at(-2)!
      calls.push(id)
      rows = rows.filter(row => row.id !== gone.id && row.id !== good.id)
      if (id === gone.id) throw new AppError('CONFLICT')
      if (id === asked.id) throw new AppError('SECOND_WORD_NEEDED', { values: { sent: 'ส่งให้ผู้จัดการคนอื่นแล้ว' } })
      if (id === own.id) throw new AppError('OWN_ORDER')
      return { ...good, sent: { at: NOW, byName: 'มานี', receivingAccountId: 7, reference: 'R1', slipId: null } }
    }),
  )
  renderSite({ path: '/management/refund', me: manager })
  await screen.findByText('งาม')
  for (const { orderNo } of rows) fireEvent.click(screen.getByRole('checkbox', { name: `เลือก ${orderNo}` }))
  fireEvent.click(screen.getByRole('button', { name: 'โอนคืนแล้ว 4 รายการ…' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.mouseDown(dialog.getByLabelText('โอนออกจากบัญชี'))
  fireEvent.click(await screen.findByText('กสิกรไทย x5678'))
  fireEvent.change(dialog.getByLabelText('เลขอ้างอิงการโอน กัน'), { target: { value: 'R1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'โอนคืนแล้ว ฿597.48' }))
  await dialog.findByText(/กัน: มีคนบันทึกแล้วหรือไม่ต้องคืนแล้ว.* · คิม: /)
  const stateOf = (name: string) =>
    dialog.getByRole('region', { name: `คืนให้ ${name}` }).querySelector('.row .tag')?.textContent
  expect(['กัน', 'ขิม', 'คิม', 'งาม'].map(stateOf)).toEqual(['ไม่รอคืนแล้ว', 'รอคนที่สองยืนยัน', undefined, 'บันทึกแล้ว'])
  fireEvent.click(dialog.getByRole('button', { name: 'โอนคืนแล้ว ฿149.37' }))
  await waitFor(() => expect(calls).toEqual([gone.id, asked.id, own.id, good.id, own.id]))
})

test('staff write down the account that a customer told them', async () => {
  const saved: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listOwedRefunds, () => ({
      rows: [{ ...refund, payee: null, payeeEnd: null }],
      total: 1,
      nowDate: NOW,
      owedSatang: 1,
    })),
    fake(setRefundPayee, body => {
      saved.push(body)
      return refund
    }),
  )
  renderSite({ path: '/management/refund', me: manager })
  fireEvent.click(await screen.findByRole('button', { name: /กรอกแทนลูกค้า/ }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.mouseDown(dialog.getByLabelText('รับเงินทาง'))
  fireEvent.click(await screen.findByText('พร้อมเพย์'))
  fireEvent.change(dialog.getByLabelText('เลขที่บัญชีหรือหมายเลขพร้อมเพย์'), { target: { value: '081-234-5678' } })
  fireEvent.change(dialog.getByLabelText('ชื่อบัญชี'), { target: { value: 'แอนนา ดี' } })
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึกบัญชี' }))
  const body = { bankCode: null, accountNo: '081-234-5678', accountName: 'แอนนา ดี', payeeVersion: 1 }
  await waitFor(() => expect(saved).toEqual([body]))
})

const day: ReconciliationDay = {
  receivingAccountId: 7,
  day: DAY,
  inSatang: 100_000,
  lines: 5,
  matchedSatang: 70_000,
  waitingSatang: 0,
  waiting: [],
  openSatang: 30_000,
  open: 2,
  unrelatedSatang: 0,
  withoutLineSatang: 14_900,
  withoutLine: 1,
  overdue: 1,
  ledgerSatang: 84_900,
  differenceSatang: 14_900,
}

const agreeing: ReconciliationDay = {
  ...day,
  matchedSatang: 100_000,
  openSatang: 0,
  open: 0,
  withoutLineSatang: 0,
  withoutLine: 0,
  overdue: 0,
  ledgerSatang: 100_000,
  differenceSatang: 0,
}

test('differences lead to the lines of that day and account, and to what has no line; what is overdue is an alarm', async () => {
  const asked: URLSearchParams[] = []
  server.use(
    fakeAccounts(),
    fake(getGatewayAccounts, () => ({ accounts: [], check: null, nowDate: NOW })),
    fake(getReconciliation, () => ({
      days: [
        day,
        {
          ...day,
          day: '2026-11-19',
          overdue: 0,
          differenceSatang: 0,
          waitingSatang: 5_000,
          waiting: [{ id: refund.id, no: 'WT2611-00000001' }],
          unrelatedSatang: 1_300,
        },
        { ...day, day: '2026-11-18', overdue: 0, withoutLine: 0, withoutLineSatang: 0, differenceSatang: 500 },
        { ...agreeing, day: '2026-11-17' },
        { ...agreeing, day: '2026-11-17', receivingAccountId: 8 },
      ],
      nowDate: NOW,
    })),
    fake(listBookedWithoutLine, (_, url) => {
      asked.push(url.searchParams)
      const row = { kind: 'order' as const, id: refund.id, no: 'KT2611-00004815', receivingAccountId: 7 }
      return {
        rows: [{ ...row, amountSatang: 14_900, bookedAt: NOW, by: 'บริการตรวจสลิป', isOverdue: true }],
        total: 1,
        nowDate: NOW,
      }
    }),
  )
  renderSite({ path: `/management/reconciliation?from=2026-11-01&to=${DAY}`, me: manager })
  const alarm = await screen.findByRole('alert')
  expect(alarm.textContent).toContain('1 รายการรับเงินแล้วเกิน 2 วัน')
  const [open] = screen.getAllByRole('link', { name: 'ยังไม่มีคำสั่งซื้อ ฿300.00' })
  expect(open!.getAttribute('href')).toBe(`/management/bankstatement?account=7&from=${DAY}&to=${DAY}`)
  const differenceOf = (amount: string) => screen.getByRole('link', { name: `ผลต่าง ฿${amount}` }).getAttribute('href')
  expect(differenceOf('149.00')).toContain(`withoutLine=7_${DAY}`)
  expect(differenceOf('5.00')).toBe(
    '/management/bankstatement?account=7&from=2026-11-18&to=2026-11-18&noSaleOrder=false',
  )
  // The 19th has no difference, but money without an order: it does not agree yet.
  expect(screen.getByText('19/11/2026').closest('tr')!.lastChild!.textContent).toBe('ยังไม่ครบ')
  const sumOf = (name: string) => [...screen.getByText(name).closest('tr')!.children].map(cell => cell.textContent)
  expect(sumOf('รวมทุกบัญชี')[1]).toBe('5,000.0025 รายการ')
  expect(sumOf('รวม กสิกรไทย x5678')[1]).toBe('4,000.0020 รายการ')
  expect(screen.queryByText('17/11/2026')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '2 วันของ 2 บัญชีตรงกัน ดูทั้งหมด' }))
  expect(screen.getAllByText('17/11/2026')).toHaveLength(2)
  const overdue = screen.getAllByRole('link', { name: 'เกินกำหนด 1' }).map(link => link.getAttribute('href')!)
  expect(overdue.map(href => new URL(href, 'http://x').searchParams.get('withoutLine'))).toEqual([
    'overdue',
    'overdue',
    `7_${DAY}`,
  ])
  expect(screen.getByRole('link', { name: 'WT2611-00000001' }).getAttribute('href')).toBe(
    `/management/wallet?status=all&tx=${refund.id}`,
  )
  expect(screen.getByText('WT2611-00000001').closest('td')!.textContent).toContain('50.00')
  expect(screen.getAllByText('13.00')).toHaveLength(3)
  fireEvent.click(screen.getAllByRole('link', { name: 'ยังไม่พบรายการธนาคาร ฿149.00' })[0]!)
  const drawer = within(await screen.findByRole('dialog'))
  expect((await drawer.findByRole('link', { name: 'KT2611-00004815' })).getAttribute('href')).toBe(
    '/management/details/KT2611-00004815',
  )
  const ofDay = asked.find(each => each.get('day') !== null)!
  expect([ofDay.get('receivingAccountId'), ofDay.get('day'), ofDay.get('overdue')]).toEqual(['7', DAY, 'false'])
  fireEvent.click(within(alarm).getByRole('button', { name: 'ดูรายการที่เกินกำหนด' }))
  await waitFor(() => expect([asked.at(-1)!.get('overdue'), asked.at(-1)!.get('pageSize')]).toEqual(['true', '20']))
})

test('an account that did not pay is marked, can not be sent to, and a second person is asked before', async () => {
  const elsewhere: OwedRefund = {
    ...refund,
    payer: { bankCode: '004', account: 'x1234', name: 'นาย สมชาย ใจดี' },
    payeeFit: 'otherName',
    payeeReason: 'บัญชีเดิมปิดไปแล้ว',
    payeeOthers: 2,
  }
  const nameless: OwedRefund = {
    ...refund,
    id: refund.id.replace(/1$/, '2'),
    orderNo: 'KT2611-00004816',
    payee: null,
    payeeEnd: null,
    payeeFit: null,
  }
  const asked: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listOwedRefunds, () => ({ rows: [elsewhere, nameless], total: 2, nowDate: NOW, owedSatang: 29_874 })),
    fake(agreeRefundPayee, body => {
      asked.push(body)
      throw new AppError('SECOND_WORD_NEEDED', {
        values: { sent: 'ส่งให้ผู้จัดการคนอื่นแล้ว' },
        details: { secondWordId: '1' },
      })
    }),
  )
  renderSite({ path: '/management/refund', me: manager })
  await screen.findByText('ชื่อไม่ตรงกับผู้โอน')
  screen.getByText('โอนมาจาก กสิกรไทย x1234 นาย สมชาย ใจดี')
  screen.getByText('บัญชีนี้เคยใช้กับผู้ซื้ออื่น 2 ราย')
  for (const { orderNo } of [elsewhere, nameless])
    expect(screen.getByRole('checkbox', { name: `เลือก ${orderNo}` })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: `บันทึกว่า โอนคืนแล้ว ฿149.37 ${nameless.orderNo}` })).toHaveProperty(
    'disabled',
    true,
  )
  fireEvent.click(screen.getByRole('button', { name: `ขอยืนยัน บัญชีรับเงิน ฿149.37 ${elsewhere.orderNo}` }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('เหตุผลของลูกค้า: บัญชีเดิมปิดไปแล้ว')
  expect(dialog.queryByRole('checkbox')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'ขอยืนยัน' }))
  await screen.findByRole('dialog', { name: 'ส่งให้คนที่สองยืนยันแล้ว' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'คืนเงินไปบัญชีที่ไม่ใช่บัญชีที่โอนมา' })).toBeNull())
  expect(asked).toEqual([{ payeeVersion: 1, isSlipCompared: false }])
})
