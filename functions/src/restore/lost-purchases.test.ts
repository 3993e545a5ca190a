import { expect, test } from 'vitest'
import { Refusal } from '../database/refusal.ts'
import { readPurchases } from './lost-purchases.ts'

test("a supplier's list is read as far as it tells, whatever its columns are called and divided by", () => {
  const text =
    '\uFEFFTime;Reference;Item;Amount\r\n2026-11-23 21:00:05;K1;"60; UC";1,250.50\r\n;;;\r\n1763913605;K2;;free\r\n'
  expect(readPurchases(text)).toEqual([
    {
      reference: 'K1',
      boughtAt: new Date('2026-11-23T14:00:05Z'),
      product: '60; UC',
      player: null,
      costSatang: 125_050,
    },
    { reference: 'K2', boughtAt: new Date(1_763_913_605_000), product: null, player: null, costSatang: null },
  ])
  expect(readPurchases('mch_order_id,timestamp,user_id\nK3,2026-11-23T21:00:05Z,51')).toEqual([
    { reference: 'K3', boughtAt: new Date('2026-11-23T21:00:05Z'), product: null, player: '51', costSatang: null },
  ])
})

test.each([
  ['empty', ''],
  ['without a reference', 'time,amount\n1,2'],
  ['cut off within quotes', 'reference,item\nK1,"60'],
])('a list that is %s is refused in words', (_, text) => {
  expect(() => readPurchases(text)).toThrow(Refusal)
})
