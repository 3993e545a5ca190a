import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { rowId as id, many, rowIdParam, satang } from '../wire.ts'
import { packageFilter } from './manage-endpoints.ts'
import { PRICE_CODES } from './payment-method.ts'
import { MOST_PRICE_SATANG } from './price-editing.ts'

/** Calls that change many packages at once. */

const day = z.iso.date()

const priceChange = z.discriminatedUnion('by', [
  z.object({ by: z.literal('amount'), satang: satang.min(-MOST_PRICE_SATANG).max(MOST_PRICE_SATANG) }),
  z.object({ by: z.literal('percent'), percent: z.number().min(-99).max(1000) }),
  z.object({ by: z.literal('set'), satang: satang.min(0).max(MOST_PRICE_SATANG) }),
])

export const changePackages = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/bulk',
  summary:
    'Switches packages on or off, or changes their prices, now or from a day on; first without a mark, to see what would be',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  body: z.object({
    packages: z.union([
      z.strictObject({ ids: z.array(id).min(1).max(1000) }),
      /** Selects all packages of a game that its list shows with this filter. */
      z.strictObject({ gameId: id, ...packageFilter }),
    ]),
    /** Whether packages that can't be changed are left out. */
    isWithoutProblems: z.boolean().default(false),
    action: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('activate') }),
      z.object({ kind: z.literal('deactivate') }),
      z.object({
        kind: z.literal('price'),
        payment: z.enum(PRICE_CODES),
        change: priceChange,
        /** The change applies from 00:00 Bangkok of this day; without it at once. */
        fromDay: day.optional(),
        /** Whether prices already planned for another day or amount are replaced by this one; else they are a problem. */
        replacesPlanned: z.boolean().default(false),
      }),
    ]),
    /** The mark of the preview that was confirmed; without it nothing is written. */
    mark: z.string().max(100).optional(),
  }),
  reply: z.object({
    /** The number of selected packages. */
    total: z.int(),
    changed: z.int(),
    problems: z.int(),
    /** Of those, the packages with a planned price that only `replacesPlanned` may replace. */
    planned: z.int(),
    mark: z.string(),
    /** The first 1000 packages; those with problems come first. */
    rows: z.array(
      z.object({
        id,
        name: z.string(),
        before: z.string(),
        after: z.string(),
        /** Why this package can't be changed; nothing is saved while any has a problem. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  /** CONFLICT: the preview has changed since. */
  errors: ['PACKAGE_NOT_FOUND', 'PRICE_INVALID', 'PRICE_BELOW_DISCOUNT', 'CONFLICT', 'SECOND_WORD_NEEDED'],
})

export const copyPrices = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/copyprice',
  summary: 'Gives packages the prices of another',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  body: z.object({ fromPackageId: id, toPackageIds: z.array(id).min(1).max(100) }),
  reply: z.object({ changed: z.int() }),
  errors: ['PACKAGE_NOT_FOUND', 'PRICE_BELOW_DISCOUNT', 'SECOND_WORD_NEEDED'],
})

export const exportPackages = endpoint({
  method: 'GET',
  path: '/romons.package/api/packages/export',
  summary: 'Packages and prices as CSV, of all games or some',
  allow: 'catalogue.manage',
  query: z.object({ game: many(rowIdParam) }),
  reply: z.any(),
  replyKind: 'csv',
})

export const importPackages = endpoint({
  method: 'POST',
  path: '/romons.package/api/packages/import',
  summary:
    'Reads the same CSV back: a dry run shows what would change and every row that is wrong; all of it or nothing',
  allow: 'catalogue.manage',
  secondWord: 'runs',
  bodyLimitBytes: 16_000_000,
  body: z.object({ csv: z.string().max(5_000_000), isDryRun: z.boolean() }),
  reply: z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** Line, column and mistake; nothing is saved while there is one. */
    problems: z.array(z.object({ line: z.int(), column: z.string(), problem: z.string() })),
    /** The first changes, in words. */
    preview: z.array(z.object({ line: z.int(), name: z.string(), before: z.string(), after: z.string() })),
  }),
  errors: ['IMPORT_INVALID', 'SECOND_WORD_NEEDED'],
})
