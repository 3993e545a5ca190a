import * as z from 'zod'
import { rowId as id } from '../wire.ts'

/**
 * The body of a call that puts rows in another order.
 * CONFLICT when the list has changed since it was seen: `details.current` is the current stretch of it, a `ShownOrder`.
 */
export const reordering = {
  order: z
    .array(z.object({ id, no: z.int().min(1).max(100_000) }))
    .min(1)
    .max(1000)
    .refine(rows => new Set(rows.map(each => each.id)).size === rows.length, 'มีรายการซ้ำ')
    .refine(rows => new Set(rows.map(each => each.no)).size === rows.length, 'มีลำดับซ้ำ'),
  seen: z.object({
    ids: z.array(id).min(1).max(1000),
    firstNo: z.int().min(1).max(100_000),
    total: z.int().min(1).max(100_000),
  }),
}
