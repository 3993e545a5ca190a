import { listBenefits, saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { problemOf } from './discount-edits.ts'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const row = (packageId: number, name: string, priceSatang: number) => ({
  ...{ packageId, package: name, gameId: 1, game: 'PUBG Mobile', priceSatang },
  details: [
    { tierId: 1, discountSatang: 1000, isActived: true },
    { tierId: 2, discountSatang: 0, isActived: false },
  ],
})

async function openGrid() {
  server.use(
    fake(listBenefits, () => ({
      tiers: [
        { id: 1, name: 'Gold' },
        { id: 2, name: 'Silver' },
      ],
      rows: [row(11, '60 UC', 3300), row(12, '8,100 UC', 308_000)],
      total: 2,
    })),
  )
  renderSite({ path: '/management/benefitgametopup', me: manager })
  await screen.findByLabelText('ส่วนลด Gold ของ PUBG Mobile 60 UC')
}

const discount = (tier: string, name: string) =>
  screen.getByLabelText<HTMLInputElement>(`ส่วนลด ${tier} ของ PUBG Mobile ${name}`)
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'บันทึก' })

const LIMIT = 'ส่วนลดต้องเป็น 0–500 บาท'
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
