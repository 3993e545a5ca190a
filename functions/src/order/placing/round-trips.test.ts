import { findPlayer } from '@shop/shared/catalogue/endpoints.ts'
import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { bankOrder, holdByBank } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

/** What an order costs the database: each thing that a connection sends is a round trip, BEGIN and COMMIT among them. */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  await addAccount(it, 'nobody-yet', 'customer')
  // As a server that has answered anything has it.
  await it.shop.catalogue.latest()
})
afterAll(() => it.db.close())

/** The names of all that is sent while `work` runs. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const send = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return send.mock.calls.map(([statement]) => {
      const { name, text } = statement as unknown as { name?: string; text?: string }
      return name ?? text ?? String(statement)
    })
  } finally {
    send.mockRestore()
  }
}

const byBank = (caller: TestCaller, change = {}) =>
  caller.call(confirmPrice, { body: bankOrder(change), idempotencyKey: onceKey() })
const byWallet = (change = {}) => {
  const body = { gameId: 1, packageId: 1, playerId: '5123456789', termsVersion: '1', pin: '1234', ...change }
  return it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
}

test('a guest by bank transfer: two', async () => {
  expect(await sentBy(() => byBank(it.as(null)))).toEqual(['order_facts_bank_guest', 'order_insert_reply_amount'])
})

test('somebody signed in by bank transfer: two', async () => {
  expect(await sentBy(() => byBank(it.as('customer')))).toEqual([
    'order_facts_bank_account',
    'order_insert_reply_amount',
  ])
})

test('so is one with the amount that was held for it', async () => {
  const buyer = it.as('nobody-yet')
  const { id } = await holdByBank(buyer)
  const sent = await sentBy(() => byBank(buyer, { randPointId: id }))
  expect(sent).toEqual(['order_facts_bank_account', 'order_insert_reply_amount'])
})

test('staff, whose other sessions are asked for a second factor, buy as everybody does', async () => {
  expect(await sentBy(() => byBank(it.as('staff')))).toEqual(['order_facts_bank_account', 'order_insert_reply_amount'])
})

const WALLET = ['order_facts_wallet_account', 'order_insert_reply_pin_fromWallet_paid']

test('an agent from the wallet: two', async () => {
  expect(await sentBy(byWallet)).toEqual(WALLET)
})

test('so is one whose player is checked, once the customer has looked it up', async () => {
  const setCheck = (value: string) =>
    it.db.query({ text: `UPDATE option SET value = $1 WHERE name = 'CHECK_MIDASBUY'`, values: [value] })
  await setCheck('true')
  try {
    await it.as('agent').call(findPlayer, { params: { id: '5123456789' } })
    // The first order after a change of the catalogue reads it again.
    await byWallet()
    let name: string | null = null
    const sent = await sentBy(async () => {
      name = (await byWallet()).playerName
    })
    expect([sent, name]).toEqual([WALLET, 'Namkhao_TH'])
  } finally {
    await setCheck('false')
  }
})

test('what was changed between the two is decided on again, and sold as it is now', async () => {
  // The catalogue that is known is the one in force.
  expect((await byBank(it.as(null))).priceSatang).toBe(fixture.pubg.bankSatang)
  const { findFacts } = it.shop
  const newPrice = fixture.pubg.bankSatang + 5_000
  let isChanged = false
  it.shop.findFacts = async ask => {
    const facts = await findFacts(ask)
    if (!isChanged) {
      isChanged = true
      const text = `UPDATE package_price SET price_satang = $1 WHERE package_id = $2 AND payment = 'bank'`
      await it.db.query({ text, values: [newPrice, fixture.pubg.package] })
    }
    return facts
  }
  try {
    expect((await byBank(it.as(null))).priceSatang).toBe(newPrice)
  } finally {
    it.shop.findFacts = findFacts
  }
})
