import { isWithoutPgbouncer, type Pooler, startPooler } from 'local/pooler.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { type DatabaseOptions, isUnavailable, LIMITS, openDatabase } from './database.ts'

const STANDARD_MS = {
  statement: LIMITS.statement.standardMs,
  lock: LIMITS.lock.standardMs,
  idleInTransaction: LIMITS.idleInTransaction.standardMs,
}

describe.skipIf(isWithoutPgbouncer())('behind PgBouncer in transaction mode', () => {
  let it: TestShop
  let pooler: Pooler
  beforeAll(async () => {
    it = await createTestShop()
    pooler = await startPooler(it.databaseUrl, 3)
  })
  afterAll(async () => {
    await pooler?.stop()
    await it.db.close()
  })

  /** Many statements under few names at once, alone and in transactions; the answers that are not the right ones. */
  async function storm(url: string, options: DatabaseOptions) {
    const complaints: string[] = []
    const db = openDatabase(url, {
      timeoutMs: STANDARD_MS,
      onUnlimited: message => complaints.push(message),
      ...options,
    })
    const statement = (n: number) => ({
      name: `storm_${n % 5}`,
      text: `SELECT $1::int AS n, '${n % 5}' AS made`,
      values: [n],
    })
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        n % 2 ? db.query(statement(n)) : db.transaction(tx => tx.query(statement(n))),
      ),
    )
    const prepared = await db.query({ text: `SELECT 1 FROM pg_prepared_statements` })
    await db.close()
    const wrong = replies.filter(([row], n) => JSON.stringify(row) !== JSON.stringify({ n, made: String(n % 5) }))
    return { wrong, complaints, prepared: prepared.length }
  }

  test('statements go without names there, and keep them on a direct connection', async () => {
    expect(await storm(pooler.url, {})).toEqual({ wrong: [], complaints: [], prepared: 0 })
    const direct = await storm(it.databaseUrl, { connections: 1 })
    expect(direct).toEqual({ wrong: [], complaints: [], prepared: 5 })
  })

  test('a pooler that loses named statements costs nothing: they are sent again without names', async () => {
    expect((await storm(pooler.url, { namedStatements: 'on' })).wrong).toEqual([])
  })

  test("the server's limits hold, and whoever wants others is told how the role gets them", async () => {
    const { complaints } = await storm(pooler.url, { timeoutMs: { ...STANDARD_MS, lock: 200 } })
    expect(complaints).toEqual([expect.stringContaining(`ALTER ROLE shop_app SET lock_timeout = '200ms';`)])
    await it.db.query({
      text: `ALTER ROLE shop_app IN DATABASE ${new URL(it.databaseUrl).pathname.slice(1)} SET lock_timeout = '200ms'`,
    })
    await pooler.stop()
    pooler = await startPooler(it.databaseUrl, 3)
    const db = openDatabase(pooler.url)
    await it.db.transaction(async tx => {
      await tx.query({ text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' })
      const error = await db.query({ text: 'SELECT 1 FROM orders' }).catch((cause: unknown) => cause)
      expect(error).toMatchObject({ code: '55P03' })
      expect(isUnavailable(error)).toBe(true)
    })
    await db.close()
  })
})
