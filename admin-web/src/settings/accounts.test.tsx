import {
  listManagedAccounts,
  type ManagedAccount,
  saveReceivingAccount,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { listManagedMethods, savePaymentMethods } from '@shop/shared/catalogue/method-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const admin = { ...staff, uid: 'u-admin', role: 'admin' as const }

const account: ManagedAccount = {
  id: 7,
  no: 1,
  code: '004',
  bankName: 'กสิกรไทย',
  accountNo: '0123456789',
  accountName: 'บจก. คราม',
  accountNameEn: null,
  branch: 'สีลม',
  promptPayId: '0812345678',
  isActive: true,
  version: 3,
  updatedAt: '2026-11-20T07:05:00.000Z',
  updatedByName: 'มานะ แอดมิน',
}
const methods = [
  { code: 'bank' as const, name: 'โอนเงินธนาคาร', kind: 'bank' as const, gateway: null },
  { code: 'wallet' as const, name: 'Wallet', kind: 'wallet' as const, gateway: null },
]

async function openSection(accounts = [account]) {
  server.use(
    fake(listManagedMethods, () => ({ gateway: null, methods })),
    fake(listManagedAccounts, () => accounts),
  )
  renderSite({ path: '/management/appconfig?section=payment', me: admin })
  return within(await screen.findByRole('region', { name: 'บัญชีรับโอน' }))
}

async function openForm(button: RegExp) {
  const section = await openSection()
  fireEvent.click(await section.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog'))
}

type Form = Awaited<ReturnType<typeof openForm>>

const ACCOUNT_NO = 'เลขที่บัญชี (The Bank account number)'
const ACCOUNT_NAME = 'ชื่อบัญชี (The Bank account name)'
const NAME_EN = 'ชื่อบัญชีภาษาอังกฤษ (ไม่บังคับ)'
const PROMPT_PAY = 'PromptPay (ไม่บังคับ)'

const type = (form: Form, label: string, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } })
const textOf = (form: Form, label: string) => form.getByLabelText<HTMLInputElement>(label).value
const save = (form: Form) => fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))

function answerSaves(answer: () => ManagedAccount) {
  const sent: unknown[] = []
  server.use(
    fake(saveReceivingAccount, body => {
      sent.push(body)
      return answer()
    }),
  )
  return sent
}

test('the table shows how each account is paid to and whether it is in use', async () => {
  const section = await openSection([
    account,
    { ...account, id: 8, accountNo: '999', promptPayId: null, isActive: false },
  ])
  const rows = (await section.findAllByText('บจก. คราม')).map(cell => cell.closest('tr')!.textContent)
  expect(rows).toEqual([
    '1โอนเงินธนาคารกสิกรไทย0123456789บจก. ครามสาขา สีลม0812345678ใช้งานแก้ไข',
    '2โอนเงินธนาคารกสิกรไทย999บจก. ครามสาขา สีลม–ไม่ใช้งานแก้ไข',
  ])
})

test('an empty form names what is missing', async () => {
  const form = await openForm(/เพิ่มบัญชีรับโอน/)
  save(form)
  await form.findByText('กรุณาเลือกธนาคาร')
  form.getByText('กรุณากรอกเลขที่บัญชี')
  form.getByText('กรุณากรอกชื่อบัญชี')
})

test('an account number that is none is refused at its field', async () => {
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, ACCOUNT_NO, '12-34')
  save(form)
  await form.findByText('เลขที่บัญชีต้องเป็นตัวเลข 6–20 หลัก')
})

test.each([
  ['081-234-5678', 'เบอร์โทรศัพท์', '0812345678'],
  ['0 1055 66000 11 1', 'เลขประจำตัวประชาชนหรือผู้เสียภาษี', '0105566000111'],
  ['004000001234567', 'รหัส e-Wallet', '004000001234567'],
])('PromptPay %s is recognised as %s and sent as its digits', async (typed, kind, digits) => {
  const sent = answerSaves(() => account)
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, PROMPT_PAY, typed)
  await form.findByText(kind)
  save(form)
  await screen.findByText('บันทึก บจก. คราม สำเร็จ')
  expect(sent).toMatchObject([{ promptPayId: digits }])
})

test.each(['812345678', '1812345678', '08123456789', '08123x5678'])('PromptPay %s is none', async typed => {
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, PROMPT_PAY, typed)
  save(form)
  await form.findByText('PromptPay ต้องเป็นเบอร์โทรศัพท์ 10 หลัก เลขประจำตัว 13 หลัก หรือ e-Wallet 15 หลัก')
})

test('an edit is sent with the version it was made from', async () => {
  const sent = answerSaves(() => account)
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  form.getByText('แก้ไขล่าสุดโดย มานะ แอดมิน · 20/11/2026 14:05:00')
  type(form, ACCOUNT_NO, '012-3-45678-9')
  type(form, PROMPT_PAY, '')
  save(form)
  await screen.findByText('บันทึก บจก. คราม สำเร็จ')
  expect(sent).toEqual([
    {
      id: 7,
      version: 3,
      code: '004',
      accountNo: '0123456789',
      accountName: 'บจก. คราม',
      branch: 'สีลม',
      accountNameEn: null,
      promptPayId: null,
      isActive: true,
    },
  ])
})

test('the name in Latin letters is sent as the bank prints it, and is not one in Thai', async () => {
  const sent = answerSaves(() => account)
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, NAME_EN, 'คราม')
  save(form)
  await form.findByText('กรุณากรอกชื่อเป็นตัวอักษรภาษาอังกฤษ')
  type(form, NAME_EN, 'KHRAM CO., LTD.')
  save(form)
  await screen.findByText('บันทึก บจก. คราม สำเร็จ')
  expect(sent).toMatchObject([{ accountNameEn: 'KHRAM CO., LTD.' }])
})

test('the last account in use can not be switched off, and the form stays as it is', async () => {
  answerSaves(refuse('LAST_RECEIVING_ACCOUNT'))
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  fireEvent.click(form.getByRole('switch'))
  save(form)
  await form.findByText('ต้องมีบัญชีรับโอนที่ใช้งานอย่างน้อยหนึ่งบัญชี')
  form.getByText('บันทึกข้อมูลไม่สำเร็จ')
  expect(form.getByRole('switch').getAttribute('aria-checked')).toBe('false')
})

async function openConflict() {
  const current = { ...account, version: 4, accountName: 'บจก. คราม เติมเกม', updatedByName: 'ชูใจ แอดมิน' }
  answerSaves(refuse('CONFLICT', { details: { current } }))
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, ACCOUNT_NAME, 'บจก. ครามใหม่')
  save(form)
  await form.findByText('ชูใจ แอดมิน แก้ไขไปก่อนแล้ว')
  expect(form.getAllByRole('cell').map(cell => cell.textContent)).toEqual(['บจก. คราม เติมเกม', 'บจก. ครามใหม่'])
  return form
}

test('after another admin, their account can be taken and edited on', async () => {
  const form = await openConflict()
  fireEvent.click(form.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  await waitFor(() => expect(textOf(form, ACCOUNT_NAME)).toBe('บจก. คราม เติมเกม'))
  const sent = answerSaves(() => account)
  type(form, 'สาขา (ไม่บังคับ)', 'สยาม')
  save(form)
  await screen.findByText('บันทึก บจก. คราม สำเร็จ')
  expect(sent).toMatchObject([{ version: 4, accountName: 'บจก. คราม เติมเกม', branch: 'สยาม' }])
})

test('after another admin, one’s own account can be saved over theirs', async () => {
  const form = await openConflict()
  const sent = answerSaves(() => account)
  fireEvent.click(form.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึก บจก. คราม สำเร็จ')
  expect(sent).toMatchObject([{ version: 4, accountName: 'บจก. ครามใหม่' }])
})

test('a changed form asks before it is closed, an untouched one closes', async () => {
  const form = await openForm(/^แก้ไข กสิกรไทย/)
  type(form, ACCOUNT_NAME, 'บจก. ครามใหม่')
  fireEvent.click(form.getByRole('button', { name: 'ยกเลิก' }))
  await screen.findByText('สิ่งที่แก้ไขในฟอร์มนี้จะหายไป')
  fireEvent.click(screen.getByRole('button', { name: 'แก้ไขต่อ' }))
  expect(textOf(form, ACCOUNT_NAME)).toBe('บจก. ครามใหม่')
  fireEvent.click(form.getByRole('button', { name: 'ยกเลิก' }))
  fireEvent.click((await screen.findAllByRole('button', { name: 'ปิดโดยไม่บันทึก' })).at(-1)!)
  await waitFor(() => expect(screen.queryByLabelText(ACCOUNT_NAME)).toBeNull())
})

function answerMethods() {
  const sent: unknown[] = []
  server.use(
    fake(savePaymentMethods, body => {
      sent.push(body)
      return []
    }),
  )
  return sent
}

test('a payment method gets another name, and every one its place', async () => {
  const sent = answerMethods()
  await openSection()
  fireEvent.click(await screen.findByRole('button', { name: 'แก้ไข Wallet' }))
  const form = within(await screen.findByRole('dialog'))
  type(form, 'ชื่อที่ลูกค้าเห็น', ' ')
  save(form)
  await form.findByText('กรุณากรอกชื่อ')
  type(form, 'ชื่อที่ลูกค้าเห็น', 'กระเป๋าเงิน')
  save(form)
  await screen.findByText('บันทึกข้อมูลสำเร็จ!')
  const seen = [
    { code: 'bank', name: 'โอนเงินธนาคาร' },
    { code: 'wallet', name: 'Wallet' },
  ]
  expect(sent).toEqual([{ methods: [seen[0], { code: 'wallet', name: 'กระเป๋าเงิน' }], seen }])
})

test('a payment method that another admin named first is shown with both names', async () => {
  const current = [
    { code: 'bank' as const, name: 'โอนเงินธนาคาร' },
    { code: 'wallet' as const, name: 'วอลเล็ต' },
  ]
  server.use(fake(savePaymentMethods, refuse('CONFLICT', { details: { current } })))
  await openSection()
  fireEvent.click(await screen.findByRole('button', { name: 'แก้ไข Wallet' }))
  const form = within(await screen.findByRole('dialog'))
  type(form, 'ชื่อที่ลูกค้าเห็น', 'กระเป๋าเงิน')
  save(form)
  await form.findByText('วอลเล็ต')
  form.getByText('กระเป๋าเงิน')
  const sent = answerMethods()
  fireEvent.click(form.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึกข้อมูลสำเร็จ!')
  expect(sent).toEqual([{ methods: [current[0], { code: 'wallet', name: 'กระเป๋าเงิน' }], seen: current }])
})

test('payment methods change places', async () => {
  const sent = answerMethods()
  await openSection()
  await screen.findByText('Wallet')
  fireEvent.click(screen.getByRole('button', { name: 'จัดเรียงวิธีชำระเงิน' }))
  fireEvent.click(await screen.findByRole('button', { name: 'เลื่อน Wallet ขึ้น' }))
  fireEvent.click(screen.getByRole('button', { name: 'บันทึก' }))
  await screen.findByText('บันทึกข้อมูลสำเร็จ!')
  expect(sent).toMatchObject([{ methods: [{ code: 'wallet' }, { code: 'bank' }] }])
})

test('accounts that could not be loaded are asked for again on request', async () => {
  server.use(
    fake(listManagedMethods, () => ({ gateway: null, methods })),
    fake(listManagedAccounts, refuse('INTERNAL')),
  )
  renderSite({ path: '/management/appconfig?section=payment', me: admin })
  const retry = await screen.findByRole('button', { name: 'ลองอีกครั้ง' })
  server.use(fake(listManagedAccounts, () => []))
  fireEvent.click(retry)
  await screen.findByText('ยังไม่มีบัญชีรับโอน ลูกค้าจะโอนเงินไม่ได้')
})
