import { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager, servePackages, uc60, uc325 } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'
import { type BulkPriceValues, priceActionOf, sizeProblem } from './bulk-price.ts'

async function openPackages() {
  servePackages([uc60, uc325])
  renderSite({ path: '/management/package/1', me: manager })
  await screen.findByText('325 UC')
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))

const row = (id: number, name: string, problem: string | null = null) => ({
  id,
  name,
  before: '33 บาท',
  after: '38 บาท',
  problem,
})

const PLANNED = 'มีราคาล่วงหน้า 39 บาท ตั้งแต่ 15/01/2027 อยู่แล้ว จะถูกแทนที่'

const bulkReply = (rows: ReturnType<typeof row>[]) => {
  const problems = rows.filter(({ problem }) => problem).length
  const planned = rows.filter(({ problem }) => problem === PLANNED).length
  return {
    total: rows.length,
    changed: rows.length - problems,
    problems,
    planned,
    mark: `mark of ${rows.length}`,
    rows,
  }
}

test('prices of many are changed after a preview; one with a problem keeps all from being saved until it is left out', async () => {
  const sent: { isWithoutProblems: boolean }[] = []
  server.use(
    fake(changePackages, body => {
      const asked = body as (typeof sent)[number]
      sent.push(asked)
      if (asked.isWithoutProblems) return bulkReply([row(11, '60 UC')])
      return bulkReply([row(12, '325 UC', 'ไม่มีราคาสำหรับ โอนเงินธนาคาร'), row(11, '60 UC')])
    }),
  )
  await openPackages()
  fireEvent.click(screen.getByRole('checkbox', { name: 'เลือกทั้งหน้า' }))
  await screen.findByText('เลือก 2 แพ็กเกจ')
  click('เปลี่ยนราคา')
  const form = await dialog()
  fireEvent.click(form.getByRole('button', { name: 'ดูตัวอย่าง' }))
  await form.findByText('กรุณากรอกจำนวน')
  fireEvent.change(form.getByLabelText('จำนวน'), { target: { value: '5' } })
  fireEvent.click(form.getByRole('button', { name: 'ดูตัวอย่าง' }))
  await form.findByText('ไม่มีราคาสำหรับ โอนเงินธนาคาร')
  const confirm = () => form.getByRole<HTMLButtonElement>('button', { name: /^ยืนยันเปลี่ยน/ })
  expect(confirm().disabled).toBe(true)
  fireEvent.click(form.getByRole('button', { name: 'ตัดที่มีปัญหาออก' }))
  await waitFor(() => expect(confirm().disabled).toBe(false))
  fireEvent.click(confirm())
  await screen.findByText('เปลี่ยน 1 แพ็กเกจสำเร็จ')
  const action = { kind: 'price', payment: 'bank', change: { by: 'amount', satang: 500 } }
  expect(sent).toEqual([
    { packages: { ids: [11, 12] }, isWithoutProblems: false, action },
    { packages: { ids: [11, 12] }, isWithoutProblems: true, action },
    { packages: { ids: [11, 12] }, isWithoutProblems: true, action, mark: 'mark of 1' },
  ])
  expect(screen.queryByText('เลือก 2 แพ็กเกจ')).toBeNull()
})

test('a planned price is replaced only after a button that says so', async () => {
  const sent: { action: { replacesPlanned?: boolean } }[] = []
  server.use(
    fake(changePackages, body => {
      const asked = body as (typeof sent)[number]
      sent.push(asked)
      return bulkReply([row(11, '60 UC', asked.action.replacesPlanned ? null : PLANNED)])
    }),
  )
  await openPackages()
  fireEvent.click(screen.getByRole('checkbox', { name: 'เลือก 60 UC' }))
  click('เปลี่ยนราคา')
  const form = await dialog()
  fireEvent.change(form.getByLabelText('จำนวน'), { target: { value: '5' } })
  fireEvent.click(form.getByRole('button', { name: 'ดูตัวอย่าง' }))
  await form.findByText(/^1 แพ็กเกจมีราคาล่วงหน้าอยู่แล้ว/)
  fireEvent.click(form.getByRole('button', { name: 'แทนที่ราคาล่วงหน้าเดิม' }))
  await form.findByRole('button', { name: 'ยืนยันเปลี่ยน 1 แพ็กเกจ' })
  expect(sent.map(({ action }) => action.replacesPlanned)).toEqual([undefined, true])
})

test('switching off shows what changes before it is confirmed', async () => {
  const sent: unknown[] = []
  server.use(
    fake(changePackages, body => {
      sent.push(body)
      return bulkReply([{ ...row(11, '60 UC'), before: 'ใช้งาน', after: 'ไม่ใช้งาน' }])
    }),
  )
  await openPackages()
  fireEvent.click(screen.getByRole('checkbox', { name: 'เลือก 60 UC' }))
  click('ปิดใช้งาน')
  fireEvent.click(await screen.findByRole('button', { name: 'ยืนยันเปลี่ยน 1 แพ็กเกจ' }))
  await screen.findByText('เปลี่ยน 1 แพ็กเกจสำเร็จ')
  const packages = { ids: [11] }
  expect(sent[1]).toEqual({ packages, isWithoutProblems: false, action: { kind: 'deactivate' }, mark: 'mark of 1' })
})

test('all that the filter shows are changed at once; what changed since the preview is shown before it is confirmed again', async () => {
  const sent: { mark?: string }[] = []
  server.use(
    fake(changePackages, body => {
      const { mark } = body as { mark?: string }
      sent.push(body as never)
      if (mark === 'mark of 1') throw new AppError('CONFLICT')
      return bulkReply(sent.length === 1 ? [row(11, '60 UC')] : [row(11, '60 UC'), row(14, '99 UC')])
    }),
  )
  servePackages([uc60, uc325], [], 4_321)
  renderSite({ path: '/management/package/1?name=UC', me: manager })
  fireEvent.click(await screen.findByRole('checkbox', { name: 'เลือก 60 UC' }))
  click('เลือกทั้งหมด 4,321 แพ็กเกจที่ตรงกับตัวกรอง')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'เลือก 325 UC' }).checked).toBe(true)
  click('ปิดใช้งาน')
  const form = await dialog()
  expect(form.getByText('ปิดใช้งาน ทั้งหมด 4,321 แพ็กเกจที่ตรงกับตัวกรอง')).toBeTruthy()
  fireEvent.click(await form.findByRole('button', { name: 'ยืนยันเปลี่ยน 1 แพ็กเกจ' }))
  await form.findByText(/^มีผู้แก้ไขแพ็กเกจระหว่างที่ดูตัวอย่าง/)
  fireEvent.click(await form.findByRole('button', { name: 'ยืนยันเปลี่ยน 2 แพ็กเกจ' }))
  await screen.findByText('เปลี่ยน 2 แพ็กเกจสำเร็จ')
  expect(sent.map(({ mark }) => mark)).toEqual([undefined, 'mark of 1', undefined, 'mark of 2'])
  expect(sent[3]).toMatchObject({ packages: { gameId: 1, name: 'UC' } })
  expect(screen.queryByText(/^เลือก ?ทั้งหมด/)).toBeNull()
})

const bulk: BulkPriceValues = { payment: 'wallet', how: 'more', unit: 'baht', size: '5', when: 'now' }

test.each([
  [{}, null, { by: 'amount', satang: 500 }],
  [{ how: 'less' as const }, null, { by: 'amount', satang: -500 }],
  [{ unit: 'percent' as const, size: '7.25' }, null, { by: 'percent', percent: 7.25 }],
  [{ how: 'less' as const, unit: 'percent' as const, size: '99' }, null, { by: 'percent', percent: -99 }],
  [{ how: 'less' as const, unit: 'percent' as const, size: '99.5' }, 'กรุณากรอกไม่เกิน 99%', null],
  [{ unit: 'percent' as const, size: '1001' }, 'กรุณากรอกไม่เกิน 1000%', null],
  [{ how: 'set' as const, size: '139' }, null, { by: 'set', satang: 13900 }],
  [{ how: 'set' as const, size: '139.5' }, 'กรุณากรอกราคาเป็นจำนวนเต็ม', null],
  [{ how: 'set' as const, size: '' }, 'กรุณากรอกราคาใหม่', null],
  [{ size: '0' }, 'กรุณากรอกจำนวน', null],
])('a change of prices by %j', (some, problem, change) => {
  const values = { ...bulk, ...some }
  expect(sizeProblem(values)).toBe(problem)
  if (change) expect(priceActionOf(values)).toEqual({ kind: 'price', payment: 'wallet', change })
})

test('a change for later names its day, one for now none, whatever day was chosen before', () => {
  expect(priceActionOf({ ...bulk, when: 'later', fromDay: '2026-12-01' })).toMatchObject({ fromDay: '2026-12-01' })
  expect(priceActionOf({ ...bulk, when: 'now', fromDay: '2026-12-01' })).not.toHaveProperty('fromDay')
})
