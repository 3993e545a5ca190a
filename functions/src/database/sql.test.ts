import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { createTestDatabase } from '../testing/shop.ts'
import { instant, satang } from './columns.ts'
import { type Database, openDatabase } from './database.ts'
import {
  as,
  coalesce,
  type Expr,
  json,
  listOf,
  notNull,
  orNull,
  outer,
  pick,
  type RowOf,
  row,
  sql,
  under,
} from './sql.ts'
import { excludedSql, storingMany } from './values.ts'

const cup = pgTable('cup', {
  id: integer().primaryKey(),
  color: text().$type<'red' | 'blue'>().notNull(),
  priceSatang: satang('price_satang').notNull(),
  filledAt: instant('filled_at'),
  saucerId: integer('saucer_id'),
})
const saucer = pgTable('saucer', { id: integer().primaryKey(), name: text().notNull() })
const [c, s, maybe] = [under(cup, 'c'), under(saucer, 's'), outer(saucer, 's')]

interface Shown {
  color: 'red' | 'blue'
  filledAt: Date | null
}

describe('types', () => {
  test('a column is of the type that its table gives it, and may be null where a join finds nothing', () => {
    expectTypeOf(c.color).toEqualTypeOf<Expr<'red' | 'blue'>>()
    expectTypeOf(c.filledAt).toEqualTypeOf<Expr<Date | null>>()
    expectTypeOf(s.name).toEqualTypeOf<Expr<string>>()
    expectTypeOf(maybe.name).toEqualTypeOf<Expr<string | null>>()
    expectTypeOf(notNull(c.filledAt)).toEqualTypeOf<Expr<Date>>()
    expectTypeOf(coalesce(c.saucerId, 0)).toEqualTypeOf<Expr<number>>()
    // @ts-expect-error a column that was renamed
    c.colour
    // @ts-expect-error and one of a list
    pick(c, 'id', 'colour')
  })

  test('a statement returns the last list in it, whatever stands around it', () => {
    const inner = sql`SELECT ${row(pick(c, 'id'))} FROM ${c}`
    const all = sql`WITH few AS (${inner}) SELECT ${row({ n: as.int('count(*)'), at: c.filledAt })} FROM few ${'LIMIT 1'}`
    expectTypeOf<RowOf<typeof inner>>().toEqualTypeOf<{ id: number }>()
    expectTypeOf<RowOf<typeof all>>().toEqualTypeOf<{ n: number; at: Date | null }>()
    const none = sql`DELETE FROM ${c} WHERE ${c.id} = $1`
    expectTypeOf<RowOf<typeof none>>().toBeNever()
  })

  test('a list for a row has each of its fields, of its type', () => {
    row<Shown>(pick(c, 'color', 'filledAt'))
    // @ts-expect-error a field that was added to the row
    row<Shown>(pick(c, 'color'))
    // @ts-expect-error a column that may be null by now
    row<{ filledAt: Date }>(pick(c, 'filledAt'))
    // @ts-expect-error a column of an outer join
    row<{ name: string }>(pick(maybe, 'name'))
    // @ts-expect-error another type
    row<{ id: string }>(pick(c, 'id'))
    // @ts-expect-error words that the row does not know
    row<{ color: 'red' }>(pick(c, 'color'))
    expectTypeOf(json<{ at: string | null }>({ at: as.shape<string | null>('x') })).toExtend<
      Expr<{ at: string | null }>
    >()
    expectTypeOf(json(pick(c, 'filledAt'))).toExtend<Expr<{ filledAt: string | null }>>()
  })

  test('what is stored has a field for each column, and no other', () => {
    const store = storingMany(cup, { key: ['id'], without: ['saucerId'] })
    const whole = { id: 1, color: 'red' as const, priceSatang: 100, filledAt: null }
    const { filledAt: _, ...less } = whole
    const cannotRun = async (db: Database) => {
      await store(db, [whole])
      // @ts-expect-error a column that no field is stored in
      await store(db, [less])
      // @ts-expect-error a field that no column stores
      await store(db, [{ ...whole, isChipped: true }])
      // @ts-expect-error a field of another type
      await store(db, [{ ...whole, priceSatang: '100' }])
    }
    expect(cannotRun).toBeTypeOf('function')
  })
})

test('a text names columns and tables as the database does', () => {
  const found = sql`SELECT ${row({ ...pick(c, 'priceSatang'), name: maybe.name, n: orNull(as.int('max(1)')) })}
    FROM ${c} LEFT JOIN ${maybe} ON ${maybe.id} = ${c.saucerId}`
  expect(`${found}`).toBe(`SELECT (max(1))::int AS "n", s.name AS "name", c.price_satang AS "priceSatang"
    FROM cup c LEFT JOIN saucer s ON s.id = c.saucer_id`)
  const bare = under(cup)
  expect(`${sql`UPDATE ${bare} SET ${bare.priceSatang} = $1`}`).toBe('UPDATE cup SET price_satang = $1')
  expect(excludedSql(pick(bare, 'color', 'priceSatang'))).toBe(
    'color = excluded.color, price_satang = excluded.price_satang',
  )
})

test('a table that a LEFT JOIN may not find is outer, and no other is', () => {
  expect(() => sql`FROM ${c} LEFT JOIN ${s} ON true`).toThrow('saucer s')
  expect(() => sql`FROM ${c} JOIN ${maybe} ON true`).toThrow('saucer s')
})

describe('in a database', () => {
  let db: Database
  beforeAll(async () => {
    db = openDatabase(await createTestDatabase(), { connections: 1, checksRows: true })
    await db.query({ text: 'CREATE TABLE saucer (id int PRIMARY KEY, name text NOT NULL)' })
    await db.query({
      text: `CREATE TABLE cup (id int PRIMARY KEY, color text NOT NULL, price_satang bigint NOT NULL, filled_at timestamptz(3),
        saucer_id int)`,
    })
  })
  afterAll(() => db.close())

  test('rows are stored whole, overwritten whole, and come as their types say', async () => {
    const store = storingMany(cup, { key: ['id'], without: ['saucerId'] })
    const first = { id: 1, color: 'red', priceSatang: 100, filledAt: null } as const
    const filledAt = new Date('2026-11-20T05:00:00.000Z')
    await store(db, [first])
    await store(db, [{ ...first, color: 'blue', filledAt }])
    const [found] = await db.query({ text: sql`SELECT ${row(c)} FROM ${c}` })
    expect(found).toEqual({ id: 1, color: 'blue', priceSatang: 100, filledAt, saucerId: null })
    const [listed] = await db.query({
      text: sql`SELECT ${row({ cups: listOf(sql`${row(pick(c, 'id', 'filledAt'))} FROM ${c}`) })}`,
    })
    expect(new Date(listed!.cups[0]!.filledAt!)).toEqual(filledAt)
  })

  test('a computed value is what its word says, whatever the database would make of it', async () => {
    const sums = row({ satang: as.satang('sum(n::bigint)'), count: as.int('count(*)'), text: as.text('max(n)') })
    expect(await db.query({ text: sql`SELECT ${sums} FROM generate_series(1, 3) AS n` })).toEqual([
      { satang: 6, count: 3, text: '3' },
    ])
  })

  test('an answer that is not what the statement says fails the test that asked', async () => {
    const none = sql`SELECT ${row({ sum: as.int('sum(n)') })} FROM generate_series(1, 0) AS n`
    await expect(db.query({ text: none })).rejects.toThrow('not what the statement says it returns: sum')
    const may = sql`SELECT ${row({ sum: orNull(as.int('sum(n)')) })} FROM generate_series(1, 0) AS n`
    expect(await db.query({ text: may })).toEqual([{ sum: null }])
    const more = sql`SELECT ${row({ a: as.int('1') })}, 2 AS b`
    await expect(db.query({ text: more })).rejects.toThrow('returns a,b')
  })
})
