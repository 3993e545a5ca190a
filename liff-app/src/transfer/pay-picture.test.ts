import { expect, test } from 'vitest'
import { order } from '../orders/testing.ts'
import { cutTo, linesOf, payeeOf, type QrTransfer } from './pay-picture.ts'

const transfer: QrTransfer = {
  qr: { text: '00020101' },
  amountSatang: 149_37,
  payee: payeeOf(order.receivingAccount!),
  advice: 'โอนให้ตรงทุกสตางค์',
  goods: 'PUBG Mobile · 325 UC',
  subject: 'คำสั่งซื้อ KT2611-00482100',
  until: '2026-11-20T07:20:00.000Z',
  fileName: 'promptpay',
}

test('the picture says how much, to whom, for what and until when, each line below the one before', () => {
  const lines = linesOf(transfer)
  const words = lines.map(({ text }) => text).join('\n')
  for (const part of ['149.37 บาท', 'บจก. คราม เติมเกม', 'กสิกรไทย 0123456789', transfer.goods, transfer.subject])
    expect(words).toContain(part)
  expect(words).toMatch(/โอนภายใน 20\/11\/2026 14:20/)
  const heights = lines.map(({ y }) => y)
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
})

test('a transfer that can be made at any time names no deadline', () => {
  expect(linesOf({ ...transfer, until: null }).map(({ text }) => text)).not.toContainEqual(
    expect.stringMatching(/ภายใน/),
  )
})

test('a name too long for the picture ends after a whole letter', () => {
  const fits = (most: number) => (text: string) => text.length <= most
  expect(cutTo('ดินแดน', fits(6))).toBe('ดินแดน')
  expect(cutTo('ผู้กล้า', fits(6))).toBe('ผู้ก…')
})
