import { getSupplierHealth } from '@shop/shared/supplier/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSupplierShop, payOrder, type SupplierShop } from '../../testing/supplier.ts'

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop()
})
afterAll(() => it.stop())

const health = async () => (await it.as('manager').call(getSupplierHealth, {})).suppliers[0]!

/** Lets the shop ask until the last of its times. */
async function passQuarterHour(): Promise<void> {
  for (let minutes = 0; minutes <= 16; minutes++) {
    await it.drain()
    it.clock.advance(60)
  }
}

test('what nobody knows yet is told as unknown, and nothing as zero seconds', async () => {
  expect(await health()).toMatchObject({
    name: 'seagm',
    isOn: true,
    balanceSatang: null,
    balanceAt: null,
    lastCallbackAt: null,
    medianSeconds: null,
    day: { sent: 0, delivered: 0, settled: 0 },
    week: { sent: 0, delivered: 0, settled: 0 },
    unclearOrderNos: [],
  })
})

test('it counts what was delivered, refused and is unclear, of today and of seven days', async () => {
  await payOrder(it)
  await it.drain()
  it.clock.advance(12)
  await it.drain()
  await payOrder(it, 'price')
  await it.drain()
  const unclear = await payOrder(it, 'forever')
  await passQuarterHour()
  const counted = { sent: 3, delivered: 1, settled: 2 }
  const first = await health()
  expect(first).toMatchObject({ day: counted, week: counted, unclearOrderNos: [unclear] })
  expect(first.medianSeconds).toBeGreaterThan(0)
  it.clock.advance(6 * 86_400)
  expect(await health()).toMatchObject({ day: { sent: 0 }, week: counted, medianSeconds: first.medianSeconds })
  it.clock.advance(86_400)
  expect(await health()).toMatchObject({ week: { sent: 0, settled: 0 }, medianSeconds: null })
})

test('only who may see costs sees it', async () => {
  expect(await it.as('staff').codeOf(getSupplierHealth, {})).toBe('FORBIDDEN')
})
