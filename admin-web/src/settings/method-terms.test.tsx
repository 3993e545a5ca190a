import { listManagedAccounts } from '@shop/shared/catalogue/manage-endpoints.ts'
import { listManagedMethods, type ManagedMethod, saveMethodTerms } from '@shop/shared/catalogue/method-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const admin = { ...staff, uid: 'u-admin', role: 'admin' as const }

const terms = {
  isOn: false,
  leastSatang: null,
  mostSatang: 500_00,
  surchargeBasisPoints: 165,
  surchargeSatang: 0,
  openingHours: '',
}
const takes = { leastSatang: 20_00, mostSatang: 150_000_00 }
const methods = (change: Partial<typeof takes> | null = {}): ManagedMethod[] => [
  { code: 'bank', name: 'โอนเงินธนาคาร', kind: 'bank', gateway: null },
  {
    code: 'promptpay',
    name: 'พร้อมเพย์ QR',
    kind: 'gateway',
    gateway: { terms, takes: change && { ...takes, ...change } },
  },
]

async function openSection(gateway: 'opn' | null = 'opn') {
  server.use(
    fake(listManagedMethods, () => ({ gateway, methods: methods(gateway ? {} : null) })),
    fake(listManagedAccounts, () => []),
  )
  renderSite({ path: '/management/appconfig?section=payment', me: admin })
  return within(await screen.findByRole('region', { name: 'ชำระผ่านผู้ให้บริการ' }))
}

async function openForm(gateway: 'opn' | null = 'opn') {
  const section = await openSection(gateway)
  fireEvent.click(section.getByRole('button', { name: 'แก้ไข เงื่อนไขของ พร้อมเพย์ QR' }))
  return within(await screen.findByRole('dialog'))
}
type Form = Awaited<ReturnType<typeof openForm>>

const FIXED = 'ค่าบริการคงที่ (บาท)'
const type = (form: Form, label: string, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } })
const save = (form: Form) => fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))

function answerSaves() {
  const sent: unknown[] = []
  server.use(
    fake(saveMethodTerms, body => {
      sent.push(body)
      return terms
    }),
  )
  return sent
}

test('each method shows what it takes, costs and when', async () => {
  const section = await openSection()
  section.getByText(/Opn Payments รับเงินแทนร้าน/)
  const row = section.getByText('พร้อมเพย์ QR').closest('tr')!
  expect(row.textContent).toBe('พร้อมเพย์ QR20–5001.65%ตลอดเวลาไม่ใช้งานแก้ไข')
})

test('terms are typed in baht and per cent, and the example says what the buyer pays', async () => {
  const sent = answerSaves()
  const form = await openForm()
  form.getByText(/ราคา 100 บาท ลูกค้าจ่าย 101.65 บาท/)
  fireEvent.click(form.getByRole('switch'))
  type(form, FIXED, '3')
  await form.findByText(/ลูกค้าจ่าย 104.65 บาท/)
  type(form, 'ยอดสั่งซื้อต่ำสุด (บาท)', '50')
  type(form, 'เวลาที่ใช้ได้', '09:00-23:00')
  save(form)
  await screen.findByText('บันทึกเงื่อนไขของ พร้อมเพย์ QR สำเร็จ')
  const change = { isOn: true, leastSatang: 50_00, surchargeSatang: 3_00, openingHours: '09:00-23:00' }
  expect(sent).toEqual([{ code: 'promptpay', terms: { ...terms, ...change }, seen: terms }])
})

test('what can not be is said at its field, and nothing is sent', async () => {
  const sent = answerSaves()
  const form = await openForm()
  type(form, FIXED, '101')
  type(form, 'ค่าบริการจากลูกค้า (%)', '10.01')
  type(form, 'เวลาที่ใช้ได้', '9-23')
  save(form)
  await form.findByText('ไม่เกิน 100 บาท')
  form.getByText(/ไม่เกิน 10%/)
  form.getByText('เวลาเปิด-ปิด เช่น 09:00-23:00')
  expect(sent).toEqual([])
})

test('without a gateway it is said what is missing, and the refusal stays in the form', async () => {
  const form = await openForm(null)
  screen.getByText(/ร้านยังไม่ได้ตั้งค่าผู้ให้บริการรับชำระเงิน จึงเปิดวิธีเหล่านี้ไม่ได้/)
  form.getByText(/จึงยังเปิดไม่ได้/)
  server.use(fake(saveMethodTerms, refuse('GATEWAY_METHOD_OFF')))
  fireEvent.click(form.getByRole('switch'))
  save(form)
  await form.findByText(/^เปิดวิธีนี้ไม่ได้/)
})

test('after another admin both versions are shown, and one’s own can be saved over theirs', async () => {
  const current = { ...terms, surchargeSatang: 5_00 }
  server.use(fake(saveMethodTerms, refuse('CONFLICT', { details: { current } })))
  const form = await openForm()
  type(form, FIXED, '3')
  save(form)
  const theirs = await form.findByRole('alert')
  expect(
    within(theirs)
      .getAllByRole('cell')
      .map(cell => cell.textContent),
  ).toEqual(['5', '3'])
  const sent = answerSaves()
  fireEvent.click(form.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึกเงื่อนไขของ พร้อมเพย์ QR สำเร็จ')
  expect(sent).toEqual([{ code: 'promptpay', terms: { ...terms, surchargeSatang: 3_00 }, seen: current }])
})

test('a method that the gateway does not have is not in use, and the page says why customers do not see it', async () => {
  const on = methods(null).map(method =>
    method.gateway ? { ...method, gateway: { ...method.gateway, terms: { ...terms, isOn: true } } } : method,
  )
  server.use(
    fake(listManagedMethods, () => ({ gateway: 'stripe' as const, methods: on })),
    fake(listManagedAccounts, () => []),
  )
  renderSite({ path: '/management/appconfig?section=payment', me: admin })
  const section = within(await screen.findByRole('region', { name: 'ชำระผ่านผู้ให้บริการ' }))
  const row = (await section.findByText('พร้อมเพย์ QR')).closest('tr')!
  expect(row.textContent).toContain('Stripe ไม่รับวิธีนี้ ลูกค้าจึงไม่เห็น')
  expect(row.textContent).toContain('ไม่ใช้งาน')
})
