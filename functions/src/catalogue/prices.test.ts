import { saveBenefits } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { copyPrices, importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import * as shop from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { confirmOrder, confirmPrice, getPrice } from '@shop/shared/order/endpoints.ts'
import { bangkokDay, DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPackage, bulkChanges, failureOf, findPackage, lastAudit, price } from '../testing/catalogue.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'
import { PACKAGE_COLUMNS } from './package-csv.ts'

const START = new Date('2026-11-20T05:00:00.000Z')
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 9_000_000, pin: '1234', now: START })
})
beforeEach(() => {
  it.clock.now = START
})
afterAll(() => it.db.close())

const savePrices = (sold: { id: number; version: number }, prices: PriceEdit[], uid = 'manager') =>
  it.as(uid).call(contract.savePrices, { body: { packageId: sold.id, version: sold.version, prices } })
const refusal = (sold: { id: number; version: number }, prices: PriceEdit[]) =>
  failureOf(it.as('manager'), contract.savePrices, { body: { packageId: sold.id, version: sold.version, prices } })
let players = 0
const buy = (packageId: number) => {
  const body = { gameId: 1, packageId, playerId: `buyer-${++players}`, receivingAccountId: 1, termsVersion: '1' }
  // Guests together never take the last third of an account's amounts.
  return it.as(body.playerId).call(confirmPrice, { body, idempotencyKey: onceKey() })
}
const setDiscount = (packageId: number, discountSatang: number, isActived = true) =>
  it.as('manager').codeOf(saveBenefits, {
    body: { rows: [{ packageId, details: [{ tierId: TIER.id, discountSatang, isActived }] }] },
  })

describe('saving prices', () => {
  test('all of them or none, with the message of each payment method', async () => {
    const sold = await addPackage(it, 1, [])
    const error = await refusal(sold, [price('bank', { priceSatang: 14_950 }), price('wallet', { startDay: null })])
    expect(error).toMatchObject({
      code: 'PRICE_INVALID',
      fields: { bank: 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร เป็นจำนวนเต็ม', wallet: 'กรุณาใส่ข้อมูล Wallet ให้ครบ' },
    })
    expect((await refusal(sold, [price('bank'), price('wallet', { endDay: '2025-12-31' })])).fields).toEqual({
      wallet: 'วันเริ่มจำหน่าย Wallet มากกว่า วันหมดอายุ',
    })
    expect((await refusal(sold, [price('bank'), price('bank')])).code).toBe('INVALID_INPUT')
    expect((await findPackage(it, 1, sold.id)).masterPackage).toEqual([])
  })

  test('the list shows the range and the methods of what is on sale now', async () => {
    const sold = await addPackage(it, 1, [price('bank'), price('wallet', { priceSatang: 9_500 })])
    expect(sold).toMatchObject({
      minPriceSatang: 9_500,
      maxPriceSatang: 10_000,
      payments: ['bank', 'wallet'],
      version: 2,
    })
    const off = await savePrices(sold, [price('wallet', { priceSatang: 9_500, isActive: false })])
    expect(off).toMatchObject({ minPriceSatang: 10_000, maxPriceSatang: 10_000, payments: ['bank'] })
    const one = await savePrices(off, [price('bank', { endDay: '2026-11-20' })])
    it.clock.now = new Date(START.getTime() + DAY_MS)
    const none = await findPackage(it, 1, one.id)
    expect(none).toMatchObject({ minPriceSatang: null, maxPriceSatang: null, payments: [] })
  })

  test('two admins with the same prices: the second sees those of the first', async () => {
    const sold = await addPackage(it, 1, [price('bank')])
    const first = await savePrices(sold, [price('bank', { priceSatang: 11_000 })], 'admin')
    const error = await refusal(sold, [price('bank', { priceSatang: 12_000 })])
    expect(error.code).toBe('CONFLICT')
    expect(error.details!.current).toEqual(first)
    const rename = { id: sold.id, version: sold.version, gameId: 1, name: 'x', isActive: true }
    expect(await it.as('manager').codeOf(contract.savePackage, { body: rename })).toBe('CONFLICT')
    const codes = await Promise.all(
      ['admin', 'manager'].map(uid =>
        it.as(uid).codeOf(contract.savePrices, {
          body: { packageId: sold.id, version: first.version, prices: [price('bank', { priceSatang: 13_000 })] },
        }),
      ),
    )
    expect(codes.sort()).toEqual(['CONFLICT', 'OK'])
  })

  test('never below a discount, now or from the next price on; the tiers are named', async () => {
    const sold = await addPackage(it, 1, [price('wallet', { priceSatang: 10_000 })])
    expect(await setDiscount(sold.id, 8_000)).toBe('OK')
    const refused = async (change: Partial<PriceEdit>) => refusal(sold, [price('wallet', change)])
    for (const change of [{ priceSatang: 7_900 }, { nextPriceSatang: 7_900, nextDay: '2026-12-01' }])
      expect(await refused(change)).toMatchObject({
        code: 'PRICE_BELOW_DISCOUNT',
        message: 'ราคานี้ต่ำกว่าส่วนลดของ Gold กรุณาแก้ส่วนลดก่อน',
        details: { tiers: ['Gold'] },
      })
    const lower = await savePrices(sold, [price('wallet', { nextPriceSatang: 8_100, nextDay: '2026-12-01' })])
    expect(await setDiscount(sold.id, 8_200)).toBe('DISCOUNT_ABOVE_PRICE')
    expect(await setDiscount(sold.id, 8_200, false)).toBe('DISCOUNT_ABOVE_PRICE')
    expect(await setDiscount(sold.id, 8_100, false)).toBe('OK')
    await savePrices(lower, [price('wallet', { priceSatang: 500 })])
  })

  test('a package of another game, an unknown one and a game that is not there', async () => {
    const sold = await addPackage(it, 1, [])
    const code = (change: object) =>
      it.as('manager').codeOf(contract.savePackage, {
        body: { id: sold.id, version: sold.version, gameId: 1, name: 'x', isActive: true, ...change },
      })
    expect(await code({ gameId: 2 })).toBe('PACKAGE_NOT_FOUND')
    expect(await code({ gameId: 999_999 })).toBe('GAME_NOT_FOUND')
    expect(await code({ id: 999_999 })).toBe('PACKAGE_NOT_FOUND')
    expect(await code({ name: '' })).toBe('INVALID_INPUT')
    expect((await refusal({ id: 999_999, version: 1 }, [price('bank')])).code).toBe('PACKAGE_NOT_FOUND')
  })
})

describe('at midnight in Bangkok', () => {
  const priceAt = async (packageId: number, at: string | number) => {
    it.clock.now = new Date(at)
    const params = { gameCode: 'pubg', packageId, playerId: '1', paymentCode: 'bank' as const }
    const reply = await it
      .as(null)
      .call(getPrice, { params })
      .catch(error => error)
    const listed = (await it.as(null).call(shop.listGamePackages, { params: { gameCode: 'pubg' } })).find(
      each => each.id === packageId,
    )
    expect(listed?.priceSatang).toBe(reply.priceSatang)
    return reply.priceSatang ?? reply.code
  }
  const around = async (packageId: number, midnight: string) => {
    const at = Date.parse(midnight)
    return [await priceAt(packageId, at - 1), await priceAt(packageId, at), await priceAt(packageId, at + 1000)]
  }

  test.each([
    ['a leap day', '2028-02-29', '2028-02-28T17:00:00Z', '2028-02-29T17:00:00Z'],
    ['the last day of a year', '2026-12-31', '2026-12-30T17:00:00Z', '2026-12-31T17:00:00Z'],
  ])('a window of %s opens and closes', async (_, day, opens, closes) => {
    const { id } = await addPackage(it, 1, [price('bank', { startDay: day, endDay: day })])
    expect(await around(id, opens)).toEqual(['PACKAGE_NOT_ON_SALE', 10_000, 10_000])
    expect(await around(id, closes)).toEqual([10_000, 'PACKAGE_NOT_ON_SALE', 'PACKAGE_NOT_ON_SALE'])
  })

  test('an open end stays open, and the next price takes over for lists, quotes and orders alike', async () => {
    const next = { nextPriceSatang: 12_000, nextDay: '2026-12-01' }
    const { id } = await addPackage(it, 1, [price('bank', next)])
    expect(await around(id, '2026-11-30T17:00:00Z')).toEqual([10_000, 12_000, 12_000])
    expect(await priceAt(id, '2099-01-01T00:00:00Z')).toBe(12_000)
    it.clock.now = new Date('2026-11-30T16:59:59.999Z')
    expect((await buy(id)).priceSatang).toBe(10_000)
    it.clock.now = new Date('2026-11-30T17:00:00Z')
    expect((await buy(id)).priceSatang).toBe(12_000)
    expect((await findPackage(it, 1, id)).masterPackage).toEqual([price('bank', { priceSatang: 12_000 })])
  })

  test('the amounts that are taken are those of the price that holds: all 99 of a next price are given out', async () => {
    const next = { nextPriceSatang: 1_200, nextDay: '2026-12-01' }
    const { id } = await addPackage(it, 1, [price('bank', { priceSatang: 1_100, ...next })])
    it.clock.now = new Date('2026-11-30T17:00:00Z')
    const amounts = new Set<number>()
    for (let count = 0; count < 99; count++) amounts.add((await buy(id)).amountSatang)
    expect(amounts.size).toBe(99)
    expect([Math.min(...amounts), Math.max(...amounts)]).toEqual([1_201, 1_299])
    await expect(buy(id)).rejects.toMatchObject({ code: 'ACCOUNT_AMOUNTS_EXHAUSTED' })
  })
})

describe('many at once', () => {
  const { send, preview, bulk } = bulkChanges(() => it)
  const change = { kind: 'price', payment: 'bank', change: { by: 'percent', percent: 10 } }

  test('a preview shows what would be and changes nothing; then it is so', async () => {
    const sold = [
      await addPackage(it, 1, [price('bank')], 'a'),
      await addPackage(it, 1, [price('bank', { priceSatang: 20_000 })], 'b'),
    ]
    const ids = sold.map(({ id }) => id)
    const planned = await preview(ids, change)
    expect(planned).toMatchObject({
      total: 2,
      changed: 2,
      problems: 0,
      rows: [
        { name: 'a', before: '100 บาท', after: '110 บาท', problem: null },
        { name: 'b', before: '200 บาท', after: '220 บาท', problem: null },
      ],
    })
    expect((await findPackage(it, 1, ids[0]!)).version).toBe(2)
    expect(await bulk(ids, change)).toEqual(planned)
    expect((await findPackage(it, 1, ids[0]!)).masterPackage[0]!.priceSatang).toBe(11_000)
    expect((await lastAudit(it, `price:${ids[1]}`)).action).toBe('package.bulk')
  })

  test('what somebody changed since the preview is not changed unseen', async () => {
    const [sold, other] = [await addPackage(it, 1, [price('bank')]), await addPackage(it, 1, [price('bank')])]
    const ids = [sold.id, other.id]
    const { mark } = await preview(ids, change)
    await savePrices(other, [price('bank', { priceSatang: 50_000 })])
    await expect(send({ packages: { ids }, action: change, mark })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await findPackage(it, 1, sold.id)).version).toBe(sold.version)
    expect((await bulk(ids, change)).rows.map(({ after }) => after)).toEqual(['110 บาท', '550 บาท'])
  })

  test('from a later day on the price of today stays', async () => {
    const { id } = await addPackage(it, 1, [price('bank')])
    const action = { ...change, change: { by: 'set', satang: 9_000 }, fromDay: '2026-12-01' }
    const { rows } = await bulk([id], action)
    expect(rows[0]!.after).toBe('90 บาท ตั้งแต่ 01/12/2026')
    const [now] = (await findPackage(it, 1, id)).masterPackage
    expect(now).toEqual(price('bank', { nextPriceSatang: 9_000, nextDay: '2026-12-01' }))
  })

  test('one that can not be changed keeps all as they are, until it is left out', async () => {
    const good = await addPackage(it, 1, [price('bank')])
    const bare = await addPackage(it, 1, [])
    const cheap = await addPackage(it, 1, [price('bank', { priceSatang: 500 })])
    const ids = [good.id, bare.id, cheap.id]
    const action = { ...change, change: { by: 'amount', satang: -500 } }
    const { rows, changed, problems } = await preview(ids, action)
    expect([changed, problems]).toEqual([1, 2])
    expect(rows.map(({ problem }) => problem)).toEqual([
      'ไม่มีราคาสำหรับ โอนเงินธนาคาร',
      'กรุณาใส่ข้อมูล โอนเงินธนาคาร ให้ครบ',
      null,
    ])
    await expect(bulk(ids, action)).rejects.toMatchObject({ code: 'PRICE_INVALID' })
    expect((await findPackage(it, 1, good.id)).masterPackage[0]!.priceSatang).toBe(10_000)
    await expect(preview([999_999], action)).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    const rest = { packages: { ids }, action, isWithoutProblems: true }
    const { mark } = await send(rest)
    expect(await send({ ...rest, mark })).toMatchObject({ total: 1, changed: 1, problems: 0 })
    expect((await findPackage(it, 1, good.id)).masterPackage[0]!.priceSatang).toBe(9_500)
    expect((await findPackage(it, 1, cheap.id)).version).toBe(cheap.version)
  })

  test('all that a filter shows are changed in one go, unless they are others than in the preview', async () => {
    const names = Array.from({ length: 1_100 }, (_, index) => `every ${index}`)
    const csv = [PACKAGE_COLUMNS.join(), ...names.map(name => `mlbb,,,${name},,TRUE,100,2026-01-01,,TRUE,,,,,,,,`)]
    await it.as('manager').call(importPackages, { body: { csv: csv.join('\n'), isDryRun: false } })
    const off = await addPackage(it, 2, [price('bank')], 'every but off')
    const edit = { id: off.id, version: off.version, gameId: 2, name: off.name, isActive: false }
    await it.as('manager').call(contract.savePackage, { body: edit })
    const wanted = { packages: { gameId: 2, name: 'EVERY ', status: 'active' }, action: change }
    const first = await send(wanted)
    expect(first).toMatchObject({ total: 1_100, changed: 1_100, problems: 0 })
    expect(first.rows).toHaveLength(1_000)
    await addPackage(it, 2, [price('bank')], 'every one more')
    await expect(send({ ...wanted, mark: first.mark })).rejects.toMatchObject({ code: 'CONFLICT' })
    const { mark } = await send(wanted)
    expect(await send({ ...wanted, mark })).toMatchObject({ changed: 1_101 })
    const prices = await it.db.query<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM package p JOIN package_price r ON r.package_id = p.id
        WHERE p.name LIKE 'every %' AND r.price_satang = 11000`,
    })
    expect(prices[0]!.n).toBe(1_101)
    expect((await send({ packages: { gameId: 1, name: 'every' }, action: change })).total).toBe(0)
  })

  test('switched off they are not sold, and undone they are', async () => {
    const { id } = await addPackage(it, 1, [price('bank')])
    await bulk([id], { kind: 'deactivate' })
    await expect(buy(id)).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    const { id: auditId } = await lastAudit(it, `package:${id}`)
    await it.as('manager').call(undoChange, { body: { auditId } })
    expect((await buy(id)).package.id).toBe(id)
  })

  test('copied prices are those of the other, discounts are looked at, and one step takes them back', async () => {
    const source = await addPackage(it, 1, [
      price('bank', { priceSatang: 7_700 }),
      price('wallet', { priceSatang: 5_000 }),
    ])
    const target = await addPackage(it, 1, [price('bank')])
    const copy = (toPackageIds: number[]) =>
      it.as('manager').codeOf(copyPrices, { body: { fromPackageId: source.id, toPackageIds } })
    expect(await copy([target.id])).toBe('OK')
    expect((await findPackage(it, 1, target.id)).masterPackage).toEqual(source.masterPackage)
    const { id: auditId } = await lastAudit(it, `price:${target.id}`)
    await it.as('manager').call(undoChange, { body: { auditId } })
    expect((await findPackage(it, 1, target.id)).masterPackage).toEqual([price('bank')])
    const discounted = await addPackage(it, 1, [price('wallet')])
    await setDiscount(discounted.id, 6_000)
    expect(await copy([discounted.id])).toBe('PRICE_BELOW_DISCOUNT')
    expect(await copy([999_999])).toBe('PACKAGE_NOT_FOUND')
  })
})

describe('who pays what, and why', () => {
  const explain = (packageId: number, at?: Date) =>
    it.as('manager').call(contract.explainPrices, {
      params: { packageId },
      query: { at: at?.toISOString() },
    })

  test('is what an order really costs, whatever the windows, discounts and next prices', async () => {
    const day = (offset: number) => bangkokDay(new Date(START.getTime() + offset * DAY_MS))
    const offset = fc.integer({ min: -3, max: 3 })
    const baht = fc.integer({ min: 20, max: 90 }).map(each => each * 100)
    const drawn = fc.record({
      start: offset,
      end: fc.option(offset),
      next: fc.option(fc.record({ at: offset, priceSatang: baht })),
      priceSatang: baht,
      discountSatang: fc.integer({ min: 0, max: 1_999 }),
      isActive: fc.boolean(),
      when: fc.record({ day: offset, second: fc.constantFrom(-1, 0, 1, 40_000) }),
    })
    const sold = await addPackage(it, 1, [price('bank'), price('wallet')])
    await fc.assert(
      fc.asyncProperty(drawn, async ({ start, end, next, priceSatang, discountSatang, isActive, when }) => {
        const last = end === null ? Number.POSITIVE_INFINITY : Math.max(start, end)
        // Saved before any of these days, because days that have passed are refused.
        it.clock.now = new Date(START.getTime() - 4 * DAY_MS)
        const shape = {
          priceSatang,
          isActive,
          startDay: day(start),
          endDay: end === null ? null : day(last),
          // A planned price begins before the sale is over.
          nextPriceSatang: next?.priceSatang ?? null,
          nextDay: next ? day(Math.min(next.at, last)) : null,
        }
        await setDiscount(sold.id, 0)
        const { version } = await findPackage(it, 1, sold.id)
        await savePrices({ id: sold.id, version }, [price('bank', shape), price('wallet', shape)])
        expect(await setDiscount(sold.id, discountSatang)).toBe('OK')
        it.clock.now = START
        const at = new Date(startOfBangkokDay(day(when.day)).getTime() + when.second * 1000)
        // What is set now holds for moments to come, and for now.
        it.clock.now = at < START ? START : at
        const { rows } = await explain(sold.id, it.clock.now)
        const bank = await buy(sold.id).then(
          order => order.priceSatang,
          () => null,
        )
        const body = { gameId: 1, packageId: sold.id, playerId: '51', termsVersion: '1', pin: '1234' }
        const wallet = await it
          .as('agent')
          .call(confirmOrder, { body, idempotencyKey: onceKey() })
          .then(
            order => order.priceSatang,
            () => null,
          )
        expect(rows.map(({ payment, tierId, paysSatang }) => [payment, tierId, paysSatang])).toEqual([
          ['bank', null, bank],
          ['wallet', TIER.id, wallet],
        ])
      }),
      { numRuns: 40 },
    )
  })

  test('looks back: what was set at that moment, also of packages that are off by now', async () => {
    const sold = await addPackage(it, 1, [price('wallet', { priceSatang: 10_000 })])
    it.clock.advance(60)
    await setDiscount(sold.id, 1_000)
    it.clock.advance(60)
    const dearer = await savePrices(sold, [price('wallet', { priceSatang: 20_000 })])
    it.clock.advance(60)
    const off = { id: sold.id, version: dearer.version, gameId: 1, name: sold.name, isActive: false }
    await it.as('manager').call(contract.savePackage, { body: off })
    it.clock.advance(60)
    const paid = async (seconds: number) => {
      const { rows } = await explain(sold.id, new Date(START.getTime() + seconds * 1000))
      return rows.find(({ payment }) => payment === 'wallet')
    }
    expect((await paid(30))?.paysSatang).toBe(10_000)
    expect((await paid(90))?.paysSatang).toBe(9_000)
    expect((await paid(150))?.paysSatang).toBe(19_000)
    expect(await paid(200)).toMatchObject({ paysSatang: null, reasons: ['แพ็กเกจถูกปิดไว้'] })
    expect((await paid(-60))?.paysSatang).toBeNull()
  })
})
