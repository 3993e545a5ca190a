import { listTiers, mapTier, saveBenefits, saveTier } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { changePackages, copyPrices, importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { Source } from '@shop/shared/catalogue/delivers.ts'
import { savePackage, savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { changePriceRules, getCosts, saveRate } from '@shop/shared/cost/endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { price } from '../../catalogue.ts'
import { fixture } from '../../fixture.ts'
import { TIER } from '../../wallet.ts'
import { DEAR } from '../shop.ts'
import type { Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const BAHT = 100
const LOW = 11 * BAHT

/** The thief's own package, so that what others do to theirs changes nothing. */
async function packageOf(
  thief: Thief,
  kind = 'own',
  sold = DEAR as { costSatang: number; priceSatang: number; sku: string },
): Promise<number> {
  const known = thief.kept.get(kind)
  if (known) return Number(known)
  const id = await thief.it.addPackage(`${thief.uid} ${kind}`, sold)
  thief.kept.set(kind, String(id))
  thief.marks.add(`${thief.uid} ${kind}`)
  return id
}

const versionOf = async ({ it }: Thief, id: number): Promise<number> => {
  const [row] = await it.db.query<{ version: number }>({
    text: 'SELECT version FROM package WHERE id = $1',
    values: [id],
  })
  return row!.version
}

/** Days that have passed are refused, so it begins today. */
const bankPrice = ({ it }: Thief, priceSatang: number, change: Partial<PriceEdit> = {}) => [
  price('bank', { priceSatang, startDay: bangkokDay(it.clock.now), ...change }),
]

async function savePrice(
  thief: Thief,
  packageId: number,
  change: { prices?: PriceEdit[]; costSatang?: number | null; sources?: Source[]; isAutomatic?: boolean },
) {
  const version = await versionOf(thief, packageId)
  return thief.do(savePrices, { body: { packageId, version, prices: [], ...change } })
}

/** A puppet buys it at what it costs now, and truly pays. */
async function buy(thief: Thief, packageId: number): Promise<void> {
  await thief.pay(await thief.order({ packageId }))
}

const priceWay = (
  words: Pick<Way, 'tries' | 'test'> & Partial<Pick<Way, 'control' | 'refusal' | 'ripens'>>,
  run: (thief: Thief, packageId: number) => Promise<unknown>,
): Way => ({
  takes: 'goods',
  control: 'a larger loss than was agreed takes a second manager, whatever leads to it',
  refusal: 'SECOND_WORD_NEEDED',
  ...words,
  async run(thief) {
    const packageId = await packageOf(thief)
    await run(thief, packageId)
    await buy(thief, packageId)
  },
})

const NO_OTHER_WAY = ['catalogue/below-cost.test.ts', 'no other way to the same price goes without one'] as const

export const catalogueWays = {
  priceBelowCost: priceWay(
    {
      tries: 'a price below cost, in one step and in many small ones, or of nothing',
      test: ['catalogue/below-cost.test.ts', 'a price below cost waits for a second manager'],
    },
    async (thief, id) => {
      for (const to of [LOW, DEAR.costSatang - 100 * BAHT, DEAR.costSatang - BAHT])
        await savePrice(thief, id, { prices: bankPrice(thief, to) })
    },
  ),
  nextPrice: priceWay(
    { ripens: true, tries: 'a price below cost from tomorrow on', test: NO_OTHER_WAY },
    async (thief, id) => {
      const nextDay = bangkokDay(new Date(thief.it.clock.now.getTime() + DAY_MS))
      await savePrice(thief, id, { prices: bankPrice(thief, DEAR.priceSatang, { nextPriceSatang: LOW, nextDay }) })
    },
  ),
  pricesInBulk: priceWay(
    { tries: 'prices of many packages lowered at once', test: NO_OTHER_WAY },
    async (thief, id) => {
      const action = { kind: 'price', payment: 'bank', change: { by: 'set', satang: LOW } } as const
      const seen = await thief.do(changePackages, { body: { packages: { ids: [id] }, action } })
      if (seen) await thief.do(changePackages, { body: { packages: { ids: [id] }, action, mark: seen.mark } })
    },
  ),
  pricesFromFile: priceWay(
    { tries: 'prices read from a file with low cells, and with cells that are wrong', test: NO_OTHER_WAY },
    async (thief, id) => {
      const version = await versionOf(thief, id)
      const file = (cell: string) =>
        `game,id,version,name,desc,active,bank_price,bank_start,bank_end,bank_active,bank_next_price,bank_next_day,wallet_price,wallet_start,wallet_end,wallet_active,wallet_next_price,wallet_next_day\npubg,${id},${version},${thief.uid} own,,TRUE,${cell},2026-01-01,,TRUE,,,,,,,,\n`
      for (const cell of ['11', '-5', '1e9', '0'])
        await thief.do(importPackages, { body: { csv: file(cell), isDryRun: false } })
    },
  ),
  pricesCopied: priceWay({ tries: 'prices copied from a cheap package', test: NO_OTHER_WAY }, async (thief, id) => {
    const cheap = await packageOf(thief, 'cheap', { costSatang: 5 * BAHT, priceSatang: LOW, sku: '1001' })
    await thief.do(copyPrices, { body: { fromPackageId: cheap, toPackageIds: [id] } })
  }),
  costEdited: priceWay(
    {
      tries: 'the cost set to nothing or unknown first, the price after it',
      control: 'a known cost that goes takes a second manager; nothing is bought for more than the cost that is set',
      test: ['catalogue/below-cost.test.ts', 'an order that brings less than its goods cost'],
    },
    async (thief, id) => {
      await savePrice(thief, id, { costSatang: null, isAutomatic: false })
      await savePrice(thief, id, { costSatang: 1 * BAHT })
      await savePrice(thief, id, { prices: bankPrice(thief, LOW) })
    },
  ),
  rulesOfNothing: priceWay(
    {
      tries: 'a rule that adds nothing, after the cost was set to next to nothing',
      control: 'a price by rule is never below the cost that is set; nothing is bought for more than that',
      test: ['catalogue/below-cost.test.ts', 'an order that brings less than its goods cost'],
      refusal: null,
    },
    async (thief, id) => {
      await savePrice(thief, id, { costSatang: 1 * BAHT })
      const none = { basisPoints: 0, fixedSatang: 0, leastSatang: 0, rounding: 'baht' } as const
      const body = { gameId: fixture.pubg.id, rules: [{ target: 'bank', ...none }], applies: true }
      const seen = await thief.do(changePriceRules, { body })
      if (seen) await thief.do(changePriceRules, { body: { ...body, mark: seen.mark } })
    },
  ),
  rateLowered: priceWay(
    {
      tries: 'a rate of exchange typed far too low, in one step and in many small ones',
      control: 'the first rate, and any lower one, takes a second manager',
      test: ['cost/rates.test.ts', 'a typed rate holds until the bank tells a later day'],
    },
    async thief => {
      for (const baht of ['0.01', '33', '32.99']) {
        const { rates } = await thief.it.as('manager').call(getCosts, {})
        const seen = rates.find(({ currency }) => currency === 'USD')!.baht
        await thief.do(saveRate, { body: { currency: 'USD', baht, seen } })
      }
    },
  ),
  skuSwapped: {
    ...priceWay(
      {
        tries: 'a cheap package pointed at the supplier’s dear product',
        control: 'no purchase costs more than the order brings with what was agreed',
        test: ['catalogue/below-cost.test.ts', 'an order that brings less than its goods cost'],
        refusal: null,
      },
      async () => {},
    ),
    async run(thief) {
      const cheap = await packageOf(thief, 'cheap', { costSatang: 5 * BAHT, priceSatang: LOW, sku: '1001' })
      await savePrice(thief, cheap, {
        sources: [{ supplier: 'seagm', sku: DEAR.sku, costSatang: null }],
        prices: bankPrice(thief, LOW),
      })
      await buy(thief, cheap)
    },
  },
  priceTakenBack: priceWay(
    {
      tries: 'a low price that was put right taken back by undo, and a package saved anew with it',
      test: ['catalogue/below-cost.test.ts', 'a discount below cost, or of the whole price, waits'],
    },
    async (thief, id) => {
      // A price of before there were costs, which somebody put right.
      await thief.it.db.query({
        text: `UPDATE package_price SET price_satang = $2 WHERE package_id = $1`,
        values: [id, LOW],
      })
      await thief.it.db.query({ text: `UPDATE package SET is_active = false WHERE id = $1`, values: [id] })
      const honest = thief.it.as('manager-2')
      await honest.call(savePrices, {
        body: {
          packageId: id,
          version: await versionOf(thief, id),
          prices: [
            ...bankPrice(thief, DEAR.priceSatang),
            price('wallet', { priceSatang: DEAR.priceSatang, startDay: bangkokDay(thief.it.clock.now) }),
          ],
        },
      })
      const [entry] = await thief.it.db.query<{ id: string }>({
        text: `SELECT id FROM audit_entry WHERE subject IN ($1, $2) ORDER BY at DESC, id DESC LIMIT 1`,
        values: [`price:${id}`, `package:${id}`],
      })
      if (entry) await thief.do(undoChange, { body: { auditId: entry.id } })
      const body = { id, gameId: fixture.pubg.id, name: `${thief.uid} own`, desc: '', isActive: true }
      await thief.do(savePackage, { body: { ...body, version: await versionOf(thief, id) } })
      await thief.it.db.query({ text: `UPDATE package SET is_active = true WHERE id = $1`, values: [id] })
    },
  ),
  discountGrid: {
    ...priceWay(
      {
        tries: 'the discounts of a tier set to the whole price, or below cost',
        test: ['catalogue/below-cost.test.ts', 'a discount below cost, or of the whole price, waits'],
      },
      async () => {},
    ),
    async run(thief) {
      const sold = { costSatang: 300 * BAHT, priceSatang: 400 * BAHT, sku: DEAR.sku }
      const packageId = await packageOf(thief, 'small', { ...sold, sku: '1001', costSatang: 100 * BAHT })
      for (const discountSatang of [400 * BAHT, 399 * BAHT, 301 * BAHT]) {
        const details = [{ tierId: TIER.id, discountSatang, isActived: true }]
        await thief.do(saveBenefits, { body: { rows: [{ packageId, details }], allowsFree: true } })
      }
      const wallet = await thief.wallet(1000 * BAHT)
      for (const _ of [1, 2]) await thief.spend(wallet.hand, '1234', { packageId })
    },
  },
  tierGiven: {
    ...priceWay(
      {
        tries: 'a friend put into a tier with better discounts, or into one that was made for them',
        control: 'a discount is judged for all tiers; a new tier has limits, which are admins’',
        test: ['value/guards.test.ts', 'a tier'],
        refusal: null,
      },
      async () => {},
    ),
    async run(thief) {
      const { it, uid } = thief
      const limits = {
        maxAmountSatang: 1_000_000_000,
        minTopUpSatang: 0,
        maxAmountPerOrderSatang: 1_000_000_000,
        maxItemPerOrder: 1000,
      }
      const tier = { name: `ของ ${uid}`, ...limits, isActived: true }
      const known = (await it.as('admin').call(listTiers, {})).find(({ name }) => name === tier.name)
      const made = known ?? (await thief.do(saveTier, { body: tier }))
      const wallet = await thief.wallet(2 * DEAR.priceSatang)
      await thief.do(mapTier, { body: { uid: wallet.uid, tierId: made?.id ?? TIER.id, isActived: true } })
      await thief.spend(wallet.hand, '1234')
      await thief.spend(wallet.hand, '1234', { quantity: 2 })
    },
  },
} satisfies Record<string, Way>
