import { expect, test } from 'vitest'
import { isMasked, mask } from './tracking.ts'

test.each([
  ['5123456789', '51******89'],
  ['12345678', '12****78'],
  ['123456', '1****6'],
  ['123', '***'],
  ['', ''],
  ['น้ำข้าว🎮TH', 'น้******TH'],
])('%j is shown as %j', (text, shown) => {
  expect(mask(text)).toBe(shown)
})

test('an order is masked from thirty days after its end, one that has not ended never', () => {
  const endedAt = new Date('2026-11-20T07:00:00Z')
  const at = (iso: string) => isMasked({ endedAt }, new Date(iso))
  expect([at('2026-12-20T06:59:59Z'), at('2026-12-20T07:00:00Z')]).toEqual([false, true])
  expect(isMasked({ endedAt: null }, new Date('2036-01-01T00:00:00Z'))).toBe(false)
})
