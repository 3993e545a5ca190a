import { type AuditEntry, listAudit } from '@shop/shared/audit/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
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
  await within(list).findAllByRole('listitem')
  return list
}

const told = (list: HTMLElement) =>
  within(list)
    .getAllByRole('row')
    .slice(1)
    .map(row => [...row.querySelectorAll('.changes li')].map(item => item.textContent))

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

test('a row without anything to compare says so; what is changed is chosen by its name', async () => {
  const list = await openLog(
    { action: 'tier.save', subject: 'tier:1', subjectName: 'Gold', after: { name: 'Gold' } },
    { action: 'account.resetTotp', subject: 'account:u3', subjectName: 'ชูใจ', before: {}, after: {} },
  )
  expect(within(list).getByText('ไม่มีค่าเดิมให้เทียบ').closest('tr')?.textContent).toContain('ชูใจ')
  const box = screen.getByRole('combobox', { name: 'สิ่งที่แก้' })
  fireEvent.mouseDown(box)
  fireEvent.change(box, { target: { value: 'รายการเติม' } })
  fireEvent.click(await screen.findByTitle('รายการเติมเงิน'))
  await screen.findByRole('button', { name: 'ล้างตัวกรอง' })
  expect(asked.at(-1)?.searchParams.get('subject')).toBe('topUp:')
})
