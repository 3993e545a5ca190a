import { changePackages, copyPrices, importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
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
import { type BulkPriceValues, priceActionOf, sizeProblem } from './bulk-price.ts'
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
  const days = { startDay: '2026-11-20', endDay: '2026-12-31', isActive: true, nextPriceSatang: null, nextDay: null }
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
