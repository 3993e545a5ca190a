import type { ProductChangeKind } from '@shop/shared/cost/product-change.ts'
import { DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import { game, gamePackage } from '../catalogue/tables.ts'
import type { Queries, Sql } from '../database/database.ts'
import { Filter, findPage, likePart } from '../database/listing.ts'
import { as, json, pick, row, sql, under } from '../database/sql.ts'
import { supplierList, supplierProduct, supplierProductChange } from './tables.ts'

const c = under(supplierProductChange, 'c')
const [p, g] = [under(gamePackage, 'p'), under(game, 'g')]
const [l, k] = [under(supplierList, 'l'), under(supplierProduct, 'k')]

type ChangeRow = typeof supplierProductChange.$inferSelect
interface UsedBy {
  id: number
  gameId: number
  gameName: string
  name: string
}
type ChangeWithPackages = ChangeRow & { packages: UsedBy[] }

/** A change's product among the sources of a package. */
const SOURCE = `jsonb_build_array(jsonb_build_object('supplier', ${c.supplier}, 'sku', ${c.sku}))`
const USED_BY = json<UsedBy>({ ...pick(p, 'id', 'gameId', 'name'), gameName: g.name })
const CHANGE = row<ChangeWithPackages>({
  ...pick(c, 'id', 'supplier', 'sku', 'name', 'kind', 'currency', 'fromPrice', 'toPrice'),
  ...pick(c, 'fromSatang', 'toSatang', 'at'),
  packages:
    as.shape(`(SELECT coalesce(json_agg(${USED_BY} ORDER BY ${p.id}), '[]') FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId}
    WHERE ${p.sources} @> ${SOURCE})`),
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
  filter.where(query.supplier, supplier => `${c.supplier} = ${supplier}`)
  filter.where(query.kind, kinds => `${c.kind} = ANY(${kinds}::text[])`)
  filter.where(query.product || null, text => `(${c.name} ILIKE ${text} OR ${c.sku} ILIKE ${text})`, likePart)
  filter.where(
    query.used || null,
    used => `${used}::boolean AND EXISTS (SELECT FROM ${p} WHERE ${p.sources} @> ${SOURCE})`,
  )
  filter.where(query.from, from => `${c.at} >= ${from}`, startOfBangkokDay)
  filter.where(
    query.to,
    to => `${c.at} < ${to}`,
    to => new Date(startOfBangkokDay(to).getTime() + DAY_MS),
  )
  const select = sql`SELECT ${CHANGE} FROM page c`
  return findPage(db, { from: sql`${c}`, filter, order: `${c.at} DESC, ${c.id} DESC`, select }, query)
}

/** Returns how the reading of each supplier's list went, with how many products it has. */
export const findLists = (db: Sql): Promise<(typeof supplierList.$inferSelect & { products: number })[]> =>
  db.query({
    text: sql`SELECT ${row<typeof supplierList.$inferSelect & { products: number }>({
      ...pick(l, 'supplier', 'triedAt', 'readAt', 'failedAt', 'doubtedAt'),
      products: as.int(`(SELECT count(*) FROM ${k} WHERE ${k.supplier} = ${l.supplier} AND ${k.goneAt} IS NULL)`),
    })} FROM ${l} ORDER BY ${l.supplier}`,
  })
