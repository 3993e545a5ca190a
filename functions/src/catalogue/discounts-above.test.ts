import { checkPriceAboveDiscounts } from '@shop/shared/agent/agent.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'
import { discountsAbove } from './discounts-above.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  // Its tier, Gold, has a discount on the fixture's package.
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
})
afterAll(() => it.db.close())

const above = (priceSatang: number, packageId: number = fixture.pubg.package) =>
  it.shop.db.transaction(tx => discountsAbove(tx, packageId, priceSatang))
const { discountSatang } = TIER

test('names the tiers that a price would give a package to for nothing, by their active discounts', async () => {
  const gold = { tierId: TIER.id, tierName: 'Gold', discountSatang }
  expect(await above(discountSatang)).toEqual([])
  expect(await above(discountSatang - 1)).toEqual([gold])
  expect(await above(discountSatang - 1, fixture.mlbb.package)).toEqual([])
  const found = await above(discountSatang - 1)
  expect(() => checkPriceAboveDiscounts(discountSatang - 1, found)).toThrow('Gold')
  await it.db.query({ text: 'UPDATE discount SET is_active = false' })
  expect(await above(discountSatang - 1)).toEqual([])
})
