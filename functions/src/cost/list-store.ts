import {
  changesOf,
  hasLostMost,
  type KnownProduct,
  type ProductChange,
  type ProductState,
} from '@shop/shared/cost/product-change.ts'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql, insertManySql, recordSql } from '../database/values.ts'
import type { SupplierProduct } from '../supplier/provider.ts'
import { supplierList, supplierProduct, supplierProductChange } from './tables.ts'

const [l, k] = [under(supplierList, 'l'), under(supplierProduct, 'k')]
/** Where names stand alone, and what an INSERT brings. */
const [lists, listed] = [under(supplierList), under(supplierList, 'excluded')]
const [product, sent] = [under(supplierProduct), under(supplierProduct, 'excluded')]

type ListRow = typeof supplierList.$inferSelect

/** Begins a reading of a supplier's list; false when another began less than so many seconds ago. */
export async function beginList(db: Sql, supplier: string, now: Date, seconds: number): Promise<boolean> {
  const rows = await db.query({
    text: sql`INSERT INTO ${lists} AS l (${lists.supplier}, ${lists.triedAt}) VALUES ($1, $2)
      ON CONFLICT (${lists.supplier}) DO UPDATE SET ${lists.triedAt} = ${listed.triedAt}
        WHERE ${l.triedAt} <= ${listed.triedAt} - make_interval(secs => $3) RETURNING ${row(pick(lists, 'supplier'))}`,
    values: [supplier, now, seconds],
  })
  return rows.length > 0
}

export const saveList = async (db: Sql, supplier: string, change: Partial<ListRow>): Promise<void> => {
  await db.orm.update(supplierList).set(change).where(eq(supplierList.supplier, supplier))
}

const KNOWN = row<KnownProduct>({
  ...pick(k, 'sku', 'name', 'price', 'currency', 'costSatang', 'isInStock'),
  isGone: as.bool(`${k.goneAt} IS NOT NULL`),
})

const findKnown = (tx: Sql, supplier: string): Promise<KnownProduct[]> =>
  tx.query({ text: sql`SELECT ${KNOWN} FROM ${k} WHERE ${k.supplier} = $1`, values: [supplier] })

/** What became of a list that was read whole. */
type ListOutcome = { kind: 'doubted' } | { kind: 'kept'; changes: number }

/**
 * Keeps a whole list and what it changes. One that lacks most of the known products is believed when it comes a second
 * time. The first list of all changes nothing: everything in it is new.
 */
export async function keepList(
  tx: Sql,
  supplier: string,
  listed: readonly SupplierProduct[],
  now: Date,
): Promise<ListOutcome> {
  const [found] = await tx.query({
    text: sql`SELECT ${row(pick(lists, 'doubtedAt'))} FROM ${lists} WHERE ${lists.supplier} = $1 FOR UPDATE`,
    values: [supplier],
  })
  const known = await findKnown(tx, supplier)
  if (hasLostMost(known, listed) && !found?.doubtedAt) {
    await saveList(tx, supplier, { doubtedAt: now, failedAt: null })
    return { kind: 'doubted' }
  }
  const products = [...new Map(listed.map(product => [product.sku, product])).values()]
  const changes = changesOf(known, products)
  await saveProducts(tx, supplier, { products, changes }, now)
  if (known.length > 0) await insertChanges(tx, supplier, changes, now)
  await saveList(tx, supplier, { readAt: now, failedAt: null, doubtedAt: null })
  return { kind: 'kept', changes: known.length > 0 ? changes.length : 0 }
}

const SENT = recordSql({
  sku: 'text',
  name: 'text',
  delivers: 'text',
  price: 'text',
  currency: 'text',
  costSatang: 'bigint',
  isInStock: 'boolean',
  region: 'text',
  fields: 'json',
})

/** What a list tells anew of a product that is known. */
const TOLD = {
  ...pick(product, 'name', 'delivers', 'price', 'currency', 'costSatang', 'isInStock', 'region', 'fields'),
  ...pick(product, 'seenAt'),
}

async function saveProducts(
  tx: Sql,
  supplier: string,
  { products, changes }: { products: readonly SupplierProduct[]; changes: readonly ProductChange[] },
  now: Date,
): Promise<void> {
  const changed = new Set(changes.map(({ sku }) => sku))
  await tx.query({
    text: sql`INSERT INTO ${product} AS k (${product.supplier}, ${product.sku}, ${product.name},
        ${product.delivers}, ${product.price}, ${product.currency}, ${product.costSatang}, ${product.isInStock},
        ${product.region}, ${product.fields}, ${product.seenAt}, ${product.changedAt})
      SELECT $2, s.sku, s.name, s.delivers, s.price, s.currency, s."costSatang", s."isInStock", s.region,
        ARRAY(SELECT json_array_elements_text(s.fields)), $3, $3
      FROM json_to_recordset($1) AS s (${SENT})
      ON CONFLICT (${product.supplier}, ${product.sku}) DO UPDATE SET ${excludedSql(TOLD)}, ${product.goneAt} = NULL,
        ${product.changedAt} = CASE WHEN ${sent.sku} = ANY($4) THEN ${sent.changedAt} ELSE ${k.changedAt} END`,
    values: [JSON.stringify(products), supplier, now, [...changed]],
  })
  const gone = changes.filter(({ kind }) => kind === 'gone').map(({ sku }) => sku)
  if (gone.length === 0) return
  await tx.query({
    text: sql`UPDATE ${product} SET ${product.goneAt} = $3, ${product.changedAt} = $3
      WHERE ${product.supplier} = $1 AND ${product.sku} = ANY($2)`,
    values: [supplier, gone, now],
  })
}

const INSERT_CHANGES = insertManySql(supplierProductChange)

async function insertChanges(tx: Sql, supplier: string, changes: readonly ProductChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ sku, name, kind, before, after }) => ({
    id: uuidv7(),
    supplier,
    sku,
    name,
    kind,
    currency: currencyOf(after ?? before),
    fromPrice: before?.price ?? null,
    toPrice: after?.price ?? null,
    fromSatang: before?.costSatang ?? null,
    toSatang: after?.costSatang ?? null,
    at: now,
  }))
  await tx.query({ text: INSERT_CHANGES, values: [JSON.stringify(rows)] })
}

const currencyOf = (product: ProductState | null): string => product?.currency ?? ''
