import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Hono } from 'hono'
import { log } from '../http/log.ts'
import { readRawBody } from '../http/raw-body.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { supplierNamed } from './provider.ts'
import { findAttempt, saveSupplier, takeCallback } from './store.ts'

const MOST_BYTES = 20_000
const FIRST = 'seagm' satisfies SupplierName

/**
 * Receives a supplier's report about a purchase. The report itself is not trusted, so the supplier is asked. The
 * signature covers the body as it was sent, so the body is read here and not through a schema.
 */
export function registerSupplierCallback(app: Hono, shop: Shop): void {
  // The first supplier that the shop had was given the address without a name.
  app.post('/supplier/callback/:name?', async c => {
    const { db } = shop
    const supplier = supplierNamed(shop.suppliers, c.req.param('name') ?? FIRST)
    if (!supplier) throw new AppError('NOT_FOUND')
    const raw = (await readRawBody(c.req.raw, MOST_BYTES)).toString('utf8')
    const callback = supplier.readCallback(raw, c.req.raw.headers)
    if (!callback) {
      log('WARNING', 'supplier callback refused', { supplier: supplier.name })
      throw new AppError('FORBIDDEN')
    }
    const { reference, reply, said } = callback
    const digest = createHash('sha256').update(said).digest('base64url')
    await db.transaction(async tx => {
      const now = shop.now()
      await saveSupplier(tx, supplier.name, { lastCallbackAt: now })
      const taken = { digest, supplier: supplier.name, reference, receivedAt: now }
      if (!(await takeCallback(tx, taken))) return
      const attempt = await findAttempt(tx, { supplier: supplier.name, reference })
      if (!attempt) return log('WARNING', 'supplier callback for an unknown purchase', { supplier: supplier.name })
      await enqueue(tx, { kind: 'supplier.ask', key: `callback:${digest}`, payload: { attemptId: attempt.id }, now })
    })
    return reply === '' ? c.body(null, 204) : c.text(reply)
  })
}
