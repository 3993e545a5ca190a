import { savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import { getSupplier, type ListedProduct, listSupplierProducts } from '@shop/shared/supplier/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager, servePackages, uc60 } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'
// The code of the page is loaded before a test waits for it.
import './packages-screen.tsx'
import { deliveryOf, deliveryProblems, draftOf, fieldOfSource, sourcesToAdd, withSource } from './delivery-draft.ts'

const seagm = { supplier: 'seagm', sku: '1001', costSatang: null } as const
const stock = { supplier: 'stock', sku: '', costSatang: null } as const
const draft = draftOf(uc60)
const problems = (change: Partial<typeof draft>) => Object.values(deliveryProblems({ ...draft, ...change }))

test('a draft becomes what it was', () => {
  const sold = {
    ...uc60,
    costSatang: 3150,
    delivers: 'code' as const,
    sources: [stock, { ...seagm, costSatang: 3000 }],
  }
  const { costSatang, delivers, sources, isAutomatic, warning, redeemHelp, lowStock } = sold
  expect(deliveryOf(draftOf(sold))).toEqual({
    costSatang,
    delivers,
    sources,
    isAutomatic,
    warning,
    redeemHelp,
    lowStock,
  })
  expect(deliveryProblems(draftOf(sold))).toEqual({})
})

test('what is wrong is told at its field', () => {
  const row = { id: 0, supplier: 'seagm' as const, sku: '', cost: '' }
  expect(deliveryProblems({ ...draft, sources: [row] })).toEqual({
    [fieldOfSource(0, 'sku')]: 'กรุณาเลือกสินค้าของ SEAGM',
  })
  const twice = [0, 1].map(id => ({ ...row, id, sku: '1001' }))
  expect(deliveryProblems({ ...draft, sources: twice })).toEqual({
    [fieldOfSource(1, 'sku')]: 'สินค้านี้อยู่ในรายการแล้ว',
  })
  expect(problems({ sources: [{ ...row, sku: '1', cost: '3,1' }] })).toEqual([expect.stringContaining('หมายถึงเท่าไร')])
  expect(problems({ sources: [{ id: 0, ...stock, cost: '' }] })).toEqual(['สต็อกของร้านใช้กับแพ็กเกจที่ส่งเป็นรหัสเท่านั้น'])
  expect(problems({ isAutomatic: true })).toEqual(['เติมอัตโนมัติได้เมื่อมีแหล่งสินค้าและใส่ต้นทุนแล้ว'])
  expect(problems({ lowStock: 'x' })).toEqual(['กรุณาใส่จำนวนชิ้นเป็นตัวเลข ไม่เกิน 99999'])
})

test('the shop’s own stock is added once and for codes only, and no more than five sources', () => {
  expect(sourcesToAdd(draft, ['seagm'])).toEqual(['seagm'])
  const codes = { ...draft, delivers: 'code' as const }
  expect(sourcesToAdd(codes, ['seagm'])).toEqual(['stock', 'seagm'])
  expect(sourcesToAdd(withSource(codes, 'stock'), ['seagm'])).toEqual(['seagm'])
  const full = Array.from({ length: 5 }).reduce<typeof draft>(one => withSource(one, 'seagm'), codes)
  expect(sourcesToAdd(full, ['seagm'])).toEqual([])
  expect(new Set(full.sources.map(({ id }) => id)).size).toBe(5)
})

const product: ListedProduct = {
  sku: '1001',
  name: 'PUBG · 60 UC',
  delivers: 'top_up',
  price: '0.95',
  currency: 'USD',
  region: 'ไทย',
  costSatang: 3150,
  fields: ['user_id'],
  isInStock: false,
}
const STATE = { name: 'seagm', isOn: true, stopped: null, brokenUntil: null, isBalanceLow: false }

async function open(sold = uc60, sent: unknown[] = []) {
  servePackages([sold])
  renderSite({ path: '/management/package/1', me: manager })
  server.use(
    fake(getSupplier, () => ({ suppliers: [STATE], waitingOrders: 0, unclearOrderNos: [] })),
    fake(listSupplierProducts, () => [
      product,
      { ...product, sku: '2002', name: 'รหัส PUBG', delivers: 'code' as const },
    ]),
    fake(savePrices, body => {
      sent.push(body)
      return sold
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^ราคาขายของ ${sold.name} โอนเงินธนาคาร`) }))
  return within(await screen.findByRole('dialog'))
}
type Dialog = Awaited<ReturnType<typeof open>>
const save = (dialog: Dialog) => fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))

test('a source is added, its product chosen by its name and price, and its price taken as the cost', async () => {
  const sent: unknown[] = []
  const dialog = await open(uc60, sent)
  fireEvent.click(await dialog.findByLabelText('เพิ่มแหล่งสินค้า SEAGM'))
  save(dialog)
  await dialog.findByText('กรุณาเลือกสินค้าของ SEAGM')
  const select = dialog.getByLabelText('สินค้าของ แหล่งที่ 1 SEAGM')
  await waitFor(() => expect(document.activeElement).toBe(select))
  fireEvent.mouseDown(select)
  fireEvent.click(await screen.findByText('PUBG · 60 UC (1001) · ไทย · 0.95 USD · 31.50 บาท · หมด'))
  expect(screen.queryByText(/^รหัส PUBG/)).toBeNull()
  expect(dialog.queryByText('กรุณาเลือกสินค้าของ SEAGM')).toBeNull()
  fireEvent.click(await dialog.findByText('ใช้ 31.50 บาทเป็นต้นทุน'))
  fireEvent.change(dialog.getByLabelText('ซื้อไม่เกิน แหล่งที่ 1 SEAGM'), { target: { value: '30' } })
  fireEvent.click(dialog.getByLabelText('เติมอัตโนมัติ'))
  fireEvent.change(dialog.getByLabelText('คำเตือนก่อนจ่าย'), { target: { value: 'ใช้ได้เฉพาะบัญชีไทย' } })
  save(dialog)
  await screen.findByText(/^บันทึกราคา /)
  expect(sent).toMatchObject([
    {
      costSatang: 3150,
      delivers: 'top_up',
      sources: [{ ...seagm, costSatang: 3000 }],
      isAutomatic: true,
      warning: 'ใช้ได้เฉพาะบัญชีไทย',
    },
  ])
})

test('codes have help and a limit of stock; sources are moved by buttons and taken out', async () => {
  const sent: unknown[] = []
  const dialog = await open(
    { ...uc60, costSatang: 3000, delivers: 'code', sources: [stock, { ...seagm, sku: '2002' }] },
    sent,
  )
  fireEvent.change(dialog.getByLabelText('วิธีใช้รหัส'), { target: { value: '1. เปิดเกม\n2. ใส่\tรหัส ' } })
  fireEvent.change(dialog.getByLabelText('เตือนสต็อกใกล้หมด'), { target: { value: '10' } })
  fireEvent.click(await dialog.findByLabelText('เลื่อน แหล่งที่ 2 SEAGM ขึ้น'))
  save(dialog)
  await screen.findByText(/^บันทึกราคา /)
  expect(sent).toMatchObject([
    { sources: [{ ...seagm, sku: '2002' }, stock], redeemHelp: '1. เปิดเกม\n2. ใส่ รหัส', lowStock: 10 },
  ])
})

test('a product that is no longer sold and a supplier that is gone are said to be so', async () => {
  const gone = { supplier: 'gone' as 'seagm', sku: '9', costSatang: null }
  const dialog = await open({ ...uc60, costSatang: 3000, sources: [{ ...seagm, sku: '404' }, gone], isAutomatic: true })
  await dialog.findByText('404 (ไม่มีในรายการแล้ว)')
  await dialog.findByText('ยังไม่ได้เชื่อมต่อ จึงข้ามรายนี้')
  fireEvent.click(dialog.getByLabelText('นำ แหล่งที่ 2 gone ออก'))
  expect(dialog.getByLabelText('เติมอัตโนมัติ').getAttribute('aria-checked')).toBe('true')
  fireEvent.click(dialog.getByLabelText('นำ แหล่งที่ 1 SEAGM ออก'))
  expect(dialog.getByLabelText('เติมอัตโนมัติ').getAttribute('aria-checked')).toBe('false')
})

test('what was typed survives a save that the server refuses, with its reason at the switch', async () => {
  const dialog = await open({ ...uc60, costSatang: 3000, sources: [seagm] })
  fireEvent.change(dialog.getByLabelText('คำเตือนก่อนจ่าย'), { target: { value: 'ใช้ได้เฉพาะบัญชีไทย' } })
  server.use(fake(savePrices, refuse('AUTOMATIC_INCOMPLETE')))
  fireEvent.click(dialog.getByLabelText('เติมอัตโนมัติ'))
  save(dialog)
  await dialog.findByText('เติมอัตโนมัติได้เมื่อมีแหล่งสินค้าและใส่ต้นทุนแล้ว')
  expect(dialog.getByLabelText<HTMLInputElement>('คำเตือนก่อนจ่าย').value).toBe('ใช้ได้เฉพาะบัญชีไทย')
})
