import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { AppError } from '@shop/shared/errors.ts'
import { CHANGE, fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager, servePackages, uc60, uc325 } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'
import { editsToSave, problemsOf, rowsOf } from './price-rows.ts'

const now = new Date('2026-11-20T07:00:00Z')
const [bank, wallet] = uc60.masterPackage as [PriceEdit, PriceEdit]

const whole = 'กรุณาใส่ข้อมูลราคา Wallet เป็นจำนวนเต็ม'
const wrong = 'กรุณาใส่ข้อมูลราคา Wallet ให้ถูกต้อง'
const incomplete = 'กรุณาใส่ข้อมูล Wallet ให้ครบ'

test.each([
  ['33', {}, undefined],
  ['', {}, wrong],
  ['-5', {}, wrong],
  ['abc', {}, wrong],
  ['139.5', {}, whole],
  ['139.50', {}, whole],
  ['139.00', {}, undefined],
  ['0', {}, incomplete],
  ['0', { isActive: false }, undefined],
  ['33', { startDay: null }, incomplete],
  ['33', { startDay: null, isActive: false }, 'วันเริ่มจำหน่าย, หมดอายุ Wallet ต้องไม่ว่าง'],
  ['33', { startDay: '2026-12-02', endDay: '2026-12-01' }, 'วันเริ่มจำหน่าย Wallet มากกว่า วันหมดอายุ'],
  ['33', { startDay: '2026-12-01', endDay: '2026-12-01' }, undefined],
  ['33', { nextPrice: '40' }, 'กรุณาใส่ราคาล่วงหน้าและวันเริ่มของ Wallet ให้ครบ'],
  ['33', { nextDay: '2026-12-01' }, 'กรุณาใส่ราคาล่วงหน้าและวันเริ่มของ Wallet ให้ครบ'],
  ['33', { nextPrice: '40.5', nextDay: '2026-12-01' }, whole],
  ['33', { nextPrice: 'abc', nextDay: '2026-12-01' }, wrong],
  ['33', { nextPrice: '40', nextDay: '2026-12-01' }, undefined],
  ['๓๓', {}, undefined],
  ['12,50', {}, '“12,50” หมายถึงเท่าไร กรุณาพิมพ์ 12.50 หรือ 1250'],
  ['33', { nextPrice: '3,9', nextDay: '2026-12-01' }, '“3,9” หมายถึงเท่าไร กรุณาพิมพ์ 3.9 หรือ 39'],
])('a price of "%s" with %j', (price, some, problem) => {
  const row = { ...rowsOf([wallet], now)[1]!, price, ...some }
  expect(problemsOf([row], [wallet], now).wallet).toBe(problem)
})

test('a payment method without a price begins free, off, from today without an end; it is not sent untouched', () => {
  const rows = rowsOf([bank], now)
  expect(rows[1]).toEqual({
    payment: 'wallet',
    price: '0',
    nextPrice: '',
    nextDay: null,
    isActive: false,
    startDay: '2026-11-20',
    endDay: null,
  })
  expect(editsToSave(rows, [bank], now)).toEqual([bank])
  const touched = rows.map(row => ({ ...row, price: '33' }))
  expect(editsToSave(touched, [bank], now).map(({ payment }) => payment)).toEqual(['bank', 'wallet'])
})

async function openPrices(sold = uc60) {
  servePackages([sold])
  renderSite({ path: '/management/package/1', me: manager })
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^ราคาขายของ ${sold.name} โอนเงินธนาคาร`) }))
  return within(await screen.findByRole('dialog'))
}

type Dialog = Awaited<ReturnType<typeof openPrices>>
const priceInput = (dialog: Dialog, method: string) => dialog.getByLabelText<HTMLInputElement>(`ราคา ${method}`)
const type = (dialog: Dialog, method: string, value: string) =>
  fireEvent.change(priceInput(dialog, method), { target: { value } })
const save = (dialog: Dialog) => fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))

test('a wrong price is explained in its row, the dialog stays, and nothing is sent', async () => {
  const dialog = await openPrices()
  expect(dialog.getByText(/ราคามีผลตั้งแต่ 00:00 น. ของวันเริ่ม ถึงสิ้นวันหมดอายุ/)).toBeTruthy()
  type(dialog, 'Wallet', '139.5')
  type(dialog, 'โอนเงินธนาคาร', '')
  save(dialog)
  const row = within(dialog.getByRole('rowgroup', { name: 'Wallet' }))
  expect(row.getByText(whole)).toBeTruthy()
  expect(dialog.getByText('กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร ให้ถูกต้อง')).toBeTruthy()
  expect(priceInput(dialog, 'Wallet').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(priceInput(dialog, 'โอนเงินธนาคาร'))
  type(dialog, 'Wallet', '139')
  expect(row.queryByText(whole)).toBeNull()
})

test('the field that is wrong is the one that is marked, also where it was folded away', async () => {
  const dialog = await openPrices({
    ...uc60,
    masterPackage: [
      { ...bank, startDay: null },
      { ...wallet, nextPriceSatang: 4000 },
    ],
  })
  fireEvent.click(dialog.getByRole('button', { name: 'ราคาล่วงหน้า Wallet' }))
  save(dialog)
  const isMarked = (label: string) => dialog.getByLabelText(label).getAttribute('aria-invalid') === 'true'
  expect(isMarked('ราคา โอนเงินธนาคาร')).toBe(false)
  expect(isMarked('วันเริ่มจำหน่าย โอนเงินธนาคาร')).toBe(true)
  expect(isMarked('ราคาล่วงหน้า Wallet (บาท)')).toBe(false)
  expect(isMarked('วันเริ่มราคาล่วงหน้า Wallet')).toBe(true)
  const saidAt = dialog.getByLabelText('วันเริ่มจำหน่าย โอนเงินธนาคาร').getAttribute('aria-describedby')
  expect(document.getElementById(saidAt!)!.textContent).toBe('กรุณาใส่ข้อมูล โอนเงินธนาคาร ให้ครบ')
})

test('prices are saved together; a start in the past that nobody touched stays', async () => {
  const sent: unknown[] = []
  server.use(
    fake(savePrices, body => {
      sent.push(body)
      return uc60
    }),
  )
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  save(dialog)
  await screen.findByText(/^บันทึกราคา /)
  const words = { warning: '', redeemHelp: '', lowStock: 0 }
  const delivery = { costSatang: null, delivers: 'top_up', sources: [], isAutomatic: false, ...words }
  expect(sent).toEqual([{ packageId: 11, version: 3, prices: [bank, { ...wallet, priceSatang: 3400 }], ...delivery }])
})

test('the margin of each price is shown, and one below cost is saved only after a question', async () => {
  const sent: unknown[] = []
  server.use(
    fake(savePrices, body => {
      sent.push(body)
      return uc60
    }),
  )
  const dialog = await openPrices({ ...uc60, costSatang: 3150 })
  const margin = (method: string) =>
    within(dialog.getByRole('rowgroup', { name: method })).getByText(/%/).parentElement!
  expect([margin('โอนเงินธนาคาร').textContent, margin('Wallet').textContent]).toEqual(['3.50 (10%)', '1.50 (4.5%)'])
  type(dialog, 'Wallet', '30')
  expect(margin('Wallet').textContent).toBe('−1.50 (−5%) ขาดทุน')
  expect(margin('Wallet').className).toContain('is-loss')
  save(dialog)
  await screen.findByText(/ราคา Wallet ต่ำกว่าต้นทุน/)
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกทั้งที่ขาดทุน' }))
  await screen.findByText(/^บันทึกราคา /)
  expect(sent).toMatchObject([{ costSatang: 3150 }])
})

test('a failed save says so and keeps what was typed', async () => {
  server.use(fake(savePrices, refuse('INTERNAL')))
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  save(dialog)
  await dialog.findByText('บันทึกช่องทางชำระเงินไม่สำเร็จ กรุณาลองอีกครั้ง')
  expect(priceInput(dialog, 'Wallet').value).toBe('34')
})

test('a price below the discount of a tier names the tiers', async () => {
  server.use(fake(savePrices, refuse('PRICE_BELOW_DISCOUNT', { values: { tiers: 'Gold, Silver' } })))
  const dialog = await openPrices()
  type(dialog, 'Wallet', '3')
  save(dialog)
  await dialog.findByText('ราคานี้ต่ำกว่าส่วนลดของ Gold, Silver กรุณาแก้ส่วนลดก่อน')
})

test('what the server finds wrong stands in its row too', async () => {
  server.use(fake(savePrices, refuse('PRICE_INVALID', { fields: { wallet: whole } })))
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  save(dialog)
  expect(await within(dialog.getByRole('rowgroup', { name: 'Wallet' })).findByText(whole)).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(priceInput(dialog, 'Wallet')))
})

test('a package that is not sold yet opens with standard rows', async () => {
  const dialog = await openPrices(uc325)
  expect(priceInput(dialog, 'Wallet').value).toBe('0')
  expect(dialog.getByLabelText<HTMLInputElement>('วันหมดอายุ Wallet').value).toBe('')
  expect(dialog.getByRole('switch', { name: 'เปิดขาย Wallet' }).getAttribute('aria-checked')).toBe('false')
})

test('the days of a price that began in the past open at today', async () => {
  const dialog = await openPrices()
  fireEvent.mouseDown(dialog.getByLabelText('วันเริ่มจำหน่าย Wallet'))
  fireEvent.click(dialog.getByLabelText('วันเริ่มจำหน่าย Wallet'))
  expect(await screen.findAllByTitle('2026-11-20')).toHaveLength(1)
  expect(screen.queryByTitle('2026-08-24')).toBeNull()
})

test('days that are over can not be chosen to start, nor an end before the start', async () => {
  const dialog = await openPrices({
    ...uc60,
    masterPackage: [{ ...wallet, startDay: '2026-11-25', endDay: '2026-11-28' }],
  })
  const isOff = async (label: string, day: string) => {
    fireEvent.mouseDown(dialog.getByLabelText(label))
    fireEvent.click(dialog.getByLabelText(label))
    const cells = await screen.findAllByTitle(day)
    return cells.at(-1)!.className.includes('disabled')
  }
  expect(await isOff('วันเริ่มจำหน่าย Wallet', '2026-11-19')).toBe(true)
  expect(await isOff('วันเริ่มจำหน่าย Wallet', '2026-11-20')).toBe(false)
  expect(await isOff('วันหมดอายุ Wallet', '2026-11-24')).toBe(true)
  expect(await isOff('วันหมดอายุ Wallet', '2026-11-25')).toBe(false)
})

test('two people at the same prices: the second sees both, and overwrites only by a button', async () => {
  const current = { ...uc60, version: 4, masterPackage: [bank, { ...wallet, priceSatang: 3000 }] }
  const sent: { version: number }[] = []
  server.use(
    fake(savePrices, body => {
      sent.push(body as { version: number })
      if (sent.length === 1) throw new AppError('CONFLICT', { details: { current } })
      return current
    }),
  )
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  save(dialog)
  const row = await screen.findByRole('row', { name: /^Wallet 30 บาท .* 34 บาท/ })
  expect(screen.queryByRole('row', { name: /^โอนเงินธนาคาร 35 บาท .* 35 บาท/ })).toBeNull()
  expect(row).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText(/^บันทึกราคา /)
  expect(sent.map(({ version }) => version)).toEqual([3, 4])
})

test('prices just saved are taken back from where it is said', async () => {
  const sent: unknown[] = []
  server.use(
    fake(savePrices, () => ({ ...uc60, version: 4 })),
    fake(undoChange, body => {
      sent.push(body)
      return { undone: 1 }
    }),
  )
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  save(dialog)
  fireEvent.click(await screen.findByRole('button', { name: 'เลิกทำ' }))
  await screen.findByText('เลิกทำสำเร็จ กลับเป็นค่าเดิมแล้ว')
  expect(sent).toEqual([{ changeId: CHANGE }])
})

test('closing with changes asks; without it just closes', async () => {
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  fireEvent.click(dialog.getByRole('button', { name: 'ยกเลิก' }))
  fireEvent.click(await screen.findByRole('button', { name: 'ปิดโดยไม่บันทึก' }))
  await waitFor(() => expect(screen.queryByLabelText('ราคา Wallet')).toBeNull())
})

test('the first price of a payment method puts it on sale; an amended one leaves the switch alone', async () => {
  const isOn = (dialog: Dialog, method: string) =>
    dialog.getByRole('switch', { name: `เปิดขาย ${method}` }).getAttribute('aria-checked') === 'true'
  const dialog = await openPrices({ ...uc60, masterPackage: [{ ...bank, isActive: false }] })
  type(dialog, 'Wallet', '33')
  expect(isOn(dialog, 'Wallet')).toBe(true)
  type(dialog, 'Wallet', '')
  expect(isOn(dialog, 'Wallet')).toBe(false)
  type(dialog, 'โอนเงินธนาคาร', '36')
  expect(isOn(dialog, 'โอนเงินธนาคาร')).toBe(false)
})

test('a price planned for after the end of the sale is refused in its row', async () => {
  const planned = { nextPriceSatang: 3900, nextDay: '2027-01-15' }
  const dialog = await openPrices({ ...uc60, masterPackage: [bank, { ...wallet, endDay: '2026-12-31', ...planned }] })
  type(dialog, 'Wallet', '34')
  save(dialog)
  expect(dialog.getByText(/เริ่ม 15\/01\/2027 แต่หมดช่วงขาย 31\/12\/2026/)).toBeTruthy()
  expect(dialog.getByLabelText('วันเริ่มราคาล่วงหน้า Wallet').getAttribute('aria-invalid')).toBe('true')
})

test('prices go over a change that left prices alone, without a question', async () => {
  const current = { ...uc60, version: 4, name: 'UC 60', isActive: false }
  const sent: { version: number }[] = []
  server.use(
    fake(savePrices, body => {
      sent.push(body as { version: number })
      if (sent.length === 1) throw new AppError('CONFLICT', { details: { current } })
      return { ...current, masterPackage: [bank, { ...wallet, priceSatang: 3400 }] }
    }),
  )
  const dialog = await openPrices()
  type(dialog, 'Wallet', '34')
  fireEvent.keyDown(priceInput(dialog, 'Wallet'), { key: 'Enter', keyCode: 13 })
  await screen.findByText('บันทึกราคา UC 60 แล้ว Wallet 33 → 34 บาท')
  expect(sent.map(({ version }) => version)).toEqual([3, 4])
})
