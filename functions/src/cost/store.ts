import type { ProductChangeKind } from '@shop/shared/cost/product-change.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import type { Queries, Sql } from '../database/database.ts'
import { columns, Filter, findPage, jsonObject, likePart, sqlOf } from '../database/listing.ts'
import { supplierList, supplierProductChange } from './tables.ts'

type ChangeRow = typeof supplierProductChange.$inferSelect
interface UsedBy {
  id: number
  gameId: number
  gameName: string
  name: string
}
type ChangeWithPackages = ChangeRow & { packages: UsedBy[] }

const SOURCE_OF = (c: string) => `jsonb_build_array(jsonb_build_object('supplier', ${c}.supplier, 'sku', ${c}.sku))`
const USED_BY = jsonObject<UsedBy>({ id: 'p.id', gameId: 'p.game_id', gameName: 'g.name', name: 'p.name' })
const CHANGE = columns<ChangeWithPackages>({
  ...sqlOf(supplierProductChange, 'c', 'id', 'supplier', 'sku', 'name', 'kind', 'currency', 'fromPrice', 'toPrice'),
  ...sqlOf(supplierProductChange, 'c', 'fromSatang', 'toSatang', 'at'),
  packages: `(SELECT coalesce(json_agg(${USED_BY} ORDER BY p.id), '[]') FROM package p JOIN game g ON g.id = p.game_id
    WHERE p.sources @> ${SOURCE_OF('c')})`,
})

interface ChangeFilter {
  supplier?: string
  kind?: ProductChangeKind[]
  product?: string
  used?: boolean
  from?: string
  to?: string
}

/** A page of what changed in the lists of suppliers, newest first. */
export function findChanges(
  db: Queries,
  query: ChangeFilter & { page: number; pageSize: number },
): Promise<{ rows: ChangeWithPackages[]; total: number }> {
  const filter = new Filter()
  filter.where(query.supplier, supplier => `c.supplier = ${supplier}`)
  filter.where(query.kind, kinds => `c.kind = ANY(${kinds}::text[])`)
  filter.where(query.product || null, text => `(c.name ILIKE ${text} OR c.sku ILIKE ${text})`, likePart)
  filter.where(
    query.used || null,
    used => `${used}::boolean AND EXISTS (SELECT FROM package p WHERE p.sources @> ${SOURCE_OF('c')})`,
  )
  filter.where(query.from, from => `c.at >= ${from}`, startOfBangkokDay)
  filter.where(
    query.to,
    to => `c.at < ${to}`,
    to => new Date(startOfBangkokDay(to).getTime() + DAY_MS),
  )
  const select = `SELECT ${CHANGE} FROM page c`
  return findPage(db, { from: 'supplier_product_change c', filter, order: 'c.at DESC, c.id DESC', select }, query)
}

/** Returns how the reading of each supplier's list went, with how many products it has. */
export const findLists = (db: Sql): Promise<(typeof supplierList.$inferSelect & { products: number })[]> =>
  db.query({
    text: `SELECT ${columns<typeof supplierList.$inferSelect & { products: number }>({
      ...sqlOf(supplierList, 'l', 'supplier', 'triedAt', 'readAt', 'failedAt', 'doubtedAt'),
      products: '(SELECT count(*)::int FROM supplier_product k WHERE k.supplier = l.supplier AND k.gone_at IS NULL)',
    })} FROM supplier_list l ORDER BY l.supplier`,
  })
