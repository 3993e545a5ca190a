import * as contract from '@shop/shared/catalogue/endpoints.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { errorStatus } from '@shop/shared/errors.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

describe('what each role can buy', () => {
  test('customers and guests see games and packages sold by bank transfer', async () => {
    for (const caller of [it.as(null), it.as('customer')]) {
      const games = await caller.call(contract.listGames, {})
      expect(games.map(game => game.code)).toEqual(['pubg', 'mlbb'])
      const packages = await caller.call(contract.listGamePackages, { params: { gameCode: 'pubg' } })
      expect(packages.map(each => [each.id, each.payment, each.priceSatang])).toEqual([[1, 'bank', 14_900]])
      expect(games[0]!.fromSatang).toBe(14_900)
    }
  })

  test('agents see only what is sold from the wallet', async () => {
    const agent = it.as('agent')
    expect((await agent.call(contract.listGames, {})).map(game => game.code)).toEqual(['pubg'])
    const packages = await agent.call(contract.listGamePackages, { params: { gameCode: 'pubg' } })
    expect(packages.map(each => [each.id, each.payment])).toEqual([
      [1, 'wallet'],
      [8, 'wallet'],
    ])
    const [game] = await agent.call(contract.listGames, {})
    expect(game!.fromSatang).toBe(Math.min(...packages.map(sellingPriceOf)))
    expect((await agent.call(contract.listPaymentMethods, {})).map(method => method.code)).toEqual(['wallet'])
  })

  test('staff see every payment method', async () => {
    const packages = await it.as('staff').call(contract.listPackages, {})
    expect(new Set(packages.map(each => each.payment))).toEqual(new Set(['bank', 'wallet']))
  })

  test("a tier's prices are for managers and for its own agents; to others it is not there", async () => {
    await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
    const tierId = TIER.id
    const code = (uid: string | null, which: number = tierId) =>
      it.as(uid).codeOf(contract.listTierPackages, { params: { gameCode: 'pubg', tierId: which } })
    for (const uid of ['agent', 'manager', 'admin']) expect(await code(uid), uid).toBe('OK')
    for (const uid of ['customer', 'staff']) expect(await code(uid), uid).toBe('TIER_NOT_FOUND')
    expect(await code(null)).toBe('UNAUTHENTICATED')
    expect(await code('agent', 998)).toBe('TIER_NOT_FOUND')
    expect(await code('manager', 998)).toBe('TIER_NOT_FOUND')
    expect(errorStatus('TIER_NOT_FOUND')).toBe(404)
  })

  test.each([null, 'customer', 'agent', 'staff'])(
    'the offer of a game to %s is what the single calls say',
    async uid => {
      const caller = it.as(uid)
      const params = { gameCode: fixture.pubg.code }
      const [games, packages, methods, accounts, regions] = await Promise.all([
        caller.call(contract.listGames, {}),
        caller.call(contract.listGamePackages, { params }),
        caller.call(contract.listPaymentMethods, {}),
        caller.call(contract.listReceivingAccounts, {}),
        caller.call(contract.listRegions, {}),
      ])
      const game = games.find(({ code }) => code === params.gameCode)
      expect(await caller.call(contract.getGameOffer, { params })).toEqual({
        game,
        packages,
        methods,
        accounts,
        regions,
      })
    },
  )

  test('404 for the offer of what the caller can buy nothing of', async () => {
    const codeOf = (uid: string | null, gameCode: string) =>
      it.as(uid).codeOf(contract.getGameOffer, { params: { gameCode } })
    expect(await codeOf(null, 'nothing')).toBe('GAME_NOT_FOUND')
    expect(await codeOf(null, fixture.inactiveGame.code)).toBe('GAME_NOT_FOUND')
    // It is sold by transfer only.
    expect(await codeOf('agent', fixture.mlbb.code)).toBe('GAME_NOT_FOUND')
    expect(await codeOf(null, fixture.mlbb.code)).toBe('OK')
  })

  test('404 for unknown and inactive games', async () => {
    for (const gameCode of ['nothing', fixture.inactiveGame.code]) {
      expect(await it.as(null).codeOf(contract.listGamePackages, { params: { gameCode } })).toBe('GAME_NOT_FOUND')
    }
  })

  test('only open receiving accounts are shown, and never their PromptPay id', async () => {
    const reply = await it.request(contract.listReceivingAccounts.path)
    const text = await reply.text()
    expect(JSON.parse(text).map((account: { id: number }) => account.id)).toEqual([1, 2])
    expect(text).not.toContain('0812345678')
  })
})
