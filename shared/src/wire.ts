import * as z from 'zod'

/** Building blocks of the contracts. */

/** Id of a catalogue row: a positive 32-bit integer. */
export const rowId = z.int32().positive()

/** Such an id in a path or query, where everything is text. */
export const rowIdParam = z.coerce.number().pipe(rowId)

/** An amount in satang. */
export const satang = z.int()

/** An instant, ISO 8601 with Z. */
export const instant = z.iso.datetime()

/** Query values arrive as one string or many. */
export const many = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    value => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(50).optional(),
  )

/** Bangkok month "YYYY-MM". */
export const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** Paging of every list. */
export const paging = {
  page: z.coerce.number().int().min(1).max(1000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
}

/** A page of rows; `total` stops counting one above what list-count.ts says. */
export const page = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), total: z.int(), nowDate: instant })
