import * as catalogue from '@shop/shared/catalogue/endpoints.ts'
import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { bankOrder, holdByBank } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

/** What an order and the reads before it cost the database: each thing that a connection sends is a round trip, BEGIN and COMMIT among them. */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  await addAccount(it, 'nobody-yet', 'customer')
  await addAccount(it, `line:U${'1'.repeat(32)}`, 'customer')
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
    await it.as('agent').call(catalogue.findPlayer, { params: { id: '5123456789' } })
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

describe('before an order', () => {
  const params = { gameCode: fixture.pubg.code }
  const WHO = {
    guest: null,
    customer: 'customer',
    'customer from LINE': `line:U${'1'.repeat(32)}`,
    agent: 'agent',
    staff: 'staff',
  } as const
  type Kind = keyof typeof WHO
  /** Each process asks for the version every two seconds, whoever calls; here it does with each call. */
  const BY_CLOCK = 'catalogue_version'
  const sentFor = async (kind: Kind, look: (caller: TestCaller) => Promise<unknown>) =>
    (await sentBy(() => look(it.as(WHO[kind])))).filter(name => name !== BY_CLOCK)
  const kinds = Object.keys(WHO) as Kind[]

  const PRICED: [string, (caller: TestCaller) => Promise<unknown>][] = [
    ['games', caller => caller.call(catalogue.listGames, {})],
    ['packages', caller => caller.call(catalogue.listGamePackages, { params })],
    ['all of a game', caller => caller.call(catalogue.getGameOffer, { params })],
  ]
  const SAME: typeof PRICED = [
    ['ways to pay', caller => caller.call(catalogue.listPaymentMethods, {})],
    ['accounts', caller => caller.call(catalogue.listReceivingAccounts, {})],
    ['banks', caller => caller.call(catalogue.listBanks, {})],
    ['banners', caller => caller.call(catalogue.listBanners, {})],
    ['terms', caller => caller.call(getTerms, {})],
  ]

  test.each(SAME)('%s: none, for anybody', async (_, look) => {
    for (const kind of kinds) expect([kind, await sentFor(kind, look)]).toEqual([kind, []])
  })

  const ACCOUNT = ['account_find']
  test.each(PRICED)("%s: none at the prices of all, the account for a tier's", async (_, look) => {
    for (const kind of ['guest', 'customer', 'customer from LINE'] as const)
      expect([kind, await sentFor(kind, look)]).toEqual([kind, []])
    expect(await sentFor('agent', look)).toEqual(ACCOUNT)
    // Whether they look as staff is asked by the second factor.
    expect((await sentFor('staff', look)).slice(0, 1)).toEqual(ACCOUNT)
  })

  const OWN = ['account_find', 'credit_facts', 'order_of_buyer', 'terms_accepted']
  test.each([
    ['guest', ['order_running']],
    ['customer', OWN],
    ['customer from LINE', OWN],
    ['agent', [...OWN, 'wallet_facts']],
  ] as [Kind, string[]][])('what is of the buyer: %s', async (kind, names) => {
    const look = (caller: TestCaller) => caller.call(getBuyer, { params })
    // The first time opens as many connections.
    await look(it.as(WHO[kind]))
    const sent = await sentFor(kind, look)
    expect(sent.sort()).toEqual(names)
  })
})
