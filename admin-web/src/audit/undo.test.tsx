import { type AuditEntry, listAudit, undoChange } from '@shop/shared/audit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { listChanges } from './changes.ts'
import { canUndo } from './undoable.ts'

const entry: AuditEntry = {
  ...{ id: '01a1f903-aaaa-7b09-91c6-3c32c32ef1e7', at: '2026-11-20T07:00:00.000Z' },
  ...{ actorUid: 'u1', actorName: 'วิภา', actorRole: 'manager', action: 'price.save', subject: 'price:11' },
  before: { bank: { priceSatang: 3500, isActive: true } },
  after: { bank: { priceSatang: 3600, isActive: true } },
}

test.each([
  ['price:11', 'price.save', true],
  ['game:1', 'game.save', true],
  ['option:PAYMENT_TIME_LIMIT', 'option.save', true],
  ['game:order', 'game.reorder', false],
  ['package:order-of-game-1', 'package.reorder', false],
  ['package:11', 'discount.save', false],
  ['account:u1', 'account.setRole', false],
])('%s by %s can be taken back: %s', (subject, action, can) => {
  expect(canUndo({ subject, action })).toBe(can)
})

test('taking a change back names it and what will be there again; one that was changed since is refused', async () => {
  const sent: unknown[] = []
  server.use(
    fake(listAudit, () => ({ rows: [entry], total: 1, nowDate: entry.at })),
    fake(undoChange, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('UNDO_NOT_POSSIBLE')
      return { subject: entry.subject }
    }),
  )
  renderSite({ path: '/management/audit', me: { ...staff, role: 'admin' } })
  const undo = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'ย้อนกลับ บันทึกราคา price:11' }))
    const question = within((await screen.findAllByRole('dialog')).at(-1)!)
    expect(question.getAllByText('ย้อนกลับ บันทึกราคา price:11?')).not.toEqual([])
    expect(question.getByText('โอนเงินธนาคาร · ราคา:').closest('li')?.textContent).toBe(
      'โอนเงินธนาคาร · ราคา: 36 บาท → 35 บาท',
    )
    fireEvent.click(question.getByRole('button', { name: 'ย้อนกลับ' }))
  }
  await undo()
  await screen.findByText('ย้อนกลับไม่ได้ รายการนี้ถูกแก้ไขอีกครั้งแล้ว')
  await undo()
  await screen.findByText('ย้อนกลับ บันทึกราคา price:11 สำเร็จ')
  expect(sent).toEqual([{ auditId: entry.id }, { auditId: entry.id }])
})

test('a very long text is shown by its beginning, and what only differs after it is still a change', () => {
  const long = 'ก'.repeat(600)
  const [body, ...others] = listChanges({ body: `${long}1`, name: null }, { body: `${long}2`, name: '' })
  expect(others).toEqual([])
  expect(body).toEqual({ field: 'body', label: 'ข้อความ', before: `${'ก'.repeat(300)}…`, after: `${'ก'.repeat(300)}…` })
})

test('a change is told in the words of the screens; a name that is not ours stands as it is', () => {
  const before = { wallet: { isActive: false, nextPriceSatang: null }, 'RoV (2)': 2, constructor: 1 }
  const after = { wallet: { isActive: true, nextPriceSatang: 1_234_50 }, 'RoV (2)': 1, constructor: 2 }
  expect(listChanges(before, after).map(({ field: _, ...told }) => told)).toEqual([
    { label: 'Wallet · ใช้งาน', before: 'ไม่', after: 'ใช่' },
    { label: 'Wallet · ราคาล่วงหน้า', before: null, after: '1,234.50 บาท' },
    { label: 'RoV (2)', before: '2', after: '1' },
    { label: 'constructor', before: '1', after: '2' },
  ])
})
