import { AppError } from '@shop/shared/errors.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { type DeliveryView, reduceDelivery } from '@shop/shared/supplier/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager } from '../testing/catalogue.ts'
import { NOW, ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'

const attempt: DeliveryView['attempts'][number] = {
  id: '0193b0a0-0000-7000-8000-000000000001',
  reference: 'K001',
  theirId: '125',
  supplier: 'seagm',
  quantity: 5,
  broughtPieces: 3,
  state: 'part',
  reason: null,
  costSatang: null,
  sentAt: NOW,
  settledAt: NOW,
  staffCall: null,
  contradiction: null,
  isOwnRisk: false,
  overruledReason: null,
  answers: [],
}
const delivery: DeliveryView = {
  quantity: 5,
  broughtPieces: 3,
  stockPieces: 0,
  next: null,
  reduction: { missingPieces: 2, backSatang: 20_000 },
  isOpen: false,
  canRetry: true,
  attempts: [attempt],
}

async function open(change: Partial<DeliveryView> = {}, me: typeof staff = manager as typeof staff) {
  const shown = { ...order, payment: 'wallet' as const, quantity: 5, delivery: { ...delivery, ...change } }
  server.use(fake(getOrderForStaff, () => shown))
  renderSite({ path: `/management/details/${ORDER_NO}`, me })
  return within(await screen.findByRole('region', { name: 'ผู้จำหน่าย' }))
}

test('each purchase names its supplier and how many pieces it brought, and which source follows', async () => {
  const card = await open({ next: 'stock', stockPieces: 1, broughtPieces: 4 })
  card.getByText('ส่งแล้ว 4 จาก 5 ชิ้น (สต็อกของร้าน 1 ชิ้น)')
  card.getByText('SEAGM')
  card.getByText('ได้ 3 จาก 5 ชิ้น')
  card.getByText('ลองอีกครั้งจะเริ่มที่ สต็อกของร้าน')
})

test('an order of one piece says nothing of pieces, and staff give no money back', async () => {
  const one = { ...attempt, quantity: 1, broughtPieces: 0, state: 'unknown' as const }
  const card = await open(
    { quantity: 1, broughtPieces: 0, isOpen: true, canRetry: false, next: 'seagm', attempts: [one] },
    staff,
  )
  expect(card.queryByText(/ชิ้น/)).toBeNull()
  card.getByText('ถ้ารายนี้ไม่รับ จะซื้อต่อที่ SEAGM')
  expect(card.queryByRole('button', { name: 'คืนเงินส่วนที่เหลือ…' })).toBeNull()
})

test('the rest is given back after a question that says what goes back', async () => {
  const sent: unknown[] = []
  server.use(
    fake(reduceDelivery, body => {
      sent.push(body)
      return { orderNo: ORDER_NO }
    }),
  )
  const card = await open()
  fireEvent.click(card.getByRole('button', { name: 'คืนเงินส่วนที่เหลือ…' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText(/^ส่งแล้ว 3 จาก 5 ชิ้น คืน 2 ชิ้น 200\.00 บาท เข้ากระเป๋าเงินของตัวแทน/)
  expect(sent).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'คืนเงินส่วนที่เหลือ' }))
  await screen.findByText(`คืนเงินส่วนที่เหลือของ ${ORDER_NO} แล้ว`)
  expect(sent).toEqual([{ orderNo: ORDER_NO, broughtPieces: 3 }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a refusal stands in the dialog', async () => {
  server.use(
    fake(reduceDelivery, () => {
      throw new AppError('PIECES_CHANGED')
    }),
  )
  const card = await open()
  fireEvent.click(card.getByRole('button', { name: 'คืนเงินส่วนที่เหลือ…' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'คืนเงินส่วนที่เหลือ' }))
  await dialog.findByText(/^จำนวนชิ้นที่ส่งแล้วเปลี่ยนไป/)
})
