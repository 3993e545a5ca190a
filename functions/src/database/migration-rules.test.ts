import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import previous from '../../previous-release.json' with { type: 'json' }
import { findBreaches, SMALL_TABLES } from '../testing/migration-rules.ts'
import { findMigrations, readMigrations } from './migrations.ts'

const MIGRATIONS = readMigrations()
const RELEASED = '0044_sales_by_buyer'
const breachesOf = (...statements: string[]) => findBreaches({ tag: '0050_next', statements }, RELEASED)

test('what is new since the previous release keeps its server working', () => {
  expect(MIGRATIONS.map(({ tag }) => tag)).toContain(previous.migration)
  const fresh = MIGRATIONS.filter(({ tag }) => tag > previous.migration)
  expect(fresh.flatMap(migration => findBreaches(migration, previous.migration))).toEqual([])
})

test('each migration is later than the one before, or a database would pass over it', () => {
  const whens = MIGRATIONS.map(({ when }) => when)
  expect(whens).toEqual([...new Set(whens)].sort((a, b) => a - b))
})

test('every table that is taken for small is one', () => {
  const last = join(findMigrations(), 'meta', `${MIGRATIONS.at(-1)!.tag.slice(0, 4)}_snapshot.json`)
  const { tables } = JSON.parse(readFileSync(last, 'utf8')) as { tables: Record<string, { name: string }> }
  const names = Object.values(tables).map(({ name }) => name)
  expect(SMALL_TABLES.filter(name => !names.includes(name))).toEqual([])
})

test.each([
  ['DROP TABLE "sale_day"', 'still uses what is dropped'],
  ['ALTER TABLE "orders" DROP COLUMN "more"', 'still uses what is dropped'],
  ['ALTER TABLE "account" RENAME COLUMN "name" TO "given_name"', 'knows the old name'],
  ['ALTER TABLE "orders" DROP CONSTRAINT "orders_order_no"', 'may count on it'],
  ['DROP INDEX "audit_action"', 'may count on it'],
  ['DROP INDEX CONCURRENTLY IF EXISTS "audit_action"', 'may count on it'],
  ['ALTER TABLE "game" ALTER COLUMN "code" DROP NOT NULL', 'may count on it'],
  ['ALTER TABLE "game" ALTER COLUMN "code" SET DATA TYPE integer', 'writes the table anew'],
  ['ALTER TABLE "game" ADD COLUMN "more" text NOT NULL', 'rows without it'],
  ['ALTER TABLE "game" ALTER COLUMN "more" SET NOT NULL', 'rows without it'],
  ['ALTER TABLE "orders" ADD COLUMN "more" uuid DEFAULT gen_random_uuid() NOT NULL', 'A value of its own'],
  ['ALTER TABLE "orders" ADD COLUMN "more" bigserial', 'A value of its own'],
  ['CREATE INDEX "orders_more" ON "orders" USING btree ("more")', 'Say CONCURRENTLY'],
  ['CREATE INDEX "unheard_of" ON "unheard" USING btree ("of")', 'Say CONCURRENTLY'],
  ['CREATE UNIQUE INDEX CONCURRENTLY "orders_more" ON "orders" ("more")', 'what is refused from now on'],
  ['ALTER TABLE "game" ADD CONSTRAINT "game_more" CHECK (more > 0)', 'what is refused from now on'],
  ['ALTER TABLE "orders" ADD CONSTRAINT "o" FOREIGN KEY ("more") REFERENCES "public"."slip"("id")', 'NOT VALID'],
  ['UPDATE "orders" SET "more" = 1', 'in batches'],
  ['LOCK TABLE "orders"', 'keeps everybody out'],
  ['VACUUM FULL orders', 'keeps everybody out'],
  ['DROP INDEX CONCURRENTLY "audit_action"', 'Say IF EXISTS'],
  ['-- in batches\nUPDATE "orders" SET "more" = 1', 'needs a LIMIT'],
  ['CREATE INDEX CONCURRENTLY "a" ON "orders" ("more");\nSELECT 1', 'between breakpoints'],
])('refused: %s', (statement, why) => {
  expect(breachesOf(statement)).toContainEqual(expect.stringContaining(why))
})

test('a later check stands in a file of its own', () => {
  const statements = [
    'ALTER TABLE "orders" ADD CONSTRAINT "o" FOREIGN KEY ("more") REFERENCES "slip"("id") NOT VALID',
    'ALTER TABLE "orders" VALIDATE CONSTRAINT "o"',
  ] as const
  expect(breachesOf(...statements)).toEqual([expect.stringContaining('in a file of its own')])
  expect(statements.flatMap(statement => breachesOf(statement))).toEqual([])
})

test.each([
  [
    'CREATE TABLE "more" ("id" int NOT NULL)',
    'CREATE UNIQUE INDEX "more_id" ON "more" ("id")',
    'UPDATE "more" SET id = 1',
  ],
  ['ALTER TABLE "orders" ADD COLUMN "more" text', 'ALTER TABLE "orders" ADD COLUMN "less" integer DEFAULT 0 NOT NULL'],
  ['ALTER TABLE "game" ADD COLUMN "more" text[] DEFAULT \'{}\' NOT NULL', 'CREATE INDEX "g" ON "game" ("more")'],
  ['CREATE INDEX CONCURRENTLY "orders_more" ON "orders" USING btree ("more")'],
  ['ALTER TABLE "banner" ADD CONSTRAINT "b" FOREIGN KEY ("game_id") REFERENCES "public"."game"("id")'],
  [
    '-- in batches\nUPDATE "orders" SET "more" = 1 WHERE "id" IN (SELECT "id" FROM "orders" WHERE "more" = 0 LIMIT 500)',
  ],
  ['UPDATE "terms" SET "body" = \'new\'', 'INSERT INTO "option" VALUES (1)'],
  ['-- safe: nothing is read by this index any more.\nDROP INDEX "audit_action"'],
  ['-- unused since 0044_sales_by_buyer, which reads sold_day.\nDROP TABLE "sale_day"'],
])('allowed: %s', (...statements) => {
  expect(breachesOf(...statements.filter(Boolean))).toEqual([])
})

test('what the previous release still used is not dropped, and a reason has to be one', () => {
  expect(breachesOf('-- unused since 0045_messages_by_tab\nDROP TABLE "sale_day"')).toHaveLength(1)
  expect(breachesOf('-- safe: we looked at all of it\nDROP TABLE "sale_day"')).toHaveLength(1)
  expect(breachesOf('-- safe: yes\nDROP INDEX "audit_action"')).toHaveLength(1)
})

test('the migrations of before the rule would not all have passed', () => {
  const of = (tag: string) => findBreaches(MIGRATIONS.find(migration => migration.tag === tag)!, RELEASED)
  expect(of('0001_one_word_each')).toContainEqual(expect.stringContaining('knows the old name'))
  expect(of('0041_orders_by_tab')).toEqual([expect.stringContaining('Say CONCURRENTLY')])
  expect(of('0048_banner_game')).toEqual([])
})
