import * as contract from '@shop/shared/catalogue/endpoints.ts'
import { savePrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import { CATALOGUE_VERSION } from '@shop/shared/catalogue-version.ts'
import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { getTerms, saveOption } from '@shop/shared/settings/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createApp } from '../start/app.ts'
import { findPackage, price, versionOf } from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { openCatalogue } from './catalogue-source.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'gold', 'agent')
  await addWallet(it.db, { uid: 'gold', balanceSatang: 0, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const PACKAGES = '/romons.package/api/packages/pubg'
/** How long a change may be unseen by anybody. */
const MOST_SECONDS = 10

const get = (path: string, headers: Record<string, string> = {}) => it.request(path, { headers })
const as = (uid: string) => it.as(uid).headers
const bankPrice = async (answer: Response | Promise<Response>) =>
  ((await (await answer).json()) as { id: number; payment: string; priceSatang: number }[]).find(
    each => each.id === fixture.pubg.package && each.payment === 'bank',
  )?.priceSatang

async function setPrice(priceSatang: number): Promise<void> {
  const { id: packageId, version } = await findPackage(it, fixture.pubg.id, fixture.pubg.package)
  await it.as('manager').call(savePrices, { body: { packageId, version, prices: [price('bank', { priceSatang })] } })
}
const setByHand = (satang: number) =>
  it.db.query({ text: 'UPDATE package_price SET price_satang = $1 WHERE package_id = 1', values: [satang] })

describe("a guest's answer", () => {
  const lists = [
    contract.listGames,
    contract.listRegions,
    contract.listLanguages,
    contract.listPlatforms,
    contract.listPackages,
    contract.listPaymentMethods,
    contract.listBanks,
    contract.listReceivingAccounts,
    contract.listBanners,
    getTerms,
  ]
  const offer = contract.getGameOffer.path.replace(':gameCode', 'pubg')
  test.each([...lists.map(({ path }) => path), offer])(
    '%s may be kept on the way, and is gone within ten seconds',
    async path => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      const control = answer.headers.get('cache-control')!
      const [, maxAge, sharedMaxAge] = /^public, max-age=(\d+), s-maxage=(\d+)$/.exec(control)!
      const inProcessSeconds = 2
      expect(inProcessSeconds + Number(maxAge) + Number(sharedMaxAge)).toBeLessThan(MOST_SECONDS)
      expect(answer.headers.get('vary')).toBe('authorization')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get(CATALOGUE_VERSION)).toBe(String(await versionOf(it)))
    },
  )

  test('is not sent again while it is the same, whatever else was changed', async () => {
    const first = await get(PACKAGES)
    const etag = first.headers.get('etag')!
    await it.as('manager').call(saveOption, {
      body: { optionName: 'COMPANY_NAME', optionValue: 'ใหม่', fromValue: '' },
    })
    const again = await get(PACKAGES, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
    expect(Number(again.headers.get(CATALOGUE_VERSION))).toBeGreaterThan(Number(first.headers.get(CATALOGUE_VERSION)))
    await setPrice(15_000)
    const changed = await get(PACKAGES, { 'if-none-match': `"other", ${etag}` })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
    expect(await bankPrice(changed)).toBe(15_000)
  })

  test('is of its day: at midnight in Bangkok a price takes over that nobody writes', async () => {
    await it.db.query({
      text: `UPDATE package_price SET next_price_satang = 20000, next_day = '2026-11-21' WHERE package_id = 1`,
    })
    const before = it.clock.now
    const first = await get(PACKAGES)
    it.clock.now = new Date('2026-11-20T17:00:00.000Z')
    const next = await get(PACKAGES, { 'if-none-match': first.headers.get('etag')! })
    expect([await bankPrice(first), await bankPrice(next)]).toEqual([15_000, 20_000])
    it.clock.now = before
    await it.db.query({ text: 'UPDATE package_price SET next_price_satang = NULL, next_day = NULL' })
  })

  test('that refuses is not kept: a game that is added tomorrow would be missing', async () => {
    for (const path of ['/romons.package/api/packages/nothing', `${PACKAGES}?colour=red`, `${PACKAGES}?version=x`]) {
      const answer = await get(path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('about the clock is not kept', async () => {
    expect((await get(contract.getPublicConfig.path)).headers.get('cache-control')).toBe('no-store')
  })
})

describe("a signed-in person's answer", () => {
  test.each(['customer', 'agent', 'staff', 'gold'])('is kept nowhere (%s)', async uid => {
    const answer = await get(PACKAGES, as(uid))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('vary')).toBe('authorization')
    expect(answer.headers.has('etag')).toBe(false)
  })

  test("is never a guest's, nor that of another tier, nor one that a guest's mark fits", async () => {
    const read = async (headers: Record<string, string>) =>
      ((await (await get(PACKAGES, headers)).json()) as { payment: string; discountSatang: number }[]).map(
        ({ payment, discountSatang }) => `${payment} -${discountSatang}`,
      )
    const guest = await get(PACKAGES)
    const mark = { 'if-none-match': guest.headers.get('etag')! }
    expect((await get(PACKAGES, { ...as('customer'), ...mark })).status).toBe(200)
    const [guests, tierless, gold] = [await read({}), await read(as('agent')), await read(as('gold'))]
    expect(new Set(guests)).toEqual(new Set(['bank -0']))
    expect(new Set(tierless)).toEqual(new Set(['wallet -0']))
    expect(gold.some(each => /^wallet -[1-9]/.test(each))).toBe(true)
    expect(await read({})).toEqual(guests)
  })

  test('needs a session that holds', async () => {
    expect((await get(PACKAGES, { authorization: 'Bearer nonsense' })).status).toBe(401)
  })
})

describe('two servers on one database', () => {
  test('what one changes the other tells after its check, or at once to who asks for that version', async () => {
    const db = openDatabase(it.databaseUrl)
    const other = createApp({ ...it.shop, db, catalogue: openCatalogue(db, { checkMs: 400 }) })
    const ask = async (query = '') => other.request(PACKAGES + query)
    await setPrice(15_000)
    expect(await bankPrice(ask())).toBe(15_000)
    await setPrice(16_000)
    const version = await versionOf(it)
    // Nothing makes the other one look yet: a cache on the way may go on with what it told.
    const asked = await ask(`?version=${version}`)
    expect(await bankPrice(asked)).toBe(16_000)
    expect(Number(asked.headers.get(CATALOGUE_VERSION))).toBeGreaterThanOrEqual(version)
    await setByHand(17_000)
    await expect.poll(async () => bankPrice(ask()), { interval: 20 }).toBe(17_000)
    await db.close()
  })

  test('who was just made an agent is a customer to a server that does not know it yet; who was one loses all at once', async () => {
    await addAccount(it, 'was-agent', 'agent')
    await addWallet(it.db, { uid: 'was-agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
    await addAccount(it, 'will-be-agent', 'customer')
    const db = openDatabase(it.databaseUrl)
    const other = createApp({ ...it.shop, db, catalogue: openCatalogue(db, { checkMs: 60_000 }) })
    const ask = (uid: string, path = PACKAGES) => other.request(path, { headers: as(uid) })
    const paymentsOf = async (uid: string) => {
      const answer = await ask(uid)
      const said = (await answer.json()) as { payment: string; discountSatang: number }[] | { code: string }
      if (!Array.isArray(said)) return said.code
      return [
        ...new Set(said.map(({ payment, discountSatang }) => (discountSatang > 0 ? `${payment}, less` : payment))),
      ].sort()
    }
    const change = (uid: string, set: string) => it.db.query({ text: `UPDATE account SET ${set} WHERE uid = '${uid}'` })
    expect(await paymentsOf('was-agent')).toContain('wallet, less')
    await change('was-agent', `status = 'inactive'`)
    expect(await paymentsOf('was-agent')).toBe('ACCOUNT_INACTIVE')
    await change(
      'was-agent',
      `status = 'active', tokens_valid_after = '${it.clock.now.toISOString()}'::timestamptz + interval '2 s'`,
    )
    expect(await paymentsOf('was-agent')).toBe('SESSION_REVOKED')
    await change('was-agent', `tokens_valid_after = NULL, role = 'customer'`)
    expect(await paymentsOf('was-agent')).toEqual(['bank'])
    await change('will-be-agent', `role = 'agent'`)
    expect(await paymentsOf('will-be-agent')).toEqual(['bank'])
    // As of the version that others tell of.
    await ask('will-be-agent', `${PACKAGES}?version=${await versionOf(it)}`)
    expect(await paymentsOf('will-be-agent')).toEqual(['wallet'])
    await db.close()
  })

  test("a customer's session that has ended is shown what everybody may see, and nothing of the account", async () => {
    await addAccount(it, 'gone', 'customer', { status: 'inactive' })
    expect(await (await get(PACKAGES, as('gone'))).json()).toEqual(await (await get(PACKAGES)).json())
    expect(await it.as('gone').codeOf(getBuyer, { params: { gameCode: 'pubg' } })).toBe('ACCOUNT_INACTIVE')
  })

  test('a version that there never was is answered with what there is', async () => {
    const answer = await get(`${PACKAGES}?version=${Number.MAX_SAFE_INTEGER}`)
    expect(await bankPrice(answer)).toBe(17_000)
  })

  test('an address that is written in other ways is answered as well', async () => {
    expect(await bankPrice(get('/romons.package/api/packages/%70ubg'))).toBe(17_000)
  })
})
