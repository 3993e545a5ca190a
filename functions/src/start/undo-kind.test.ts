import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { listBenefits, listTiers, saveBenefits, saveTier } from '@shop/shared/agent/endpoints.ts'
import { type LaterWrite, listAudit, undoChange } from '@shop/shared/audit/endpoints.ts'
import { placed, seenOf, wholeOrder } from '@shop/shared/catalogue/arrange.ts'
import { changePackages, copyPrices, exportPackages, importPackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import * as shop from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import * as methodContract from '@shop/shared/catalogue/method-endpoints.ts'
import type { EndpointInput, EndpointShape } from '@shop/shared/endpoint.ts'
import { getTerms, listTerms, publishTerms } from '@shop/shared/settings/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_COLUMNS } from '../catalogue/package-csv.ts'
import { addPackage, failureOf, findPackage, price, uploadedPicture } from '../testing/catalogue.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet, TIER } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const change = async <E extends EndpointShape>(uid: string, endpoint: E, input: EndpointInput<E>) =>
  (await it.as(uid).change(endpoint, input)).changeId!
const undo = (changeId: string, uid = 'manager') => it.as(uid).codeOf(undoChange, { body: { changeId } })

/** A change that is made, what of the shop it is seen in, and the same thing changed by somebody else. */
interface Case {
  by: 'manager' | 'admin'
  prepare?: () => Promise<unknown>
  change: (uid: string) => Promise<string>
  later: () => Promise<unknown>
  shown: () => Promise<unknown>
}

const games = () => it.as('manager').call(contract.listManagedGames, {})
const reverseGames = async (uid: string) => {
  const seen = seenOf(wholeOrder(await games()))
  return change(uid, contract.reorderGames, { body: { order: placed(seen.ids.toReversed()), seen } })
}

const packagesOf = async (gameId: number) =>
  (await it.as('manager').call(contract.listManagedPackages, { params: { gameId }, query: { pageSize: 100 } })).rows
const moveLastPackage = async (uid: string) => {
  const seen = seenOf(wholeOrder(await packagesOf(1)))
  return change(uid, contract.reorderPackages, {
    body: { gameId: 1, order: [{ id: seen.ids.at(-1)!, no: 1 }], seen },
  })
}

const banners = () => it.as('admin').call(contract.listManagedBanners, {})
const moveLastBanner = async (uid: string) => {
  const seen = seenOf(wholeOrder((await banners()).map(({ id }) => ({ id, name: '' }))))
  return change(uid, contract.reorderBanners, { body: { order: [{ id: seen.ids.at(-1)!, no: 1 }], seen } })
}

const regions = () => it.as(null).call(shop.listRegions, {})
const addRegion = async (uid: string, code: string) => {
  const seen = await regions()
  return change(uid, contract.saveGameTags, { body: { kind: 'region', tags: [{ code, name: code }, ...seen], seen } })
}

const methods = async () =>
  (await it.as('staff').call(shop.listPaymentMethods, {})).map(({ code, name }) => ({ code, name }))
const renameMethods = async (uid: string, name: string) => {
  const seen = await methods()
  const renamed = seen.toReversed().map(method => ({ ...method, name: `${name} ${method.code}` }))
  return change(uid, methodContract.savePaymentMethods, { body: { methods: renamed, seen } })
}

const terms = async () => (await it.as(null).call(getTerms, {})).body
const publish = async (uid: string, body: string) => {
  const fromVersion = (await it.as(null).call(getTerms, {})).version
  return change(uid, publishTerms, { body: { body: `ข้อกำหนดของร้านฉบับ ${body}`, fromVersion } })
}

const sold: number[] = []
const prepareSold = async () => {
  sold.splice(0)
  for (const name of ['one', 'two', 'three'])
    sold.push((await addPackage(it, 2, [price('bank'), price('wallet')], `${name} ${Math.random()}`)).id)
}
const soldNow = async () =>
  (await packagesOf(2)).map(({ id, name, isActive, masterPackage }) => ({ id, name, isActive, masterPackage }))
const bulk = (action: object) => async (uid: string) => {
  const body = { packages: { ids: sold }, action } as EndpointInput<typeof changePackages>['body']
  const { mark } = await it.as(uid).call(changePackages, { body })
  return change(uid, changePackages, { body: { ...body, mark } })
}
const setPrice = async (id: number, priceSatang = 77_700) => {
  const { version } = await findPackage(it, 2, id)
  const prices = [price('bank', { priceSatang })]
  await it.as('admin').call(contract.savePrices, { body: { packageId: id, version, prices } })
}
const rename = async (id: number) => {
  const { version, name, isActive } = await findPackage(it, 2, id)
  const body = { id, version, gameId: 2, name: `${name}!`, isActive: !isActive }
  await it.as('admin').call(contract.savePackage, { body })
}
const csvOf = async () => {
  const blob = (await it.as('manager').call(exportPackages, { query: { game: [2] } })) as Blob
  return blob.text()
}
const importDearer = async (uid: string) => {
  const csv = (await csvOf()).replaceAll(',100,', ',120,')
  const added = PACKAGE_COLUMNS.map(
    column => ({ game: 'mlbb', name: `added ${Math.random()}`, active: 'TRUE' })[column as 'game'] ?? '',
  )
  const body = { csv: `${csv}\n${added.join()}`, isDryRun: false }
  return change(uid, importPackages, { body })
}

const price100 = { payment: 'bank', change: { by: 'amount', satang: 1_000 } }
const CASES: Record<string, Case> = {
  'order of games': { by: 'manager', change: reverseGames, later: () => reverseGames('admin'), shown: games },
  'order of packages': {
    by: 'manager',
    change: moveLastPackage,
    later: () => moveLastPackage('admin'),
    shown: async () => (await packagesOf(1)).map(({ id, no }) => ({ id, no })),
  },
  'order of banners': {
    by: 'admin',
    prepare: async () => {
      const picture = await uploadedPicture(it)
      for (const description of ['a', 'b', 'c'])
        await it.as('admin').call(contract.saveBanner, {
          body: { picture, description, isActive: true },
        })
    },
    change: moveLastBanner,
    later: () => moveLastBanner('admin'),
    shown: () => it.as(null).call(shop.listBanners, {}),
  },
  filters: {
    by: 'manager',
    change: uid => addRegion(uid, 'sea'),
    later: () => addRegion('admin', 'eu'),
    shown: regions,
  },
  'payment methods': {
    by: 'admin',
    change: uid => renameMethods(uid, 'A'),
    later: () => renameMethods('admin', 'B'),
    shown: methods,
  },
  terms: { by: 'manager', change: uid => publish(uid, 'A'), later: () => publish('admin', 'B'), shown: terms },
  'switched off at once': {
    by: 'manager',
    prepare: prepareSold,
    change: bulk({ kind: 'deactivate' }),
    later: () => rename(sold[1]!),
    shown: soldNow,
  },
  'prices by an amount': {
    by: 'manager',
    prepare: prepareSold,
    change: bulk({ kind: 'price', ...price100 }),
    later: () => setPrice(sold[1]!),
    shown: soldNow,
  },
  'prices by percent from a day on': {
    by: 'manager',
    prepare: prepareSold,
    change: bulk({ kind: 'price', payment: 'wallet', change: { by: 'percent', percent: 10 }, fromDay: '2026-12-24' }),
    later: () => setPrice(sold[2]!),
    shown: soldNow,
  },
  'copied prices': {
    by: 'manager',
    prepare: async () => {
      await prepareSold()
      await setPrice(sold[0]!)
    },
    change: uid => change(uid, copyPrices, { body: { fromPackageId: sold[0]!, toPackageIds: sold.slice(1) } }),
    later: () => setPrice(sold[2]!, 88_800),
    shown: soldNow,
  },
  tier: {
    by: 'manager',
    change: uid => saveTierNamed(uid, 'Renamed'),
    later: () => saveTierNamed('admin', 'Renamed again'),
    shown: () => it.as('manager').call(listTiers, {}),
  },
  discounts: {
    by: 'manager',
    change: uid => discountAll(uid, 1_000),
    later: () => discountAll('admin', 2_000),
    shown: async () => (await it.as('manager').call(listBenefits, { query: {} })).rows,
  },
}

async function saveTierNamed(uid: string, name: string) {
  const { agentCount: _, ...tier } = (await it.as('manager').call(listTiers, {})).find(({ id }) => id === TIER.id)!
  return change(uid, saveTier, { body: { ...tier, name } })
}

async function discountAll(uid: string, discountSatang: number) {
  const rows = [1, 8].map(packageId => ({ packageId, details: [{ tierId: TIER.id, discountSatang, isActived: true }] }))
  return change(uid, saveBenefits, { body: { rows } })
}

describe.each(Object.entries(CASES))('%s', (_, { by, prepare, change: make, later, shown }) => {
  test('is taken back as a whole, once, by who may', async () => {
    await prepare?.()
    const before = await shown()
    const changeId = await make(by)
    const changed = await shown()
    expect(changed).not.toEqual(before)
    // A manager may do all but what is about money and banners.
    expect(await undo(changeId, by === 'admin' ? 'manager' : 'staff')).toBe('FORBIDDEN')
    expect(await shown()).toEqual(changed)
    expect(await undo(changeId, by)).toBe('OK')
    expect(await shown()).toEqual(before)
    expect(await undo(changeId, by)).toBe('UNDO_CHANGED_SINCE')
    expect(await shown()).toEqual(before)
  })

  test('is refused with what was changed since, by whom, and nothing is half undone', async () => {
    await prepare?.()
    const changeId = await make(by)
    await later()
    const before = await shown()
    const error = await failureOf(it.as(by), undoChange, { body: { changeId } })
    expect(error.code).toBe('UNDO_CHANGED_SINCE')
    expect(error.message).toContain('โดย admin')
    const since = error.details!.since as LaterWrite[]
    expect(since.map(({ actorName }) => actorName)).toEqual(since.map(() => 'admin'))
    expect(since).toHaveLength(error.details!.total as number)
    expect(await shown()).toEqual(before)
  })
})

test('an import is taken back in one go: prices as they were, what it added is off and can be switched on again', async () => {
  await prepareSold()
  const before = await soldNow()
  const changeId = await importDearer('manager')
  const added = (await soldNow()).find(({ id }) => !before.some(each => each.id === id))!
  expect((await findPackage(it, 2, sold[0]!)).masterPackage[0]!.priceSatang).toBe(12_000)
  const { rows } = await it.as('admin').call(listAudit, { query: { change: changeId, pageSize: 100 } })
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.every(({ changeSize }) => changeSize === rows.length)).toBe(true)
  expect(rows.map(({ subjectName }) => subjectName)).toContain(added.name)
  expect(await it.as('manager').call(undoChange, { body: { changeId } })).toEqual({ undone: rows.length })
  expect(await soldNow()).toEqual([...before, { ...added, isActive: false }])
  // The undo is a change of its own.
  const [last] = (await it.as('admin').call(listAudit, { query: { subject: `package:${added.id}` } })).rows
  expect(last).toMatchObject({ action: 'change.undo', changeSize: rows.length })
  expect(await it.as('manager').codeOf(undoChange, { body: { auditId: last!.id } })).toBe('OK')
  expect((await findPackage(it, 2, added.id)).isActive).toBe(true)
  expect((await findPackage(it, 2, sold[0]!)).masterPackage[0]!.priceSatang).toBe(12_000)
})

test('an import of which one line was changed since stays as it is, all of it', async () => {
  await prepareSold()
  const changeId = await importDearer('manager')
  await setPrice(sold[1]!)
  const before = await soldNow()
  const error = await failureOf(it.as('manager'), undoChange, { body: { changeId } })
  const { name } = before.find(({ id }) => id === sold[1])!
  expect(error.message).toContain(`ราคา ${name} (บันทึกราคา โดย admin 20/11/2026`)
  expect(error.details).toMatchObject({ total: 1, since: [{ subject: `price:${sold[1]}`, subjectName: name }] })
  expect(await soldNow()).toEqual(before)
})

test('a rule that does not hold any more keeps all of a change from being taken back', async () => {
  await prepareSold()
  const changeId = await bulk({ kind: 'price', payment: 'wallet', change: { by: 'amount', satang: 30_000 } })('manager')
  const rows = [{ packageId: sold[2]!, details: [{ tierId: TIER.id, discountSatang: 20_000, isActived: true }] }]
  await it.as('manager').call(saveBenefits, { body: { rows } })
  const before = await soldNow()
  expect(await undo(changeId)).toBe('PRICE_BELOW_DISCOUNT')
  expect(await soldNow()).toEqual(before)
})

test('a version of the terms that somebody accepted is there after it was taken back', async () => {
  const before = await terms()
  const changeId = await publish('manager', 'wrong')
  const { version } = await it.as(null).call(getTerms, {})
  await it.as('customer').call(acceptTerms, { body: { version } })
  expect(await undo(changeId)).toBe('OK')
  const [now, wrong] = await it.as('manager').call(listTerms, {})
  expect(now).toMatchObject({ body: before, version: String(Number(version) + 1), acceptances: 0 })
  expect(wrong).toMatchObject({ version, body: 'ข้อกำหนดของร้านฉบับ wrong', acceptances: 1 })
})

test('filters that a game has by now are not taken away with an undo', async () => {
  const changeId = await addRegion('manager', 'asia')
  const [game] = await games()
  const { no: _no, packageCount: _count, updatedAt: _at, updatedByName: _by, ...fields } = game!
  await it.as('manager').call(contract.saveGame, { body: { ...fields, regions: ['asia'] } })
  expect(await undo(changeId)).toBe('TAG_IN_USE')
  expect((await regions()).map(({ code }) => code)).toContain('asia')
})

test('what is no change of the catalogue says why it stays', async () => {
  const values = ['01a1f903-aaaa-7b09-91c6-3c32c32ef1e7', it.clock.now]
  await it.db.query({
    text: `INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject, before, after)
      VALUES ($1, $2, 'admin', 'admin', 'account.setRole', 'account:staff', '{"role":"staff"}', '{"role":"manager"}')`,
    values,
  })
  const error = await failureOf(it.as('admin'), undoChange, { body: { auditId: values[0] as string } })
  expect(error).toMatchObject({
    code: 'UNDO_NOT_POSSIBLE',
    message: 'ย้อนกลับไม่ได้ ย้อนได้เฉพาะแคตตาล็อกและการตั้งค่าร้าน',
  })
})

test('thousands are taken back as one', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    PACKAGE_COLUMNS.map(
      column =>
        ({ game: 'closed', name: `many ${index}`, active: 'TRUE', bank_price: '50', bank_start: '2026-01-01' })[
          column as 'game'
        ] ?? '',
    ).join(),
  )
  const body = { csv: [PACKAGE_COLUMNS.join(), ...lines].join('\n'), isDryRun: false }
  const changeId = await change('manager', importPackages, { body })
  expect(await it.as('manager').call(undoChange, { body: { changeId } })).toEqual({ undone: 6_000 })
  const [left] = await it.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM package WHERE name LIKE 'many %' AND is_active`,
  })
  expect(left!.n).toBe(0)
})

test('what the price dialog saved is taken back whole: prices, cost and how it is delivered', async () => {
  const { id } = await addPackage(it, 2, [price('bank')], `delivered ${Math.random()}`)
  const seen = async () => {
    const { costSatang, sources, isAutomatic, masterPackage } = await findPackage(it, 2, id)
    return {
      costSatang,
      sku: sources[0]?.sku,
      isAutomatic,
      prices: masterPackage.map(({ priceSatang }) => priceSatang),
    }
  }
  const save = async (priceSatang: number, costSatang: number, supplierSku: string, isAutomatic: boolean) => {
    const { version } = await findPackage(it, 2, id)
    const prices = [price('bank', { priceSatang })]
    const sources = [{ supplier: 'seagm' as const, sku: supplierSku, costSatang: null }]
    const body = { packageId: id, version, prices, costSatang, sources, isAutomatic }
    return change('manager', contract.savePrices, { body })
  }
  await save(50_000, 40_000, 'sku-1', true)
  const before = await seen()
  const both = await save(60_000, 45_000, 'sku-2', false)
  expect(await seen()).not.toEqual(before)
  expect(await undo(both)).toBe('OK')
  expect(await seen()).toEqual(before)
  const costAlone = await save(50_000, 46_000, 'sku-1', true)
  expect(await undo(costAlone)).toBe('OK')
  expect(await seen()).toEqual(before)
})
