// What the stand-ins of gateways and suppliers keep in memory alone, read from the shop's own books: they are started
// again and again beside a shop that stays.
import type { GatewayName, SupplierName } from '@shop/shared/provider-names.ts'
import type { AttemptState } from '@shop/shared/supplier/supplier.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import { openVouchers } from 'functions/src/voucher/store.ts'
import type { Charge } from './gateway/register.ts'
import type { Fault } from './supplier/faults.ts'
import type { Booked, Product } from './supplier/register.ts'

/** Returns the charges of a gateway that the shop knows the gateway's own id of. */
export async function readKnownCharges(databaseUrl: string, gateway: GatewayName): Promise<Charge[]> {
  const db = openDatabase(databaseUrl, { connections: 1 })
  try {
    return await db.query<Charge>({
      text: `SELECT c.reference AS id, c.amount_satang AS "amountSatang", 'THB' AS currency, c.is_live AS "isLive", c.method,
          json_build_object('charge', c.id) AS metadata, coalesce(o.order_no, t.no) AS description, NULL AS "returnUrl",
          c.created_at AS "createdAt", c.expires_at AS "expiresAt", NULL AS "failureCode", c.paid_at AS "paidAt",
          CASE c.state WHEN 'paid' THEN 'successful' WHEN 'waiting' THEN 'pending' ELSE c.state END AS status,
          0 AS "refundedSatang"
        FROM charge c LEFT JOIN orders o ON o.id = c.order_id LEFT JOIN top_up t ON t.id = c.top_up_id
        WHERE c.gateway = $1 AND c.reference IS NOT NULL AND c.state <> 'asking' ORDER BY c.created_at`,
      values: [gateway],
    })
  } finally {
    await db.close()
  }
}

/** How a purchase went on that ended so. */
const ENDED_BY: Partial<Record<AttemptState, Fault>> = { failed: 'player', refunded: 'failed' }

interface Purchase extends Pick<Booked, 'id' | 'reference' | 'quantity' | 'at'> {
  sku: string
  state: AttemptState
  costSatang: number | null
  fields: string[]
  codes: { id: string; sealed: string }[]
}

/** Returns the purchases of these products that a supplier took and gave a number of its own. */
export async function readKnownPurchases(
  databaseUrl: string,
  { name, products }: { name: SupplierName; products: readonly Product[] },
): Promise<Booked[]> {
  const db = openDatabase(databaseUrl, { connections: 1 })
  const keys = openVouchers({ VOUCHER_KEYS: [], NODE_ENV: 'development' })!
  try {
    const purchases = await db.query<Purchase>({
      text: `SELECT their_id AS id, reference, quantity, sent_at AS at, sku, state, cost_satang AS "costSatang", fields,
          (SELECT coalesce(json_agg(json_build_object('id', v.id, 'sealed', v.sealed) ORDER BY v.id), '[]')
            FROM voucher v WHERE v.attempt_id = a.id) AS codes
        FROM supplier_attempt a WHERE supplier = $1 AND their_id IS NOT NULL ORDER BY id`,
      values: [name],
    })
    return purchases.flatMap(({ sku, state, costSatang, fields, codes, ...purchase }) => {
      const product = products.find(({ id }) => id === sku)
      if (!product) return []
      return {
        ...purchase,
        product,
        fields: Object.fromEntries(product.fields.map((field, place) => [field, fields[place] ?? ''])),
        costSatang: costSatang ?? product.priceSatang * purchase.quantity,
        codes: codes.map(({ id, sealed }) => keys.open(id, sealed).code),
        fault: ENDED_BY[state] ?? null,
        hiddenFor: 0,
        asks: 0,
        givenBackSatang: 0,
      }
    })
  } finally {
    await db.close()
  }
}
