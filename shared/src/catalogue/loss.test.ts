import { expect, test } from 'vitest'
import { lossOf, type SoldPackage } from './loss.ts'
import type { PriceCode } from './payment-method.ts'
import type { PriceRow } from './pricing.ts'

const now = new Date('2026-11-20T05:00:00Z')
const row = (payment: PriceCode, priceSatang: number, change: Partial<PriceRow> = {}) => ({
  payment,
  priceSatang,
  startDay: '2026-01-01',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})
const loss = (change: Partial<SoldPackage>) =>
  lossOf(
    { costSatang: 80_500, prices: [row('bank', 90_000), row('wallet', 85_000)], discountSatang: 0, ...change },
    now,
  )

test.each<[string, Partial<SoldPackage>, number]>([
  ['sold above its cost', {}, 0],
  ['sold at its cost', { costSatang: 85_000 }, 0],
  ['a price below it', { prices: [row('bank', 1100)] }, 79_400],
  ['the lowest of its prices counts', { prices: [row('bank', 1100), row('wallet', 1200)] }, 79_400],
  ['a discount that goes below it', { discountSatang: 5000 }, 500],
  ['a discount is for the wallet alone', { prices: [row('bank', 81_000)], discountSatang: 5000 }, 0],
  ['a discount of the whole price', { discountSatang: 85_000 }, 85_000],
  ['given away, its cost not known', { costSatang: null, discountSatang: 85_000 }, 85_000],
  ['given away, its cost nothing', { costSatang: 0, discountSatang: 85_000 }, 85_000],
  ['its cost is not known', { costSatang: null, prices: [row('bank', 100)] }, 0],
  ['a price that is off', { prices: [row('bank', 1100, { isActive: false })] }, 0],
  ['a price that is over', { prices: [row('bank', 1100, { endDay: '2026-11-19' })] }, 0],
  ['a price on its last day', { prices: [row('bank', 1100, { endDay: '2026-11-20' })] }, 79_400],
  ['a price that is not sold yet', { prices: [row('bank', 1100, { startDay: '2027-01-01' })] }, 79_400],
  ['the next price', { prices: [row('bank', 90_000, { nextPriceSatang: 1100, nextDay: '2027-01-01' })] }, 79_400],
  ['no price at all', { prices: [] }, 0],
])('%s', (_, change, expected) => {
  expect(loss(change)).toBe(expected)
})
