import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changedPrice,
  defaultPrice,
  explainPrice,
  type PriceEdit,
  priceFault,
  priceFaultNow,
  priceProblem,
  settled,
} from './price-editing.ts'
import { isOnSale, listPriceAt, type PriceRow } from './pricing.ts'

const edit = (change: Partial<PriceEdit> = {}): PriceEdit => ({
  payment: 'bank',
  priceSatang: 14_900,
  startDay: '2026-11-20',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})
const row = (change: Partial<PriceRow> = {}) => edit(change as Partial<PriceEdit>) as PriceEdit & PriceRow

describe('what is wrong with an edited price', () => {
  test.each<[string, Partial<PriceEdit>, string | null]>([
    ['nothing', {}, null],
    ['no price', { priceSatang: null }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร ให้ถูกต้อง'],
    ['below zero', { priceSatang: -100 }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร ให้ถูกต้อง'],
    ['no price, switched off', { priceSatang: null, isActive: false }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร ให้ถูกต้อง'],
    ['satang in it', { priceSatang: 14_950 }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร เป็นจำนวนเต็ม'],
    ['an odd number of baht', { priceSatang: 14_900 }, null],
    ['zero, switched on', { priceSatang: 0 }, 'กรุณาใส่ข้อมูล โอนเงินธนาคาร ให้ครบ'],
    ['zero, switched off', { priceSatang: 0, isActive: false }, null],
    ['no start, switched on', { startDay: null }, 'กรุณาใส่ข้อมูล โอนเงินธนาคาร ให้ครบ'],
    ['no start, switched off', { startDay: null, isActive: false }, 'วันเริ่มจำหน่าย, หมดอายุ โอนเงินธนาคาร ต้องไม่ว่าง'],
    ['an end before the start', { endDay: '2026-11-19' }, 'วันเริ่มจำหน่าย โอนเงินธนาคาร มากกว่า วันหมดอายุ'],
    ['one day only', { endDay: '2026-11-20' }, null],
    ['a next price without its day', { nextPriceSatang: 100 }, 'กรุณาใส่ราคาล่วงหน้าและวันเริ่มของ โอนเงินธนาคาร ให้ครบ'],
    ['a day without its next price', { nextDay: '2026-12-01' }, 'กรุณาใส่ราคาล่วงหน้าและวันเริ่มของ โอนเงินธนาคาร ให้ครบ'],
    ['nothing to pay next', { nextPriceSatang: 0, nextDay: '2026-12-01' }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร ให้ถูกต้อง'],
    ['satang in the next', { nextPriceSatang: 150, nextDay: '2026-12-01' }, 'กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร เป็นจำนวนเต็ม'],
  ])('%s', (_, change, problem) => {
    expect(priceProblem(edit(change))).toBe(problem)
  })

  test.each<[string, Partial<PriceEdit>, keyof PriceEdit | null]>([
    ['a million baht', { priceSatang: 1_000_000_00 }, null],
    ['more', { priceSatang: 1_000_001_00 }, 'priceSatang'],
    ['more, later', { nextPriceSatang: 1_000_001_00, nextDay: '2026-12-01' }, 'nextPriceSatang'],
    ['a next price on the last day', { endDay: '2026-12-31', nextPriceSatang: 100_00, nextDay: '2026-12-31' }, null],
    ['one after the end', { endDay: '2026-12-31', nextPriceSatang: 100_00, nextDay: '2027-01-01' }, 'nextDay'],
  ])('%s', (_, change, at) => {
    expect(priceFault(edit(change))?.at ?? null).toBe(at)
  })

  test('that a planned price would never hold is said with both days', () => {
    expect(priceProblem(edit({ endDay: '2026-12-31', nextPriceSatang: 100_00, nextDay: '2027-01-15' }))).toContain(
      'เริ่ม 15/01/2027 แต่หมดช่วงขาย 31/12/2026',
    )
  })

  test('names the payment method it is about', () => {
    expect(priceProblem(edit({ payment: 'wallet', priceSatang: null }))).toBe('กรุณาใส่ข้อมูลราคา Wallet ให้ถูกต้อง')
  })
})

test.each<[string, Partial<PriceEdit>, Partial<PriceEdit> | null, keyof PriceEdit | null]>([
  ['a new price from today', {}, null, null],
  ['a new one from yesterday', { startDay: '2026-11-19' }, null, 'startDay'],
  ['one that has been on sale since then', { startDay: '2026-11-01' }, { startDay: '2026-11-01' }, null],
  ['a passed start that is switched off', { startDay: '2026-11-01', isActive: false }, null, null],
  ['an end that has passed', { startDay: '2026-11-01', endDay: '2026-11-19' }, { startDay: '2026-11-01' }, 'endDay'],
  [
    'a sale that is over, as it was',
    { startDay: '2026-11-01', endDay: '2026-11-19' },
    { startDay: '2026-11-01', endDay: '2026-11-19' },
    null,
  ],
  [
    'a sale that is over, switched on',
    { startDay: '2026-11-01', endDay: '2026-11-19' },
    { startDay: '2026-11-01', endDay: '2026-11-19', isActive: false },
    'endDay',
  ],
  [
    'a planned price from tomorrow',
    { startDay: '2026-11-01', nextPriceSatang: 100_00, nextDay: '2026-11-21' },
    { startDay: '2026-11-01' },
    null,
  ],
  [
    'one from today',
    { startDay: '2026-11-01', nextPriceSatang: 100_00, nextDay: '2026-11-20' },
    { startDay: '2026-11-01' },
    'nextDay',
  ],
  ['what is wrong on any day', { priceSatang: null }, null, 'priceSatang'],
])('days of %s', (_, change, was, at) => {
  const now = new Date('2026-11-20T05:00:00Z')
  expect(priceFaultNow(edit(change), was ? edit(was) : undefined, now)?.at ?? null).toBe(at)
})

test('a method without a price begins today in Bangkok, off, and has no end', () => {
  expect(defaultPrice('wallet', new Date('2026-12-31T17:00:00Z'))).toEqual(
    edit({ payment: 'wallet', priceSatang: 0, startDay: '2027-01-01', endDay: null, isActive: false }),
  )
  expect(defaultPrice('bank', new Date('2026-12-31T16:59:59Z')).startDay).toBe('2026-12-31')
})

test('a next price takes over at midnight in Bangkok, also where there was none to pay before', () => {
  const planned = row({ priceSatang: 10_000, nextPriceSatang: 12_000, nextDay: '2026-12-01' })
  const [before, after] = [new Date('2026-11-30T16:59:59.999Z'), new Date('2026-11-30T17:00:00Z')]
  expect([listPriceAt(planned, before), listPriceAt(planned, after)]).toEqual([10_000, 12_000])
  expect(settled(planned, before)).toEqual(planned)
  expect(settled(planned, after)).toEqual(row({ priceSatang: 12_000 }))
  const free = row({ priceSatang: 0, nextPriceSatang: 12_000, nextDay: '2026-12-01' })
  expect([isOnSale(free, before), isOnSale(free, after)]).toEqual([false, true])
})

test('a changed price is whole baht, rounded, and never below zero', () => {
  expect(changedPrice(14_900, { by: 'amount', satang: -1_000 })).toBe(13_900)
  expect(changedPrice(14_900, { by: 'percent', percent: 10 })).toBe(16_400)
  expect(changedPrice(14_900, { by: 'set', satang: 20_000 })).toBe(20_000)
  expect(changedPrice(14_900, { by: 'amount', satang: -99_900 })).toBe(0)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.double({ min: -99, max: 1000, noNaN: true }),
      (baht, percent) => {
        const price = changedPrice(baht * 100, { by: 'percent', percent })
        expect(price % 100).toBe(0)
        expect(Math.abs(price - (baht * 100 * (100 + percent)) / 100)).toBeLessThanOrEqual(50.01)
      },
    ),
  )
})

test('why a price is not sold is said in words', () => {
  const at = new Date('2026-11-20T05:00:00Z')
  const why = (price: PriceRow | null) => explainPrice(price, null, at).reasons.join()
  expect(why(null)).toBe('ไม่มีราคาสำหรับช่องทางนี้')
  expect(why(row({ isActive: false }))).toBe('ราคาถูกปิดไว้')
  expect(why(row({ startDay: '2026-11-21' }))).toBe('ยังไม่เริ่มจำหน่าย (เริ่ม 21/11/2026 00:00 น.)')
  expect(why(row({ startDay: '2026-11-01', endDay: '2026-11-19' }))).toBe('หมดช่วงจำหน่ายแล้ว (สิ้นวัน 19/11/2026)')
  expect(why(row({ priceSatang: 0 }))).toBe('ราคาเป็น 0 บาท')
})

test('days stand in reasons as people write them', () => {
  const sold = row({ endDay: '2026-12-31', nextPriceSatang: 12_000, nextDay: '2026-12-01' })
  expect(explainPrice(sold, null, new Date('2026-12-01T05:00:00Z')).reasons).toEqual([
    'ราคาตั้งของวันที่ 01/12/2026',
    'ราคาล่วงหน้ามีผลตั้งแต่ 01/12/2026 00:00 น.',
    'จำหน่ายถึงสิ้นวัน 31/12/2026',
    'ไม่ใช่ตัวแทน ไม่มีส่วนลด',
  ])
})
