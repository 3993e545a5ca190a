import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { createDraft } from '../draft.ts'
import { wallet } from '../wallet/testing.ts'
import { PackageSection } from './package-section.tsx'
import { methodOf } from './testing.ts'

const packageOf = (id: number, priceSatang: number, discountSatang = 0): GamePackage => ({
  id,
  gameId: 1,
  gameCode: 'rov',
  name: `แพ็กเกจ ${id}`,
  desc: '',
  priceSatang,
  discountSatang,
  payment: 'wallet',
  delivers: 'top_up',
  warning: '',
  isOut: false,
})
const draft = { ...createDraft('rov'), paymentMethod: 'wallet' as const }
const card = (id: number) => screen.getByRole('radio', { name: new RegExp(`^แพ็กเกจ ${id}`) })

test('what the balance or the tier does not allow is off and says why; the discount counts', async () => {
  const onChange = vi.fn()
  // 4,285 baht on the wallet, 10,000 baht per order.
  const packages = [packageOf(1, 4295_00, 10_00), packageOf(2, 4286_00), packageOf(3, 10_000_01)]
  render(
    <PackageSection
      methods={[methodOf('wallet')]}
      packages={packages}
      wallet={wallet}
      draft={draft}
      onChange={onChange}
    />,
  )
  expect(card(1).textContent).not.toContain('ยอดไม่พอ')
  expect(card(2).textContent).toContain('ยอดไม่พอ')
  expect(card(3).textContent).toContain('ยอดต่อคำสั่งซื้อต้องไม่เกิน 10,000 บาท')
  await userEvent.click(card(2))
  await userEvent.click(card(3))
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(card(1))
  expect(onChange).toHaveBeenCalledWith({ package: 1 })
})

test('the tier, its limits and the price before the discount are explained', () => {
  render(
    <PackageSection
      methods={[methodOf('wallet')]}
      packages={[packageOf(1, 97_00, 10_00)]}
      wallet={wallet}
      draft={draft}
      onChange={() => undefined}
    />,
  )
  expect(screen.getByText(/^ราคาตัวแทน Gold .*ไม่เกิน ฿10,000 และ 10 ชิ้น$/)).toBeTruthy()
  expect(card(1).textContent).toContain('87 บาท')
  expect(card(1).textContent).toContain('ราคาเดิม 97 บาท')
})

test('without a wallet nothing can be chosen', () => {
  render(
    <PackageSection
      methods={[methodOf('wallet')]}
      packages={[packageOf(1, 97_00)]}
      wallet={null}
      draft={draft}
      onChange={() => undefined}
    />,
  )
  expect(card(1).getAttribute('aria-disabled')).toBe('true')
  expect(card(1).textContent).toContain('ยังไม่มีกระเป๋าเงิน กรุณาติดต่อแอดมิน')
})

test('one that is sold out says so and can not be chosen; warnings and codes are told in the card', async () => {
  const onChange = vi.fn()
  const packages = [
    { ...packageOf(1, 97_00), isOut: true },
    {
      ...packageOf(2, 97_00),
      delivers: 'code' as const,
      warning: 'ใช้ได้กับบัญชีไทยเท่านั้น',
      soonestExpiry: '2026-12-18',
    },
  ]
  render(
    <PackageSection
      methods={[methodOf('wallet')]}
      packages={packages}
      wallet={wallet}
      draft={draft}
      onChange={onChange}
    />,
  )
  expect(card(1).textContent).toContain('หมดชั่วคราว')
  expect(card(1).getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(card(1))
  expect(onChange).not.toHaveBeenCalled()
  expect(card(2).textContent).toContain('ส่งเป็นรหัส · หมดอายุเร็วสุด 18/12/2026')
  expect(card(2).textContent).toContain('ข้อควรรู้ ใช้ได้กับบัญชีไทยเท่านั้น')
  await userEvent.click(card(2))
  expect(onChange).toHaveBeenCalledWith({ package: 2 })
})

test('what the shop tells of a package stands in its card', () => {
  const sold = { ...packageOf(1, 97_00), desc: 'ต้องเข้าเกมเพื่อกดรับเองทุกวัน' }
  render(
    <PackageSection
      methods={[methodOf('wallet')]}
      packages={[sold]}
      wallet={wallet}
      draft={draft}
      onChange={() => undefined}
    />,
  )
  expect(card(1).textContent).toContain('ต้องเข้าเกมเพื่อกดรับเองทุกวัน')
})
