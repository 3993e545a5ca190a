import { copyPrices, importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import {
  explainPrices,
  listManagedPackages,
  reorderPackages,
  savePackage,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager, pubg, servePackages, uc60, uc325 } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'
import { readCsv } from './read-csv.ts'

async function openPackages(search = '') {
  const asked: URLSearchParams[] = []
  servePackages([uc60, uc325], asked)
  renderSite({ path: `/management/package/1${search}`, me: manager })
  await screen.findByText('325 UC')
  return asked
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))

test('the list shows the game, each price and what is missing; filters and page are in the address', async () => {
  const asked = await openPackages('?name=UC&status=active&page=2&pageSize=100')
  expect(screen.getByRole('heading', { name: 'PUBG Mobile' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'เกมทั้งหมด' }).getAttribute('href')).toBe('/management/game')
  const priced = (name: string) => screen.getByRole('button', { name: `ราคาขายของ ${name}` }).textContent
  expect([priced('60 UC โอนเงินธนาคาร 35'), priced('60 UC Wallet 33')]).toEqual(['35', '33'])
  expect(priced('325 UC Wallet ตั้งราคา')).toBe('ตั้งราคา')
  expect(screen.getByText('ยังไม่มีราคา').className).toContain('is-warn')
  expect(Object.fromEntries(asked[0]!)).toEqual({ name: 'UC', status: 'active', page: '2', pageSize: '100' })
})

test('a package needs a name; a failed save says so and keeps the form, the next one succeeds', async () => {
  const sent: unknown[] = []
  server.use(
    fake(savePackage, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('INTERNAL')
      return { ...uc60, name: '90 UC' }
    }),
  )
  await openPackages()
  click('เพิ่มแพ็กเกจ')
  const form = await dialog()
  fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
  await form.findByText('กรุณากรอกชื่อแพ็กเกจ')
  fireEvent.change(form.getByLabelText('ชื่อแพ็กเกจ'), { target: { value: '90 UC' } })
  fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
  await form.findByText('บันทึกข้อมูลไม่สำเร็จ')
  fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
  await screen.findByText('บันทึก 90 UC สำเร็จ')
  const bare = { gameId: 1, name: '90 UC', desc: '', isActive: true, prices: [], costSatang: null }
  expect(sent[1]).toEqual(bare)
})

test('packages are added with their prices, one after the other', async () => {
  const sent: { name: string; prices: unknown[] }[] = []
  server.use(
    fake(savePackage, body => {
      sent.push(body as (typeof sent)[number])
      return { ...uc60, name: sent.at(-1)!.name }
    }),
  )
  await openPackages()
  click('เพิ่มแพ็กเกจ')
  const form = await dialog()
  const type = (label: string, value: string) => fireEvent.change(form.getByLabelText(label), { target: { value } })
  type('ชื่อแพ็กเกจ', '90 UC')
  type('ราคา โอนเงินธนาคาร', '12,50')
  fireEvent.click(form.getByRole('button', { name: 'บันทึกและเพิ่มอีก' }))
  await form.findByText('“12,50” หมายถึงเท่าไร กรุณาพิมพ์ 12.50 หรือ 1250')
  type('ราคา โอนเงินธนาคาร', '๓๙')
  fireEvent.click(form.getByRole('button', { name: 'บันทึกและเพิ่มอีก' }))
  await form.findByText('เพิ่มแล้ว 90 UC')
  expect(form.getByLabelText<HTMLInputElement>('ราคา โอนเงินธนาคาร').value).toBe('')
  type('ชื่อแพ็กเกจ', '190 UC')
  type('ราคา Wallet', '75')
  fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
  await screen.findByText('บันทึก 190 UC สำเร็จ')
  const days = { startDay: '2026-11-20', endDay: null, isActive: true, nextPriceSatang: null, nextDay: null }
  expect(sent.map(({ prices }) => prices)).toEqual([
    [{ payment: 'bank', priceSatang: 3900, ...days }],
    [{ payment: 'wallet', priceSatang: 7500, ...days }],
  ])
})

test('what a game still needs stands above its packages, with the way there', async () => {
  server.use(
    fake(listManagedPackages, () => ({
      rows: [],
      total: 0,
      nowDate: '2026-11-20T07:00:00.000Z',
      game: { ...pubg, packageCount: 0, sale: { gap: 'noPackages' as const, fromDay: null } },
    })),
  )
  renderSite({ path: '/management/package/1', me: manager })
  await screen.findByText(/^ยังไม่อยู่บนหน้าร้าน: ยังไม่มีแพ็กเกจ/)
  click('เพิ่มแพ็กเกจแรก')
  expect((await dialog()).getByText('เพิ่มแพ็กเกจ PUBG Mobile')).toBeTruthy()
})

test('keys that choose from a row’s menu are not passed on to what opens', async () => {
  server.use(fake(explainPrices, () => ({ at: '2026-11-20T07:00:00.000Z', rows: [] })))
  await openPackages()
  click('ทำอย่างอื่นกับ 60 UC')
  const item = await screen.findByRole('menuitem', { name: 'ใครจ่ายเท่าไร' })
  // False: the default of the key was prevented.
  expect(fireEvent.keyDown(item, { key: 'Enter', keyCode: 13, which: 13 })).toBe(false)
  expect(await screen.findByText('ใครจ่ายเท่าไร · 60 UC')).toBeTruthy()
})

test('an edited package that somebody else saved shows both versions', async () => {
  const current = { ...uc60, name: '60 UC+', version: 4 }
  server.use(
    fake(savePackage, () => {
      throw new AppError('CONFLICT', { details: { current } })
    }),
  )
  await openPackages()
  click('แก้ไข 60 UC')
  const form = await dialog()
  fireEvent.change(form.getByLabelText('ชื่อแพ็กเกจ'), { target: { value: '61 UC' } })
  fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))
  expect(await screen.findByRole('row', { name: 'ชื่อแพ็กเกจ แก้ทั้งสองคน 60 UC+ 61 UC' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  await waitFor(() => expect(form.getByLabelText<HTMLInputElement>('ชื่อแพ็กเกจ').value).toBe('60 UC+'))
})

const chooseFile = (text: string, name: string) =>
  fireEvent.change(document.querySelector('.ant-modal input[type=file]')!, {
    target: { files: [new File([text], name, { type: 'text/csv' })] },
  })

test('an import shows every problem by line and column and saves nothing; a good file shows its changes first', async () => {
  const sent: { csv: string; isDryRun: boolean }[] = []
  server.use(
    fake(importPackages, body => {
      const asked = body as (typeof sent)[number]
      sent.push(asked)
      const problems = asked.csv === 'bad' ? [{ line: 3, column: 'bank_price', problem: 'ต้องเป็นจำนวนเต็ม' }] : []
      const preview = [{ line: 2, name: '60 UC', before: 'bank_price: 35', after: 'bank_price: 36' }]
      return { added: 0, changed: 1, unchanged: 1, problems, preview }
    }),
  )
  await openPackages()
  click('นำเข้า CSV')
  const form = await dialog()
  chooseFile('bad', 'bad.csv')
  expect(await form.findByRole('row', { name: '3 bank_price ต้องเป็นจำนวนเต็ม' })).toBeTruthy()
  expect(form.getByRole<HTMLButtonElement>('button', { name: /^ยืนยันนำเข้า/ }).disabled).toBe(true)
  chooseFile('good', 'good.csv')
  expect(await form.findByRole('row', { name: '2 60 UC bank_price: 35 bank_price: 36' })).toBeTruthy()
  fireEvent.click(form.getByRole('button', { name: 'ยืนยันนำเข้า 1 แพ็กเกจ' }))
  await screen.findByText('นำเข้าสำเร็จ เพิ่ม 0 แก้ไข 1 แพ็กเกจ')
  expect(sent.map(({ csv, isDryRun }) => [csv, isDryRun])).toEqual([
    ['bad', true],
    ['good', true],
    ['good', false],
  ])
})

test('a failed import keeps the file and its preview', async () => {
  let calls = 0
  server.use(
    fake(importPackages, () => {
      calls += 1
      if (calls > 1) throw new AppError('UNAVAILABLE')
      return {
        added: 1,
        changed: 0,
        unchanged: 0,
        problems: [],
        preview: [{ line: 2, name: '90 UC', before: '', after: 'ใหม่' }],
      }
    }),
  )
  await openPackages()
  click('นำเข้า CSV')
  const form = await dialog()
  chooseFile('good', 'good.csv')
  fireEvent.click(await form.findByRole('button', { name: 'ยืนยันนำเข้า 1 แพ็กเกจ' }))
  await form.findByText('นำเข้าไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก')
  expect(form.getByText('good.csv')).toBeTruthy()
  expect(form.getByText('90 UC')).toBeTruthy()
})

test('a file that Excel saved in Thai Windows reads as Thai', async () => {
  expect(await readCsv(new Blob(['ชื่อ,60']))).toBe('ชื่อ,60')
  expect(await readCsv(new Blob([new Uint8Array([0xa1, 0xa2, 0x2c, 0x36])]))).toBe('กข,6')
})

async function openMore(item: string) {
  click('ทำอย่างอื่นกับ 60 UC')
  fireEvent.click(await screen.findByText(item))
  return dialog()
}

test('the menu of a row takes the focus, and gives it back to its button', async () => {
  await openPackages()
  const button = () => screen.getByRole('button', { name: 'ทำอย่างอื่นกับ 60 UC' })
  button().focus()
  fireEvent.click(button())
  await screen.findByText('ใครจ่ายเท่าไร')
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('menuitem'))
  expect(button().getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(button())
  await waitFor(() => expect(button().getAttribute('aria-expanded')).toBe('false'))
  await waitFor(() => expect(document.activeElement).toBe(button()))
})

test('prices are copied to the chosen packages, never to the one they come from', async () => {
  const sent: unknown[] = []
  server.use(
    fake(copyPrices, body => {
      sent.push(body)
      return { changed: 1 }
    }),
  )
  await openPackages()
  fireEvent.click(screen.getByRole('checkbox', { name: 'เลือกทั้งหน้า' }))
  const form = await openMore('คัดลอกราคาไปแพ็กเกจอื่น')
  fireEvent.click(form.getByRole('button', { name: 'คัดลอกไป 1 แพ็กเกจ' }))
  await screen.findByText('คัดลอกราคาไป 1 แพ็กเกจสำเร็จ')
  expect(sent).toEqual([{ fromPackageId: 11, toPackageIds: [12] }])
})

test('who pays what is asked for a moment in Bangkok and answered with reasons', async () => {
  const asked: (string | null)[] = []
  server.use(
    fake(explainPrices, (_, url) => {
      asked.push(url.searchParams.get('at'))
      return {
        at: '2026-11-20T07:00:00.000Z',
        rows: [
          {
            ...({ payment: 'wallet', tierId: 1, tierName: 'Gold', paysSatang: 2300, listSatang: 3300 } as const),
            discountSatang: 1000,
            reasons: ['ส่วนลดของ Tier Gold'],
          },
        ],
      }
    }),
  )
  await openPackages()
  const drawer = await openMore('ใครจ่ายเท่าไร')
  await drawer.findByText('ส่วนลดของ Tier Gold')
  expect(drawer.getByText('23.00')).toBeTruthy()
  expect(drawer.getByLabelText<HTMLInputElement>('ณ เวลา (กรุงเทพฯ)').value).toBe('20/11/2026 14:00:00')
  expect(asked).toEqual(['2026-11-20T07:00:00.000Z'])
})

test('packages are put in order by their buttons and by typing a place', async () => {
  const sent: unknown[] = []
  server.use(
    fake(reorderPackages, body => {
      sent.push(body)
      return { saved: 2 }
    }),
  )
  servePackages([uc60, uc325, { ...uc60, id: 13, name: '660 UC' }])
  renderSite({ path: '/management/package/1', me: manager })
  await screen.findByText('660 UC')
  click('จัดเรียงแพ็กเกจ')
  fireEvent.click(await screen.findByRole('button', { name: 'เลื่อน 325 UC ขึ้น' }))
  const place = screen.getByLabelText('ย้าย 660 UC ไปลำดับที่')
  fireEvent.change(place, { target: { value: '1' } })
  fireEvent.blur(place)
  click('บันทึก')
  await screen.findByText('จัดเรียงแพ็กเกจสำเร็จ')
  const order = [13, 12, 11].map((id, index) => ({ id, no: index + 1 }))
  expect(sent).toEqual([{ gameId: 1, order, seen: { ids: [11, 12, 13], firstNo: 1, total: 3 } }])
})

test('an order made while somebody else moved packages shows both, and is saved over theirs only by a button', async () => {
  const sent: { seen: { ids: number[]; total: number } }[] = []
  const current = {
    rows: [
      { id: 12, name: '325 UC' },
      { id: 11, name: '60 UC' },
      { id: 14, name: '1000 UC' },
    ],
    firstNo: 1,
    total: 3,
  }
  server.use(
    fake(reorderPackages, body => {
      sent.push(body as never)
      if (sent.length < 3) throw new AppError('CONFLICT', { details: { current } })
      return { saved: 2 }
    }),
  )
  await openPackages()
  click('จัดเรียงแพ็กเกจ')
  fireEvent.click(await screen.findByRole('button', { name: 'เลื่อน 325 UC ขึ้น' }))
  click('บันทึก')
  expect(await screen.findByRole('row', { name: 'ลำดับที่ 3 1000 UC –' })).toBeTruthy()
  click('ใช้ค่าล่าสุด')
  await waitFor(() => expect(screen.queryByText('บันทึกค่าของฉันทับ')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'เลื่อน 1000 UC ขึ้น' }))
  click('บันทึก')
  fireEvent.click(await screen.findByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('จัดเรียงแพ็กเกจสำเร็จ')
  expect(sent.map(({ seen }) => seen.ids)).toEqual([
    [11, 12],
    [12, 11, 14],
    [12, 11, 14],
  ])
})
