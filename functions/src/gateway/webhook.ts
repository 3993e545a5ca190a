import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import type { Hono } from 'hono'
import { log } from '../http/log.ts'
import { readRawBody } from '../http/raw-body.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { findChargeOf } from './store.ts'

const MOST_BYTES = 100_000

/**
 * Receives what a gateway says by itself. It is only a reason to ask: nothing of it is believed but which charge it is
 * about. A message that comes again asks nothing again.
 */
export function registerGatewayWebhook(app: Hono, shop: Shop): void {
  app.post('/gateway/hear/:name', async c => {
    const { gateway, db } = shop
    if (gateway?.name !== c.req.param('name')) throw new AppError('NOT_FOUND')
    const raw = await readRawBody(c.req.raw, MOST_BYTES)
    const now = shop.now()
    const heard = gateway.hear(c.req.raw.headers, raw, now)
    if (!heard) {
      log('WARNING', 'gateway message refused', { gateway: gateway.name })
      throw new AppError('FORBIDDEN')
    }
    const { reference } = heard
    // Signed, and about the account, say: refused, it would be sent for days.
    if (reference === null) return c.body(null, 204)
    const digest = createHash('sha256').update(raw).digest('base64url')
    await db.transaction(async tx => {
      const charge = await findChargeOf(tx, gateway.name, reference)
      // The first answer may still be on its way; then the charge is asked about soon anyway.
      if (charge)
        await enqueue(tx, { kind: 'charge.ask', key: `heard:${digest}`, payload: { chargeId: charge.id }, now })
    })
    return c.body(null, 204)
  })
}
