import type { PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import * as shop from '@shop/shared/catalogue/endpoints.ts'
import type { GameCheck } from '@shop/shared/catalogue/player-check.ts'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { onceKey } from '../testing/shop.ts'
import { createSupplierShop, type SupplierShop } from '../testing/supplier.ts'
import { addWallet } from '../testing/wallet.ts'

let it: SupplierShop
/** What the supplier was asked. */
let asked: [sku: string, fields: string[]][]
type Validated = Awaited<ReturnType<NonNullable<SupplierShop['shop']['suppliers']['seagm']>['validatePlayer']>>
let says: Validated | 'nothing'

beforeAll(async () => {
  it = await createSupplierShop({ PLAYER_LOOKUP_TIMEOUT_MS: '1000' })
  const seagm = it.shop.suppliers.seagm!
  it.shop.suppliers = {
    seagm: {
      ...seagm,
      capabilities: { ...seagm.capabilities, validates: 'optional' },
      validatePlayer: async (sku, fields) => {
        asked.push([sku, fields])
        return says === 'nothing' ? { kind: 'unavailable' } : says
      },
    },
  }
  await it.db.query({ text: `UPDATE option SET value = 'true' WHERE name = 'CHECK_MIDASBUY'` })
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000_00, pin: '1234', now: it.clock.now })
})
afterAll(() => it.stop())
beforeEach(() => {
  asked = []
  says = 'nothing'
})

const setChecks = (...by: GameCheck['by'][]) =>
  it.db.query({
    text: 'UPDATE game SET player_checks = $1 WHERE id = $2',
    values: [JSON.stringify(by.map(each => ({ by: each, gameCode: '' }))), fixture.pubg.id],
  })
const check = ({ playerId, ...query }: PlayerValues) =>
  it.as(null).call(shop.checkPlayer, { params: { gameCode: 'pubg', playerId }, query })
const codeOfCheck = (playerId: string) =>
  it.as(null).codeOf(shop.checkPlayer, { params: { gameCode: 'pubg', playerId } })
const order = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, termsVersion: '1', pin: '1234' }
const buy = (playerId: string) =>
  it.as('agent').call(confirmOrder, { body: { ...order, playerId }, idempotencyKey: onceKey() })
const codeOfBuying = (playerId: string) =>
  it.as('agent').codeOf(confirmOrder, { body: { ...order, playerId }, idempotencyKey: onceKey() })

test('a supplier is asked about the first of its products that the game sells', async () => {
  await setChecks('seagm')
  says = { kind: 'ok', name: 'Nam' }
  expect(await check({ playerId: '61' })).toEqual({ uid: '61', name: 'Nam' })
  expect(asked).toEqual([['1001', ['61']]])
  expect((await buy('61')).playerName).toBe('Nam')
  expect(asked).toHaveLength(1)
})

test('a player whom a later one finds is sold to, under the name that it tells', async () => {
  await setChecks('midasbuy', 'seagm')
  says = { kind: 'ok', name: 'Global_62' }
  expect(await check({ playerId: '62' })).toMatchObject({ name: 'Global_62' })
  expect((await buy('62')).playerName).toBe('Global_62')
})

test('one who exists without a name is sold to without one', async () => {
  await setChecks('seagm')
  says = { kind: 'ok', name: null }
  expect(await check({ playerId: '63' })).toEqual({ uid: '63', name: null })
  expect((await buy('63')).playerName).toBeNull()
})

test('a game that nobody who is configured knows keeps nobody from paying', async () => {
  await setChecks('g2bulk')
  expect(await codeOfCheck('68')).toBe('PLAYER_NOT_CHECKED')
  expect((await buy('68')).playerName).toBeNull()
})

test('silence of all keeps nobody from paying', async () => {
  await setChecks('midasbuy', 'seagm')
  expect(await codeOfCheck('5000000000')).toBe('PLAYER_LOOKUP_TIMED_OUT')
  expect((await buy('5000000000')).playerName).toBeNull()
  expect((await buyByBank(it.as('customer'), { playerId: '5000000000' })).playerName).toBeNull()
})

test('a player of whom one is sure that there is none is refused, however silent the others are', async () => {
  await setChecks('midasbuy', 'seagm')
  expect(await codeOfCheck('64')).toBe('PLAYER_NOT_FOUND')
  expect(await codeOfBuying('64')).toBe('PLAYER_NOT_FOUND')
  await setChecks('seagm', 'midasbuy')
  expect(await codeOfBuying('65')).toBe('PLAYER_NOT_FOUND')
})

test('nobody is asked for the buyer of a code, who has no player', async () => {
  await setChecks('midasbuy')
  const set = (delivers: string) =>
    it.db.query({ text: 'UPDATE package SET delivers = $1 WHERE id = $2', values: [delivers, fixture.pubg.package] })
  await set('code')
  expect((await buy('66')).playerName).toBeNull()
  await set('top_up')
  expect(await codeOfBuying('66')).toBe('PLAYER_NOT_FOUND')
})

test('every input of a game is part of the question', async () => {
  await it.db.query({
    text: `UPDATE game SET field_labels = '{User ID,Zone ID,"","",""}' WHERE id = $1`,
    values: [fixture.pubg.id],
  })
  await setChecks('seagm')
  says = { kind: 'ok', name: 'Layla' }
  await check({ playerId: '67', field2: '2001' })
  await check({ playerId: '67', field2: '2002' })
  expect(asked.map(([, fields]) => fields)).toEqual([
    ['67', '2001'],
    ['67', '2002'],
  ])
})
