import { listOptions, listTerms, type SetOption, saveOption } from '@shop/shared/settings/endpoints.ts'
import { OPTION, OPTION_NAMES } from '@shop/shared/settings/option.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { OPTION_GROUPS } from './option-groups.ts'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }
const nobody = { updatedBy: null, updatedByName: null, updatedAt: null }
const somebody = { updatedBy: 'u-2', updatedByName: 'ปิติ ผู้จัดการ', updatedAt: '2026-11-20T07:05:00.000Z' }

const sets = OPTION_NAMES.map(
  (optionName): SetOption => ({ optionName, optionValue: String(OPTION[optionName].standard), ...nobody }),
)

async function openRows(given = sets) {
  server.use(fake(listOptions, () => given))
  renderSite({ path: '/management/appconfig', me: manager })
  await screen.findByLabelText(OPTION.PAYMENT_TIME_LIMIT.label)
}

/** Answers every save with what `answer` makes of it, and keeps what was sent. */
function answerSaves(answer: (body: { optionName: SetOption['optionName']; optionValue: string }) => SetOption) {
  const sent: unknown[] = []
  server.use(
    fake(saveOption, body => {
      sent.push(body)
      return answer(body as never)
    }),
  )
  return sent
}

const saved = ({ optionName, optionValue }: { optionName: SetOption['optionName']; optionValue: string }) => ({
  optionName,
  optionValue,
  ...somebody,
})

const row = (name: SetOption['optionName']) => within(screen.getByRole('form', { name: `ตั้งค่า ${OPTION[name].label}` }))
const type = (name: SetOption['optionName'], value: string) =>
  fireEvent.change(row(name).getByLabelText(OPTION[name].label), { target: { value } })
const save = (name: SetOption['optionName']) =>
  fireEvent.click(row(name).getByRole('button', { name: `บันทึก ${OPTION[name].label}` }))

test('every option of the table has a row that says what it does and who changed it last', async () => {
  await openRows(sets.map(set => (set.optionName === 'COMPANY_NAME' ? { ...set, ...somebody } : set)))
  for (const name of OPTION_NAMES) {
    row(name).getByText(OPTION[name].hint)
    row(name).getByLabelText(OPTION[name].label)
  }
  row('COMPANY_NAME').getByText('แก้ไขล่าสุดโดย ปิติ ผู้จัดการ · 20/11/2026 14:05:00')
  expect(row('LINE_OA_ID').queryByText(/แก้ไข/)).toBeNull()
})

test('options stand in groups, what closes the shop first', async () => {
  await openRows()
  const groups = screen.getAllByRole('region').filter(group => within(group).queryAllByRole('form').length > 0)
  expect(groups.map(group => group.getAttribute('aria-label')).slice(-5)).toEqual(Object.values(OPTION_GROUPS))
  expect(screen.getAllByRole('form')[0]!.getAttribute('aria-label')).toBe('ตั้งค่า เวลาทำการ')
})

test('an option the server does not know has no row', async () => {
  await openRows(sets.filter(({ optionName }) => optionName !== 'CHECK_MIDASBUY'))
  expect(screen.queryByLabelText(OPTION.CHECK_MIDASBUY.label)).toBeNull()
})

test('a switch is saved with the value it had, and the row names who did it', async () => {
  const sent = answerSaves(saved)
  await openRows()
  fireEvent.click(row('CHECK_MIDASBUY').getByRole('switch'))
  save('CHECK_MIDASBUY')
  await screen.findByText(/^บันทึก .* แล้ว$/)
  expect(sent).toEqual([{ optionName: 'CHECK_MIDASBUY', optionValue: 'true', fromValue: 'false' }])
  row('CHECK_MIDASBUY').getByText(/ปิติ ผู้จัดการ/)
  expect(row('CHECK_MIDASBUY').queryByRole('button')).toBeNull()
})

test('typing back what was there leaves nothing to save, and giving up brings it back', async () => {
  await openRows()
  type('PAYMENT_TIME_LIMIT', '20')
  type('PAYMENT_TIME_LIMIT', '15')
  expect(row('PAYMENT_TIME_LIMIT').queryByRole('button')).toBeNull()
  type('PAYMENT_TIME_LIMIT', '30')
  fireEvent.click(row('PAYMENT_TIME_LIMIT').getByRole('button', { name: /^ยกเลิก/ }))
  expect(row('PAYMENT_TIME_LIMIT').getByLabelText<HTMLInputElement>(OPTION.PAYMENT_TIME_LIMIT.label).value).toBe('15')
})

test('what an option can not take is said at its field before anything is sent', async () => {
  const sent = answerSaves(saved)
  await openRows()
  type('PAYMENT_TIME_LIMIT', '0')
  save('PAYMENT_TIME_LIMIT')
  await row('PAYMENT_TIME_LIMIT').findByText('บันทึกข้อมูลไม่สำเร็จ! ค่าที่ใช้ได้: จำนวนเต็ม 1 ถึง 1,440')
  const field = row('PAYMENT_TIME_LIMIT').getByLabelText<HTMLInputElement>(OPTION.PAYMENT_TIME_LIMIT.label)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.value).toBe('0')
  expect(sent).toEqual([])
})

test('OPTION_INVALID of the server is said at the field, and what was typed stays', async () => {
  answerSaves(refuse('OPTION_INVALID', { fields: { optionValue: 'เวลาเปิด-ปิด เช่น 09:00-23:00' } }))
  await openRows()
  type('OPENING_HOURS', '09:00-22:00')
  save('OPENING_HOURS')
  await row('OPENING_HOURS').findByText('บันทึกข้อมูลไม่สำเร็จ! ค่าที่ใช้ได้: เวลาเปิด-ปิด เช่น 09:00-23:00')
  expect(row('OPENING_HOURS').getByLabelText<HTMLInputElement>(OPTION.OPENING_HOURS.label).value).toBe('09:00-22:00')
})

test('a server in trouble is said, nothing is lost, and the same save works later', async () => {
  answerSaves(refuse('INTERNAL'))
  await openRows()
  type('COMPANY_NAME', 'บริษัท คราม จำกัด')
  save('COMPANY_NAME')
  // Staff have transferred nothing that they could be told not to transfer again.
  await row('COMPANY_NAME').findByText('บันทึกข้อมูลไม่สำเร็จ! ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง')
  const sent = answerSaves(saved)
  save('COMPANY_NAME')
  await screen.findByText(/^บันทึก .* แล้ว$/)
  expect(sent).toHaveLength(1)
})

const changed: SetOption = { optionName: 'PAYMENT_TIME_LIMIT', optionValue: '45', ...somebody }

async function openConflict() {
  answerSaves(refuse('CONFLICT', { details: { current: changed } }))
  await openRows()
  type('PAYMENT_TIME_LIMIT', '30')
  save('PAYMENT_TIME_LIMIT')
  const conflict = within(await screen.findByText('ปิติ ผู้จัดการ แก้ไขไปก่อนแล้ว').then(text => text.closest('div')!))
  expect(conflict.getAllByRole('cell').map(cell => cell.textContent)).toEqual(['45', '30'])
  return conflict
}

test('after somebody else, their value can be taken', async () => {
  const conflict = await openConflict()
  fireEvent.click(conflict.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  const field = row('PAYMENT_TIME_LIMIT').getByLabelText<HTMLInputElement>(OPTION.PAYMENT_TIME_LIMIT.label)
  expect(field.value).toBe('45')
  expect(row('PAYMENT_TIME_LIMIT').queryByRole('button')).toBeNull()
})

test('after somebody else, one’s own value can be saved over theirs', async () => {
  const conflict = await openConflict()
  const sent = answerSaves(saved)
  fireEvent.click(conflict.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText(/^บันทึก .* แล้ว$/)
  expect(sent).toEqual([{ optionName: 'PAYMENT_TIME_LIMIT', optionValue: '30', fromValue: '45' }])
})

test('another section opens only after the question about what is unsaved', async () => {
  server.use(fake(listTerms, () => []))
  await openRows()
  type('PAYMENT_TIME_LIMIT', '30')
  fireEvent.click(screen.getByRole('link', { name: 'ข้อกำหนดการใช้บริการ' }))
  await screen.findByText(`ยังไม่บันทึก: ${OPTION.PAYMENT_TIME_LIMIT.label}`)
  fireEvent.click(screen.getByRole('button', { name: 'อยู่ต่อ' }))
  expect(row('PAYMENT_TIME_LIMIT').getByLabelText<HTMLInputElement>(OPTION.PAYMENT_TIME_LIMIT.label).value).toBe('30')
  fireEvent.click(screen.getByRole('link', { name: 'ข้อกำหนดการใช้บริการ' }))
  fireEvent.click(await screen.findByRole('button', { name: 'ออกโดยไม่บันทึก' }))
  await screen.findByText('ยังไม่มีข้อกำหนด')
})

test('options that could not be loaded are asked for again on request', async () => {
  server.use(fake(listOptions, refuse('INTERNAL')))
  renderSite({ path: '/management/appconfig', me: manager })
  const retry = await screen.findByRole('button', { name: 'ลองอีกครั้ง' })
  server.use(fake(listOptions, () => sets))
  fireEvent.click(retry)
  await waitFor(() => expect(screen.getAllByRole('form')).toHaveLength(OPTION_NAMES.length))
})
