import { AUDIT_ACTION, type AuditAction } from '@shop/shared/audit/action.ts'
import { listChanges } from '@shop/shared/audit/changes.ts'
import { type AuditEntry, listAudit, undoChange } from '@shop/shared/audit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
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
  action: 'price.save',
  subject: 'price:11',
  subjectName: '60 UC',
  changeId: '01a1f903-bbbb-7b09-91c6-3c32c32ef1e7',
  changeSize: 1,
  before: { bank: { priceSatang: 3500, isActive: true } },
  after: { bank: { priceSatang: 3600, isActive: true } },
}

const admin = { ...staff, role: 'admin' as const }
const openLog = (rows: AuditEntry[]) => {
  server.use(fake(listAudit, () => ({ rows, total: rows.length, names: {}, nowDate: entry.at })))
  renderSite({ path: '/management/audit', me: admin })
}
/** Presses undo and gives the question that is asked first. */
const askFor = async (name: string) => {
  fireEvent.click((await screen.findAllByRole('button', { name }))[0]!)
  return within((await screen.findAllByRole('dialog')).at(-1)!)
}

test('taking a change back names it and what will be there again; a refusal says what was changed and by whom', async () => {
  const sent: unknown[] = []
  server.use(
    fake(undoChange, body => {
      sent.push(body)
      const what = 'ราคา 60 UC (บันทึกราคา โดย สมชาย 20/11/2026, 15:00)'
      if (sent.length === 1) throw new AppError('UNDO_CHANGED_SINCE', { values: { what } })
      return { undone: 1 }
    }),
  )
  openLog([entry])
  const undo = async () => {
    const question = await askFor('ย้อนกลับ บันทึกราคา 60 UC')
    expect(question.getAllByText('ย้อนกลับ บันทึกราคา 60 UC?')).not.toEqual([])
    expect(question.getByText('โอนเงินธนาคาร · ราคา:').closest('li')?.textContent).toBe(
      'โอนเงินธนาคาร · ราคา: 36 บาท → 35 บาท',
    )
    fireEvent.click(question.getByRole('button', { name: 'ย้อนกลับ' }))
  }
  await undo()
  const refusal = await screen.findByText(/ยังไม่มีอะไรถูกย้อน .*ราคา 60 UC \(บันทึกราคา โดย สมชาย/)
  fireEvent.click(within(refusal.closest<HTMLElement>('[role=dialog]')!).getByRole('button', { name: 'ตกลง' }))
  await undo()
  await screen.findByText('ย้อนกลับ บันทึกราคา 60 UC สำเร็จ')
  expect(sent).toEqual([{ auditId: entry.id }, { auditId: entry.id }])
})

test('a change of many is taken back as a whole: the question shows what each will be, and what was added is switched off', async () => {
  const part = (id: string, change: Partial<AuditEntry>) => ({
    ...entry,
    id: `01a1f903-${id}-7b09-91c6-3c32c32ef1e7`,
    action: 'package.import',
    changeSize: 1_200,
    ...change,
  })
  const parts = [
    part('0001', { subject: 'package:90', subjectName: 'ใหม่', before: null, after: { name: 'ใหม่', isActive: true } }),
    part('0002', { subject: 'price:11' }),
  ]
  const sent: unknown[] = []
  const asked: (string | null)[] = []
  server.use(
    fake(undoChange, body => {
      sent.push(body)
      return { undone: 1_200 }
    }),
  )
  openLog(parts)
  server.use(
    fake(listAudit, (_, url) => {
      asked.push(url.searchParams.get('change'))
      return { rows: parts, total: 1_200, names: {}, nowDate: entry.at }
    }),
  )
  const what = 'ย้อนกลับ นำเข้าแพ็กเกจ ทั้งชุด 1,200 รายการ'
  const question = await askFor(what.replace('ย้อนกลับ', 'ย้อนทั้งชุด'))
  await question.findByText('ราคา 60 UC')
  question.getByText('แพ็กเกจที่เพิ่มไว้จะถูกปิดใช้งาน ไม่ถูกลบ')
  question.getByText('แสดง 2 จาก 1,200 รายการ')
  expect(question.getByText('โอนเงินธนาคาร · ราคา:').closest('li')?.textContent).toContain('36 บาท → 35 บาท')
  fireEvent.click(question.getByRole('button', { name: 'ย้อนกลับ' }))
  await screen.findByText(`${what} สำเร็จ`)
  expect(sent).toEqual([{ auditId: parts[0]!.id }])
  expect(asked).toContain(entry.changeId)
})

test.each([
  [
    'gameOrder:all',
    '',
    'game.reorder',
    { 'RoV (2)': 2 },
    { 'RoV (2)': 1 },
    'แถวที่ย้ายจะกลับไปอยู่ลำดับเดิม แถวอื่นเรียงเหมือนเดิม',
  ],
  [
    'terms:inForce',
    '',
    'terms.publish',
    { version: '1', body: 'เดิม' },
    { version: '2', body: 'ใหม่' },
    /ฉบับก่อนจะถูกเผยแพร่เป็นฉบับใหม่/,
  ],
  [
    'gameTag:region',
    'ภูมิภาค',
    'gameTag.save',
    { tags: [{ code: 'th', name: 'ไทย' }] },
    { tags: [{ code: 'eu', name: 'ยุโรป' }] },
    'ไทย (th)',
  ],
])('what taking back a change of %s does is said in words', async (subject, name, action, before, after, words) => {
  openLog([{ ...entry, subject, action, subjectName: null, before, after }])
  const label = AUDIT_ACTION[action as AuditAction]
  const question = await askFor(`ย้อนกลับ ${label}${name && ` ${name}`}`)
  question.getByText(words)
  expect(question.queryByText('ฉบับที่:')).toBeNull()
})

test('what is no change of the catalogue has no button', async () => {
  openLog([{ ...entry, subject: 'account:u1', subjectName: 'สมศรี', action: 'account.setRole' }])
  await screen.findByRole('link', { name: 'สมศรี' })
  expect(screen.queryByRole('button', { name: /^ย้อนกลับ/ })).toBeNull()
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
