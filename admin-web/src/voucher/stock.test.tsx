import { AppError } from '@shop/shared/errors.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { getSlip, uploadSlip } from '@shop/shared/upload/endpoints.ts'
import * as contract from '@shop/shared/voucher/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOW, ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'
import { manager } from '../testing/statement.ts'

const id = (n: number) => `01a1f903-0009-7b09-91c6-00000000000${n}`

const stock: contract.Stock = {
  packageId: 12,
  packageName: '300 บาท',
  gameName: 'Steam Wallet',
  isActive: true,
  isOut: false,
  lowStock: 5,
  free: 3,
  expired: 1,
  reserved: 2,
  sold: 40,
  withdrawn: 0,
  expiring: 2,
  soonestExpiry: '2026-12-01',
  valueSatang: 87_300,
}
const code: contract.VoucherView = {
  id: id(1),
  lastFour: 'X7Q2',
  state: 'free',
  isExpired: false,
  expiresOn: null,
  region: '',
  orderNo: null,
  batchId: id(2),
  batchName: 'ล็อต 12',
  costSatang: 29_100,
  createdAt: NOW,
  soldAt: null,
  revealedAt: null,
  revealedOn: null,
  reveals: 0,
  takesEvidence: false,
  withdrawn: null,
}
const page = <Row,>(rows: Row[]) => ({ rows, total: rows.length, nowDate: NOW })

test('the stock tells what is low, what expires and what it is worth; staff without costs see no worth', async () => {
  server.use(fake(contract.listStock, () => page([stock])))
  renderSite({ path: '/management/codes', me: manager })
  const row = (await screen.findByText('300 บาท')).closest('tr')!
  expect(within(row).getByText('ใกล้หมด')).toBeTruthy()
  expect(within(row).getByText('หมดอายุ 1')).toBeTruthy()
  expect(within(row).getByText('873.00')).toBeTruthy()
  expect(within(row).getByRole('link', { name: '300 บาท' }).getAttribute('href')).toBe('/management/codes/12')
})

test('who may only look sees neither worth nor the way to import', async () => {
  server.use(fake(contract.listStock, () => page([{ ...stock, valueSatang: null }])))
  renderSite({ path: '/management/codes', me: staff })
  await screen.findByText('300 บาท')
  expect(screen.queryByText(/มูลค่าตามทุน/)).toBeNull()
  expect(screen.queryByRole('button', { name: /นำเข้ารหัส/ })).toBeNull()
})

test('the filters stand in the address, an empty list says why, and one that could not be loaded is tried again', async () => {
  const asked: (string | null)[] = []
  let fails = true
  server.use(
    fake(contract.listStock, (_, url) => {
      asked.push(url.searchParams.get('needs'))
      if (fails) throw new AppError('INTERNAL')
      return page([])
    }),
  )
  renderSite({ path: '/management/codes?needs=low', me: manager })
  const retry = await screen.findByRole('button', { name: /ลอง/ })
  fails = false
  fireEvent.click(retry)
  await screen.findByText('ไม่มีแพ็กเกจตามตัวกรองนี้')
  expect(asked).toContain('low')
})

test('a file is looked at before it is imported, with its name and what a code cost', async () => {
  const sent: unknown[] = []
  server.use(
    fake(contract.listStock, () => page([stock])),
    fake(contract.previewCodes, () => ({
      draftId: id(3),
      good: 2,
      first: [{ line: 2, lastFour: 'AB12', hasPin: true, hasSerial: false, expiresOn: '2027-12-31' }],
      last: [],
      repeated: { count: 1, rows: [{ line: 4, firstLine: 2 }] },
      known: { count: 0, rows: [] },
      bad: { count: 1, rows: [{ line: 5, reason: 'หมดอายุแล้ว' }] },
    })),
    fake(contract.importCodes, body => {
      sent.push(body)
      return { batchId: id(4), packageId: 12, imported: 2, known: 0 }
    }),
  )
  renderSite({ path: '/management/codes', me: manager })
  fireEvent.click(await screen.findByRole('button', { name: 'นำเข้ารหัส 300 บาท' }))
  const dialog = await screen.findByRole('dialog')
  const input = dialog.querySelector('input[type=file]')!
  fireEvent.change(input, { target: { files: [new File(['x'], 'ล็อต 13.csv', { type: 'text/csv' })] } })
  await within(dialog).findByText('••••AB12')
  expect(within(dialog).getByText('ใช้ไม่ได้ 1 บรรทัด จะไม่นำเข้า')).toBeTruthy()
  expect(within(dialog).getByText('บรรทัด 4 ซ้ำกับบรรทัด 2')).toBeTruthy()
  const take = within(dialog).getByRole('button', { name: 'นำเข้า 2 รหัส' })
  fireEvent.click(take)
  await within(dialog).findByText('กรุณากรอกทุน เช่น 95.50')
  fireEvent.change(within(dialog).getByLabelText('ทุนต่อหนึ่งรหัส (บาท)'), { target: { value: '291' } })
  fireEvent.click(take)
  await waitFor(() => expect(sent).toEqual([{ draftId: id(3), name: 'ล็อต 13', costSatang: 29_100 }]))
})

test('a code is withdrawn with a reason; a whole one is shown as long as its dialog is open', async () => {
  const withdrawn: unknown[] = []
  server.use(
    fake(contract.listStock, () => page([stock])),
    fake(contract.listVouchers, () => page([code])),
    fake(contract.withdrawVouchers, body => {
      withdrawn.push(body)
      return { pieces: 1 }
    }),
    fake(contract.seeVoucher, () => ({ code: 'STEAM-0O1l-X7Q2', pin: null, serial: 'S-77' })),
  )
  renderSite({ path: '/management/codes/12', me: manager })
  const openMenu = async () => fireEvent.click(await screen.findByRole('button', { name: 'จัดการรหัสลงท้าย X7Q2' }))
  await openMenu()
  fireEvent.click(await screen.findByText('ถอนออกจากการขาย…'))
  fireEvent.change(await screen.findByLabelText('เหตุผล'), { target: { value: 'ผู้ขายแจ้งว่าเสีย' } })
  fireEvent.click(screen.getByRole('button', { name: 'ถอนออกจากการขาย' }))
  await waitFor(() => expect(withdrawn).toEqual([{ of: { id: id(1) }, reason: 'ผู้ขายแจ้งว่าเสีย' }]))
  await openMenu()
  fireEvent.click(await screen.findByText('ดูรหัสทั้งหมด…'))
  fireEvent.change(await screen.findByLabelText('เหตุผลที่ต้องดู'), { target: { value: 'ลูกค้าแจ้งว่าใช้ไม่ได้' } })
  fireEvent.click(screen.getByRole('button', { name: 'ดูรหัส' }))
  await screen.findByText('STEAM-0O1l-X7Q2')
  const closers = screen.getAllByRole('button', { name: 'ปิด' })
  fireEvent.click(closers.at(-1)!)
  await waitFor(() => expect(screen.queryByText('STEAM-0O1l-X7Q2')).toBeNull())
})

/** An order with one code, and what is sent to replace it. */
function openOrder(change: Partial<contract.VoucherView>) {
  const replaced: unknown[] = []
  const had = { ...code, state: 'sold' as const, orderNo: ORDER_NO, ...change }
  server.use(
    fake(getOrderForStaff, () => ({ ...order, status: 'success' as const, hasCodes: true })),
    fake(contract.listVouchers, () => page([had])),
    fake(uploadSlip, () => ({ id: id(7), url: '/slip', hasBankReference: false })),
    fake(contract.replaceVoucher, body => {
      replaced.push(body)
      return { orderNo: ORDER_NO, lastFour: 'K3M9' }
    }),
  )
  renderSite({ path: `/management/details/${ORDER_NO}`, me: staff })
  return replaced
}

test('on the page of an order a bad code that nobody has seen is replaced with a reason', async () => {
  const replaced = openOrder({})
  await screen.findByText('รหัส 1/1')
  screen.getByText('ลูกค้ายังไม่ได้ดู')
  fireEvent.click(screen.getByRole('button', { name: 'เปลี่ยนรหัสลงท้าย X7Q2' }))
  fireEvent.change(await screen.findByLabelText('รหัสเดิมใช้ไม่ได้เพราะอะไร'), { target: { value: 'ถูกใช้ไปแล้ว' } })
  expect(screen.queryByLabelText('หรือเลขที่เรื่องที่แจ้งผู้จำหน่าย')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'เปลี่ยนรหัส' }))
  await waitFor(() => expect(replaced).toEqual([{ orderNo: ORDER_NO, id: id(1), reason: 'ถูกใช้ไปแล้ว' }]))
  await screen.findByText('ส่งรหัสใหม่ลงท้าย K3M9 ให้ลูกค้าแล้ว')
})

test('one that may have been used takes a picture or the number of a complaint, and says that a second person is asked', async () => {
  const replaced = openOrder({ revealedAt: NOW, revealedOn: 'iPhone · LINE', reveals: 2, takesEvidence: true })
  await screen.findByText(/ดูแล้วเมื่อ .* บน iPhone · LINE · ดู 2 ครั้ง/)
  fireEvent.click(screen.getByRole('button', { name: 'เปลี่ยนรหัสลงท้าย X7Q2' }))
  await screen.findByText(/จึงต้องมีหลักฐาน และให้คนที่สองยืนยันก่อน/)
  fireEvent.change(screen.getByLabelText('รหัสเดิมใช้ไม่ได้เพราะอะไร'), { target: { value: 'ถูกใช้ไปแล้ว' } })
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'ส่งให้คนที่สองยืนยัน' }))
  send()
  await screen.findByText('กรุณาแนบภาพหลักฐาน หรือใส่เลขที่เรื่องที่แจ้งผู้จำหน่าย')
  const file = new File(['picture'], 'refused.jpg', { type: 'image/jpeg' })
  const dialog = screen.getByRole('dialog')
  fireEvent.change(dialog.querySelector('input[type=file]')!, { target: { files: [file] } })
  await screen.findByText('refused.jpg file uploaded successfully')
  fireEvent.change(screen.getByLabelText('หรือเลขที่เรื่องที่แจ้งผู้จำหน่าย'), { target: { value: ' SUP-77 ' } })
  send()
  const evidence = { evidenceSlipId: id(7), complaint: 'SUP-77' }
  await waitFor(() => expect(replaced).toEqual([{ orderNo: ORDER_NO, id: id(1), reason: 'ถูกใช้ไปแล้ว', ...evidence }]))
})

test('what showed that a code was bad stays beside it', async () => {
  server.use(fake(getSlip, () => new Blob()))
  openOrder({
    state: 'withdrawn',
    withdrawn: { at: NOW, byName: 'มานี', reason: 'ถูกใช้แล้ว', evidenceSlipId: id(7), complaint: 'SUP-77' },
  })
  await screen.findByText('เลขที่เรื่อง SUP-77')
})
