import {
  changesOf,
  hasLostMost,
  type KnownProduct,
  type ProductChange,
  type ProductState,
} from '@shop/shared/cost/product-change.ts'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { insertManySql, recordSql } from '../database/values.ts'
import type { SupplierProduct } from '../supplier/provider.ts'
import { supplierList, supplierProduct, supplierProductChange } from './tables.ts'

type ListRow = typeof supplierList.$inferSelect

/** Begins a reading of a supplier's list; false when another began less than so many seconds ago. */
export async function beginList(db: Sql, supplier: string, now: Date, seconds: number): Promise<boolean> {
  const rows = await db.query({
    text: `INSERT INTO supplier_list AS l (supplier, tried_at) VALUES ($1, $2)
      ON CONFLICT (supplier) DO UPDATE SET tried_at = excluded.tried_at
        WHERE l.tried_at <= excluded.tried_at - make_interval(secs => $3) RETURNING supplier`,
    values: [supplier, now, seconds],
  })
  return rows.length > 0
}

export const saveList = async (db: Sql, supplier: string, change: Partial<ListRow>): Promise<void> => {
  await db.orm.update(supplierList).set(change).where(sql`${supplierList.supplier} = ${supplier}`)
}

const KNOWN = columns<KnownProduct>({
  ...sqlOf(supplierProduct, 'k', 'sku', 'name', 'price', 'currency', 'costSatang', 'isInStock'),
  isGone: 'k.gone_at IS NOT NULL',
})

const findKnown = (tx: Sql, supplier: string): Promise<KnownProduct[]> =>
  tx.query({ text: `SELECT ${KNOWN} FROM supplier_product k WHERE k.supplier = $1`, values: [supplier] })

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
  const [row] = await tx.query<Pick<ListRow, 'doubtedAt'>>({
    text: `SELECT doubted_at AS "doubtedAt" FROM supplier_list WHERE supplier = $1 FOR UPDATE`,
    values: [supplier],
  })
  const known = await findKnown(tx, supplier)
  if (hasLostMost(known, listed) && !row?.doubtedAt) {
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

async function saveProducts(
  tx: Sql,
  supplier: string,
  { products, changes }: { products: readonly SupplierProduct[]; changes: readonly ProductChange[] },
  now: Date,
): Promise<void> {
  const changed = new Set(changes.map(({ sku }) => sku))
  await tx.query({
    text: `INSERT INTO supplier_product AS k (supplier, sku, name, delivers, price, currency, cost_satang, is_in_stock, region, fields,
        seen_at, changed_at)
      SELECT $2, s.sku, s.name, s.delivers, s.price, s.currency, s."costSatang", s."isInStock", s.region,
        ARRAY(SELECT json_array_elements_text(s.fields)), $3, $3
      FROM json_to_recordset($1) AS s (${SENT})
      ON CONFLICT (supplier, sku) DO UPDATE SET name = excluded.name, delivers = excluded.delivers, price = excluded.price,
        currency = excluded.currency, cost_satang = excluded.cost_satang, is_in_stock = excluded.is_in_stock,
        region = excluded.region, fields = excluded.fields, seen_at = excluded.seen_at, gone_at = NULL,
        changed_at = CASE WHEN excluded.sku = ANY($4) THEN excluded.changed_at ELSE k.changed_at END`,
    values: [JSON.stringify(products), supplier, now, [...changed]],
  })
  const gone = changes.filter(({ kind }) => kind === 'gone').map(({ sku }) => sku)
  if (gone.length === 0) return
  await tx.query({
    text: 'UPDATE supplier_product SET gone_at = $3, changed_at = $3 WHERE supplier = $1 AND sku = ANY($2)',
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
