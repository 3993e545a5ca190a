import { listBenefits, saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { discountOf, problemOf } from './discount-edits.ts'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

type Game = readonly [id: number, name: string]
const PUBG: Game = [1, 'PUBG Mobile']
const ROV: Game = [2, 'RoV']

const row = (packageId: number, name: string, priceSatang: number, [gameId, game] = PUBG) => ({
  packageId,
  package: name,
  gameId,
  game,
  priceSatang,
  costSatang: packageId === 11 ? 2500 : null,
  details: [
    { tierId: 1, discountSatang: 1000, isActived: true },
    { tierId: 2, discountSatang: 0, isActived: false },
  ],
})

const tiers = [
  { id: 1, name: 'Gold' },
  { id: 2, name: 'Silver' },
]
const page = [row(11, '60 UC', 3300), row(21, '90 คูปอง', 3800, ROV), row(12, '8,100 UC', 308_000)]

async function openGrid() {
  server.use(
    fake(listBenefits, (_, url) => {
      const games = url.searchParams.getAll('game').map(Number)
      return { tiers, rows: page.filter(({ gameId }) => games.length === 0 || games.includes(gameId)), total: 3 }
    }),
  )
  renderSite({ path: '/management/benefitgametopup', me: manager })
  await screen.findByLabelText('ส่วนลด Gold ของ PUBG Mobile 60 UC')
}

const discount = (tier: string, name: string, [, game] = PUBG) =>
  screen.getByLabelText<HTMLInputElement>(`ส่วนลด ${tier} ของ ${game} ${name}`)
/** A tier's discounts, from the first row down. */
const column = (tier: string) => [
  discount(tier, '60 UC').value,
  discount(tier, '90 คูปอง', ROV).value,
  discount(tier, '8,100 UC').value,
]
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'บันทึก' })

const LIMIT = 'ส่วนลดต้องเป็น 0–500 บาท'
const SHARE = 'ส่วนลดต้องเป็น 0–100%'
const ABOVE_PRICE = 'ส่วนลดต้องไม่เกินราคาขาย'

test.each([
  ['0', 3300, null],
  ['', 3300, null],
  ['33', 3300, null],
  ['33.01', 3300, ABOVE_PRICE],
  ['500', 308_000, null],
  ['500.01', 308_000, LIMIT],
  ['-1', 308_000, LIMIT],
  ['abc', 308_000, LIMIT],
  ['1.234', 308_000, LIMIT],
  ['12,50', 308_000, '“12,50” หมายถึงเท่าไร กรุณาพิมพ์ 12.50 หรือ 1250'],
  ['๑๐', 308_000, null],
  ['10%', 308_000, null],
  ['100%', 3300, null],
  ['110%', 3300, SHARE],
  ['110%', 308_000, SHARE],
  ['-5%', 3300, SHARE],
  ['ten%', 3300, SHARE],
  ['12,5%', 3300, '“12,5” หมายถึงเท่าไร กรุณาพิมพ์ 12.5 หรือ 125'],
  ['20%', 308_000, '20% คือ 616 บาท สูงสุด 500 บาท'],
])('a discount of "%s" baht on %d satang', (discountText, priceSatang, problem) => {
  expect(problemOf({ discountText, priceSatang })).toBe(problem)
})

test('a discount out of bounds is explained in its row and keeps everything from being saved', async () => {
  await openGrid()
  type(discount('Gold', '60 UC'), '34')
  await screen.findByText(ABOVE_PRICE)
  expect(discount('Gold', '60 UC').getAttribute('aria-invalid')).toBe('true')
  expect(saveButton().disabled).toBe(true)
  type(discount('Gold', '60 UC'), '33')
  await waitFor(() => expect(saveButton().disabled).toBe(false))
  expect(screen.queryByText(ABOVE_PRICE)).toBeNull()
})

test('the price after the discount follows while typing, and typing the old value back leaves nothing to save', async () => {
  await openGrid()
  type(discount('Gold', '8,100 UC'), '80')
  await screen.findByText('3,000')
  expect(screen.getByText('แก้ไข 1 ช่อง')).toBeTruthy()
  type(discount('Gold', '8,100 UC'), '10')
  await waitFor(() => expect(screen.queryByText('แก้ไข 1 ช่อง')).toBeNull())
})

test('a percentage is that part of each price in whole baht', () => {
  const priced = [3300, 3800, 14_900].map(priceSatang => discountOf({ discountText: '7%', priceSatang }))
  expect(priced).toEqual([200, 300, 1000])
})

test('what sells below cost to a tier is saved only after a question', async () => {
  const sent: unknown[] = []
  server.use(
    fake(saveBenefits, body => {
      sent.push(body)
      return { saved: 1 }
    }),
  )
  await openGrid()
  type(discount('Silver', '60 UC'), '9')
  fireEvent.click(saveButton())
  await screen.findByText('PUBG Mobile 60 UC · Silver')
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกทั้งที่ขาดทุน' }))
  await screen.findByText('บันทึกข้อมูลสำเร็จ')
  expect(sent).toHaveLength(1)
})

test('a failed save says so and keeps the changes; the next one sends them all by package', async () => {
  const sent: unknown[] = []
  server.use(
    fake(saveBenefits, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('UNAVAILABLE')
      return { saved: 2 }
    }),
  )
  await openGrid()
  type(discount('Gold', '60 UC'), '5')
  type(discount('Silver', '60 UC'), '3.5')
  fireEvent.click(saveButton())
  await screen.findByText('บันทึกข้อมูลไม่สำเร็จ กรุณาลองอีกครั้ง!')
  expect(discount('Silver', '60 UC').value).toBe('3.5')
  await waitFor(() => expect(saveButton().disabled).toBe(false))
  fireEvent.click(saveButton())
  await screen.findByText('บันทึกข้อมูลสำเร็จ')
  expect(sent[1]).toEqual({
    allowsFree: false,
    rows: [
      {
        packageId: 11,
        details: [
          { tierId: 1, discountSatang: 500, isActived: true },
          { tierId: 2, discountSatang: 350, isActived: true },
        ],
      },
    ],
  })
})

test('leaving with unsaved changes asks; staying keeps them', async () => {
  await openGrid()
  type(discount('Gold', '60 UC'), '5')
  fireEvent.click(screen.getByRole('link', { name: 'ตัวแทนและ Tier' }))
  await screen.findByText('มีส่วนลดที่ยังไม่บันทึก 1 ช่อง')
  fireEvent.click(screen.getByRole('button', { name: 'อยู่ต่อ' }))
  expect(discount('Gold', '60 UC').value).toBe('5')
})

test('a discount is filled to the rows below, or to its game, with its switch', async () => {
  await openGrid()
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  expect(button('เติมลงล่าง').disabled).toBe(true)
  fireEvent.focus(discount('Silver', '60 UC'))
  type(discount('Silver', '60 UC'), '7')
  fireEvent.click(button('เติมทั้งเกม PUBG Mobile'))
  await waitFor(() => expect(column('Silver')).toEqual(['7', '0', '7']))
  screen.getByText('· เติมแล้ว 1 ช่อง')
  type(discount('Silver', '60 UC'), '8')
  fireEvent.click(button('เติมลงล่าง'))
  await waitFor(() => expect(column('Silver')).toEqual(['8', '8', '8']))
  expect(screen.getByLabelText('ใช้ส่วนลด Silver ของ RoV 90 คูปอง').getAttribute('aria-checked')).toBe('true')
  expect(column('Gold')).toEqual(['10', '10', '10'])
  fireEvent.keyDown(discount('Gold', '90 คูปอง', ROV), { key: 'd', ctrlKey: true })
  expect(column('Gold')).toEqual(['10', '10', '10'])
  type(discount('Gold', '90 คูปอง', ROV), '4.5')
  fireEvent.keyDown(discount('Gold', '90 คูปอง', ROV), { key: 'd', ctrlKey: true })
  await waitFor(() => expect(column('Gold')).toEqual(['10', '4.5', '4.5']))
})

test('columns from a spreadsheet are pasted down and across; what finds no place is left out, one amount is typed', async () => {
  await openGrid()
  const paste = (text: string) =>
    fireEvent.paste(discount('Gold', '90 คูปอง', ROV), { clipboardData: { getData: () => text } })
  expect(paste('12')).toBe(true)
  expect(paste('฿1,000.50\t3\r\n20 บาท\t4\r\n30\t5\r\n')).toBe(false)
  await waitFor(() => expect(column('Gold')).toEqual(['10', '1,000.50', '20']))
  expect(column('Silver')).toEqual(['0', '3', '4'])
  await screen.findByText('วางแล้ว 4 ช่อง')
  await screen.findByText(LIMIT)
})

test('empty cells of a spreadsheet leave a discount as it is; a nought or a minus is taken at its word', async () => {
  await openGrid()
  const isOn = (name: string, game = PUBG) =>
    screen.getByLabelText(`ใช้ส่วนลด Silver ของ ${game[1]} ${name}`).getAttribute('aria-checked')
  fireEvent.paste(discount('Gold', '60 UC'), { clipboardData: { getData: () => '0\t\r\n\t0\r\n−3\t5\r\n' } })
  await waitFor(() => expect(column('Gold')).toEqual(['0', '10', '-3']))
  expect(column('Silver')).toEqual(['0', '0', '5'])
  expect([isOn('60 UC'), isOn('90 คูปอง', ROV), isOn('8,100 UC')]).toEqual(['false', 'false', 'true'])
  screen.getByText('แก้ไข 3 ช่อง')
  await screen.findByText(LIMIT)
})

test('a first discount that is taken out again leaves nothing to save', async () => {
  await openGrid()
  type(discount('Silver', '60 UC'), '5')
  await screen.findByText('แก้ไข 1 ช่อง')
  type(discount('Silver', '60 UC'), '')
  await waitFor(() => expect(screen.queryByText('แก้ไข 1 ช่อง')).toBeNull())
})

test('a game is filled on its other pages, too; when they can’t be read nothing is filled', async () => {
  await openGrid()
  let isDown = true
  server.use(
    fake(listBenefits, () => {
      if (isDown) throw new AppError('UNAVAILABLE')
      return { tiers, rows: [page[0]!, page[2]!, row(13, '660 UC', 30_500)], total: 3 }
    }),
  )
  fireEvent.focus(discount('Gold', '60 UC'))
  type(discount('Gold', '60 UC'), '7')
  const button = screen.getByRole('button', { name: 'เติมทั้งเกม PUBG Mobile' })
  fireEvent.click(button)
  await screen.findByText(/ระบบไม่พร้อมให้บริการ/)
  screen.getByText('แก้ไข 1 ช่อง')
  isDown = false
  fireEvent.click(button)
  await screen.findByText('แก้ไข 3 ช่อง')
  expect(column('Gold')).toEqual(['7', '10', '7'])
})

test('the margin stands under the price where the cost is known, and a loss says so', async () => {
  await openGrid()
  await screen.findByText('ขาดทุน 2 (-9%)')
  type(discount('Gold', '60 UC'), '3')
  await screen.findByText('กำไร 5 (17%)')
})

describe('a package that would be free', () => {
  let sent: boolean[]
  beforeEach(async () => {
    sent = []
    server.use(
      fake(saveBenefits, body => {
        const { allowsFree } = body as { allowsFree: boolean }
        sent.push(allowsFree)
        if (!allowsFree) throw new AppError('DISCOUNT_MAKES_FREE')
        return { saved: 1 }
      }),
    )
    await openGrid()
    type(discount('Gold', '60 UC'), '33')
    await screen.findByText('ฟรี')
    screen.getByText('· ทำให้ฟรี 1 ช่อง')
    fireEvent.click(saveButton())
  })

  test('is asked about; a no keeps the changes and saves nothing', async () => {
    const back = await screen.findByRole('button', { name: 'กลับไปแก้' })
    screen.getByText('PUBG Mobile 60 UC · Gold')
    fireEvent.click(back)
    await waitFor(() => expect(saveButton().classList).not.toContain('ant-btn-loading'))
    expect([sent, discount('Gold', '60 UC').value]).toEqual([[false], '33'])
  })

  test('is saved after a yes', async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'บันทึกเป็นฟรี' }))
    await screen.findByText('บันทึกข้อมูลสำเร็จ')
    expect(sent).toEqual([false, true])
  })
})
