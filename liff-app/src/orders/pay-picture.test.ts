import { expect, test } from 'vitest'
import { cutTo, linesOf } from './pay-picture.ts'
import { order } from './testing.ts'

test('the picture says how much, to whom, for what and until when, each line below the one before', () => {
  const lines = linesOf(order)
  const words = lines.map(({ text }) => text).join('\n')
  for (const part of ['149.37 บาท', 'บจก. คราม เติมเกม', 'กสิกรไทย 0123456789', 'PUBG Mobile · 325 UC', order.orderNo])
    expect(words).toContain(part)
  expect(words).toMatch(/โอนภายใน 20\/11\/2026 14:20/)
  const heights = lines.map(({ y }) => y)
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
})

test('a name too long for the picture ends after a whole letter', () => {
  const fits = (most: number) => (text: string) => text.length <= most
  expect(cutTo('ดินแดน', fits(6))).toBe('ดินแดน')
  expect(cutTo('ผู้กล้า', fits(6))).toBe('ผู้ก…')
})
