import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql, Statement } from '../database/database.ts'
import { measureDeliveryTimes } from '../order/delivering/delivery-time.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import { saveOptionRow } from '../settings/store.ts'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { openCatalogue } from './catalogue-source.ts'
import { findCatalogueVersion, PARTS } from './snapshot.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const write = (text: string) => it.db.query({ text })
const setPrice = (satang: number) => write(`UPDATE package_price SET price_satang = ${satang} WHERE package_id = 1`)
const bankPrice = async (source = it.shop.catalogue) =>
  (await source.latest()).packages.get(fixture.pubg.package)!.prices.bank!.priceSatang

describe('the snapshot', () => {
  test('holds what is stored', async () => {
    await write(`INSERT INTO agent_tier (id, name, max_amount_satang, min_top_up_satang, max_amount_per_order_satang, max_item_per_order)
      VALUES (1, 'Gold', 1, 1, 1, 1)`)
    await write(
      'INSERT INTO discount (package_id, tier_id, discount_satang, is_active) VALUES (1, 1, 500, true), (8, 1, 700, false)',
    )
    await write(`INSERT INTO delivery_time VALUES (2, 3, 9, now())`)
    const catalogue = await it.shop.catalogue.latest()
    expect(catalogue.options).toMatchObject({ PAYMENT_TIME_LIMIT: 15, ALLOW_GUEST_CHECKOUT: true })
    expect([...catalogue.games.keys()]).toEqual([1, 2, 3])
    expect(catalogue.gamesByCode.get('mlbb')).toMatchObject({ id: 2, usualMinutes: { from: 3, to: 9 }, isActive: true })
    expect(catalogue.games.get(3)).toMatchObject({ isActive: false, usualMinutes: { from: 5, to: 15 } })
    expect(catalogue.packagesByGame.get(1)!.map(({ id }) => id)).toEqual([1, 4, 5, 6, 7, 8])
    expect(catalogue.packages.get(1)!.prices).toMatchObject({
      bank: { priceSatang: 14_900, startDay: '2026-01-01', endDay: null, nextDay: null },
      wallet: { priceSatang: 14_500 },
    })
    expect(catalogue.discounts).toEqual(new Map([[1, new Map([[1, 500]])]]))
    expect(catalogue.receivingAccounts.get(1)).toMatchObject({ code: '004', promptPayId: '0812345678', isActive: true })
    expect(catalogue.receivingAccounts.get(3)!.isActive).toBe(false)
    expect(catalogue.terms).toEqual([catalogue.termsInForce])
    expect(catalogue.termsInForce.publishedAt).toBeInstanceOf(Date)
  })

  test('every table that it reads raises its version, for whoever writes it', async () => {
    const rows = await it.db.query<{ table: string }>({
      text: `SELECT c.relname AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgname = 'raise_catalogue_version' AND t.tgenabled = 'O'
          -- BEFORE, of statements, INSERT, DELETE, UPDATE and TRUNCATE
          AND t.tgtype = 2 + 4 + 8 + 16 + 32`,
    })
    const { account: _, ...tables } = PARTS
    expect(rows.map(({ table }) => table).sort()).toEqual(Object.keys(tables).sort())
    for (const [table, text] of Object.entries(PARTS)) expect(`${text}`).toMatch(new RegExp(` FROM ${table}\\b`))
  })

  test('roles that are given and taken raise it, sign-ups and all else of an account do not', async () => {
    const roleOf = async (uid: string) => (await it.shop.catalogue.latest()).roles.get(uid)
    const raises = async (text: string) => {
      const before = await findCatalogueVersion(it.db)
      await write(text)
      return (await findCatalogueVersion(it.db)) - before
    }
    const insert = (values: string) =>
      `INSERT INTO account (uid, username, providers, created_at, role) VALUES ${values}`
    const added = (uid: string, role: string) => `('${uid}', '', '{}', now(), '${role}')`
    expect(await raises(insert(added('new', 'customer')))).toBe(0)
    expect(await raises(`UPDATE account SET role = role, status = 'active', tokens_valid_after = now()`)).toBe(0)
    expect(await roleOf('new')).toBeUndefined()
    expect(await raises(`UPDATE account SET role = 'agent' WHERE uid = 'new'`)).toBe(1)
    expect(await roleOf('new')).toBe('agent')
    expect(await raises(`UPDATE account SET role = 'customer' WHERE uid = 'new'`)).toBe(1)
    expect(await roleOf('new')).toBeUndefined()
    expect(await raises(insert(['one', 'two'].map(uid => added(uid, 'staff')).join()))).toBe(1)
    expect(await roleOf('two')).toBe('staff')
    expect(await raises(`DELETE FROM account WHERE uid IN ('new', 'one', 'two')`)).toBe(1)
  })

  test('one transaction raises it once, one that is undone not at all', async () => {
    const before = await findCatalogueVersion(it.db)
    await it.db.transaction(async tx => {
      await tx.query({ text: `UPDATE game SET name = name || '!'` })
      await tx.query({ text: 'UPDATE package SET position = position + 1' })
    })
    expect(await findCatalogueVersion(it.db)).toBe(before + 1)
    const undone = it.db.transaction(async tx => {
      await tx.query({ text: 'TRUNCATE banner' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await findCatalogueVersion(it.db)).toBe(before + 1)
  })

  test('delivery times that were measured as before raise nothing', async () => {
    await measureDeliveryTimes(it.shop)
    const before = await findCatalogueVersion(it.db)
    await measureDeliveryTimes(it.shop)
    expect(await findCatalogueVersion(it.db)).toBe(before)
  })

  test('writers of other tables in other orders wait for each other, and all are written', async () => {
    const before = await findCatalogueVersion(it.db)
    const tables = ['game', 'package', 'package_price', 'receiving_account']
    const writes = Array.from({ length: 12 }, (_, n) =>
      it.db.transaction(async tx => {
        for (let k = 0; k < 4; k++) await tx.query({ text: `UPDATE ${tables[(n + k) % 4]} SET id = id` })
      }),
    )
    await Promise.all(writes)
    expect(await findCatalogueVersion(it.db)).toBe(before + 12)
  })
})

/** A database that counts what it is asked and can be made to fail. */
function counted(db: Sql) {
  const asked: (string | undefined)[] = []
  const database = {
    fails: false,
    take: () => asked.splice(0),
    orm: db.orm,
    query<Row>(statement: Statement<Row>): Promise<Row[]> {
      asked.push(statement.name)
      return database.fails ? Promise.reject(new Error('gone')) : db.query<Row>(statement)
    },
  }
  return database
}

describe('the source', () => {
  test('many who ask at once share one look, and for a while nobody looks again', async () => {
    const db = counted(it.shop.db)
    const source = openCatalogue(db, { checkMs: 60_000 })
    const all = await Promise.all(Array.from({ length: 50 }, () => source.latest()))
    expect(new Set(all).size).toBe(1)
    expect(db.take()).toEqual(['catalogue_version', 'catalogue_snapshot'])
    expect(await source.latest()).toBe(all[0])
    expect(db.take()).toEqual([])
  })

  test('a write by hand is seen at the next check, and an unchanged catalogue is not read again', async () => {
    const db = counted(it.shop.db)
    const source = openCatalogue(db, { checkMs: 0 })
    const first = await source.latest()
    db.take()
    expect(await source.latest()).toBe(first)
    expect(db.take()).toEqual(['catalogue_version'])
    await setPrice(15_500)
    expect(await bankPrice(source)).toBe(15_500)
    expect(first.packages.get(1)!.prices.bank!.priceSatang).toBe(14_900)
  })

  test('atLeast reads only what is newer than known, once for all who ask', async () => {
    const db = counted(it.shop.db)
    const source = openCatalogue(db, { checkMs: 60_000 })
    const known = await source.latest()
    await setPrice(16_000)
    const version = await findCatalogueVersion(it.db)
    db.take()
    expect(await source.atLeast(known.version)).toBe(known)
    expect(db.take()).toEqual([])
    const found = await Promise.all(Array.from({ length: 20 }, () => source.atLeast(version)))
    expect(new Set(found.map(each => each.version))).toEqual(new Set([version]))
    expect(db.take()).toEqual(['catalogue_version', 'catalogue_snapshot'])
    // Nobody can have it read again and again for what there never was.
    expect(await source.atLeast(version + 1000)).toBe(found[0])
    expect(db.take()).toEqual(['catalogue_version'])
  })

  test('who asks for a version that was written while an older one is read gets the newer one', async () => {
    const gate = Promise.withResolvers<void>()
    let reads = 0
    const slow: Sql = {
      orm: it.shop.db.orm,
      query: async statement => {
        const rows = await it.shop.db.query(statement)
        if (statement.name === 'catalogue_snapshot' && ++reads === 1) await gate.promise
        return rows
      },
    }
    const source = openCatalogue(slow, { checkMs: 0 })
    const first = source.latest()
    await expect.poll(() => reads).toBe(1)
    await setPrice(17_000)
    const version = await findCatalogueVersion(it.db)
    const second = source.atLeast(version)
    gate.resolve()
    expect((await first).version).toBe(version - 1)
    expect((await second).version).toBe(version)
    expect(await bankPrice(source)).toBe(17_000)
  })

  test('a failure is told to those who asked and to nobody after them', async () => {
    const db = counted(it.shop.db)
    const source = openCatalogue(db, { checkMs: 60_000 })
    db.fails = true
    await expect(source.latest()).rejects.toThrow('gone')
    await expect(source.atLeast(1)).rejects.toThrow('gone')
    db.fails = false
    expect(await bankPrice(source)).toBe(17_000)
  })

  test('what staff change is seen by this process at once', async () => {
    const source = openCatalogue(it.shop.db, { checkMs: 60_000 })
    const limit = async () => (await source.latest()).options.PAYMENT_TIME_LIMIT
    expect(await limit()).toBe(15)
    await write(`UPDATE option SET value = '25' WHERE name = 'PAYMENT_TIME_LIMIT'`)
    expect(await limit()).toBe(15)
    const person = { uid: 'manager', role: 'manager', now: it.clock.now, findUnheard: it.shop.findUnheard } as const
    await changeCatalogue({ db: it.shop.db, catalogue: source }, person, async change => {
      await saveOptionRow(change, { optionName: 'PAYMENT_TIME_LIMIT', optionValue: '30' })
      expect(await limit()).toBe(15)
    })
    expect(await limit()).toBe(30)
  })
})
