import { type AuditEntry, listAudit } from '@shop/shared/audit/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const entry: AuditEntry = {
  id: '01a1f903-aaaa-7b09-91c6-3c32c32ef1e7',
  at: '2026-11-20T07:00:00.000Z',
  actorUid: 'u1',
  actorName: 'วิภา',
  actorRole: 'manager',
  action: 'topUp.approve',
  subject: 'topUp:01a1f903-bbbb-7b09-91c6-3c32c32ef1e7',
  subjectName: 'TU2611-00000007',
  changeId: null,
  changeSize: 1,
  before: null,
  after: null,
}

const names = { 'wallet:w1': 'ร้านปิติเกม', 'account:u2': 'ธนา', 'tier:1': 'Gold', 'tier:2': 'Silver' }
const asked: URL[] = []
async function openLog(...rows: Partial<AuditEntry>[]): Promise<HTMLElement> {
  const entries = rows.map((row, index) => ({ ...entry, ...row, id: entry.id.replace('aaaa', `aaa${index}`) }))
  server.use(
    fake(listAudit, (_, url) => {
      asked.push(url)
      return { rows: entries, total: rows.length, names, nowDate: entry.at }
    }),
  )
  renderSite({ path: '/management/audit', me: { ...staff, role: 'admin' } })
  const list = await screen.findByRole('region', { name: 'บันทึกการแก้ไข' })
  await within(list).findAllByRole('button', { name: /^รายละเอียด/ })
  return list
}

/** Opens the details of all rows and gives their changes. */
const told = (list: HTMLElement) => {
  for (const button of within(list).getAllByRole('button', { name: /^รายละเอียด/ })) fireEvent.click(button)
  return [...list.querySelectorAll('.entry-details')].map(details =>
    [...details.querySelectorAll('.changes li')].map(item => item.textContent),
  )
}
const sentences = (list: HTMLElement) =>
  [...list.querySelectorAll('.ant-table-row')].map(row => row.querySelectorAll('td')[2]!.textContent)

test('writes of wallets, tiers, discounts and people are told in words, people and tiers by name', async () => {
  const list = await openLog(
    {
      before: { status: 'waiting_approve', walletId: 'w1', firstApprovedBy: null, amountSatang: 50_000 },
      after: { status: 'approve', walletId: 'w1', firstApprovedBy: 'u2', amountSatang: 50_000 },
    },
    {
      action: 'discount.save',
      subject: 'discount:11',
      subjectName: '60 UC',
      before: { 'tier:1': { discountSatang: 1000, isActive: true } },
      after: { 'tier:1': { discountSatang: 1500, isActive: true } },
    },
    {
      action: 'agent.mapTier',
      subject: 'account:u3',
      subjectName: 'ชูใจ',
      before: { role: 'customer', status: 'pending', tierId: 2, phone: '+66812345678', bankCode: '004' },
      after: { role: 'agent', status: 'active', tierId: 1, phone: null, bankCode: '014' },
    },
  )
  expect(told(list).map(changes => changes.filter(text => text))).toEqual([
    ['สถานะ: รออนุมัติ → อนุมัติ', 'ผู้อนุมัติคนแรก: – → ธนา'],
    ['Gold · ส่วนลด: 10 บาท → 15 บาท'],
    [
      'บทบาท: ลูกค้า → ตัวแทน',
      'สถานะ: รอยืนยัน → ใช้งาน',
      'Tier: Silver → Gold',
      'โทรศัพท์: 0812345678 → –',
      'ธนาคาร: กสิกรไทย → ไทยพาณิชย์',
    ],
  ])
  expect(list.textContent).not.toMatch(/u2|w1|[0-9a-f]{8}-/)
})

test('each entry is a sentence that names what it is about, with the way to it', async () => {
  const line = 'statementLine:01a1f903-cccc-7b09-91c6-3c32c32ef1e7'
  const list = await openLog(
    {
      action: 'statement.decide',
      subject: line,
      subjectName: '460',
      before: { state: 'open', amountSatang: 30_000, target: null },
      after: { state: 'matched', amountSatang: 30_000, target: 'KT2611-23102235', step: 'match', differenceSatang: -7 },
    },
    {
      action: 'topUp.approve',
      before: { status: 'waiting_approve', walletId: 'w1', amountSatang: 300_000 },
      after: { status: 'approve', walletId: 'w1', amountSatang: 300_000 },
    },
    {
      action: 'price.save',
      subject: 'price:11',
      subjectName: '60 UC',
      before: { bank: { priceSatang: 3500 } },
      after: { bank: { priceSatang: 3600 } },
    },
    {
      action: 'order.changeStatus',
      subject: 'order:KT2611-23102235',
      subjectName: null,
      before: { status: 'processing', reason: null },
      after: { status: 'failed', reason: 'Player ID ไม่ถูกต้อง' },
    },
    { action: 'game.save', subject: 'game:3', subjectName: 'RoV', before: null, after: { name: 'RoV' } },
  )
  expect(sentences(list)).toEqual([
    'วิภา จับคู่ ฿300.00 กับ KT2611-23102235 (ขาด ฿0.07)',
    'วิภา อนุมัติเติมเงิน TU2611-00000007 ฿3,000.00 ของ ร้านปิติเกม',
    'วิภา บันทึกราคา 60 UC: โอนเงินธนาคาร · ราคา 35 บาท → 36 บาท',
    'วิภา บันทึกว่าเติม KT2611-23102235 ไม่สำเร็จ · Player ID ไม่ถูกต้อง',
    'วิภา บันทึกเกม RoV',
  ])
  const links = within(list).getAllByRole<HTMLAnchorElement>('link')
  expect(links.map(link => link.getAttribute('href'))).toEqual([
    '/management/bankstatement?line=01a1f903-cccc-7b09-91c6-3c32c32ef1e7',
    '/management/details/KT2611-23102235',
    '/management/wallet?status=all&transactionNo=TU2611-00000007',
    '/management/game',
    '/management/details/KT2611-23102235',
    '/management/package/3',
  ])
})

test('the days are chosen by a press, and nothing found says so', async () => {
  server.use(
    fake(listAudit, (_, url) => {
      asked.push(url)
      return { rows: [], total: 0, names: {}, nowDate: entry.at }
    }),
  )
  renderSite({ path: '/management/audit', me: { ...staff, role: 'admin' } })
  await screen.findByText('ไม่มีการแก้ไขในตัวกรองนี้')
  fireEvent.click(screen.getByRole('radio', { name: '7 วัน' }))
  await waitFor(() => expect(asked.at(-1)?.searchParams.has('from')).toBe(true))
  const days = ['from', 'to'].map(name => Date.parse(asked.at(-1)!.searchParams.get(name)!))
  expect((days[1]! - days[0]!) / 86_400_000).toBe(6)
})

test('a row without anything to compare says so; what is changed is chosen by its name', async () => {
  const list = await openLog(
    { action: 'tier.save', subject: 'tier:1', subjectName: 'Gold', after: { name: 'Gold' } },
    { action: 'account.resetTotp', subject: 'account:u3', subjectName: 'ชูใจ', before: {}, after: {} },
  )
  fireEvent.click(within(list).getByRole('button', { name: 'รายละเอียด ล้างแอปยืนยันตัวตน ชูใจ' }))
  await within(list).findByText('ไม่มีค่าเดิมให้เทียบ')
  const box = screen.getByRole('combobox', { name: 'สิ่งที่แก้' })
  fireEvent.mouseDown(box)
  fireEvent.change(box, { target: { value: 'รายการเติม' } })
  fireEvent.click(await screen.findByTitle('รายการเติมเงิน'))
  await screen.findByRole('button', { name: 'ล้างตัวกรอง' })
  expect(asked.at(-1)?.searchParams.get('subject')).toBe('topUp:')
})
