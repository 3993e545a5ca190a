import { createHmac, timingSafeEqual } from 'node:crypto'
import { readWebhook } from '@shop/shared/chat/heard.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Hono } from 'hono'
import { readJson } from '../http/ask-json.ts'
import { log } from '../http/log.ts'
import { readRawBody } from '../http/raw-body.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'

const MOST_BYTES = 2_000_000

/** Tells whether LINE signed these bytes with the channel's secret. */
function isFromLine(raw: Buffer, signature: string | undefined, secret: string): boolean {
  const [right, told] = [createHmac('sha256', secret).update(raw).digest(), Buffer.from(signature ?? '', 'base64')]
  return right.length === told.length && timingSafeEqual(right, told)
}

/** Receives LINE's events. Each is stored and acknowledged; a job then handles it, once however often LINE sends it. */
export function registerLineWebhook(app: Hono, shop: Shop): void {
  app.post('/line/webhook', async c => {
    const secret = shop.config.LINE_CHANNEL_SECRET
    if (!secret) throw new AppError('NOT_FOUND')
    const raw = await readRawBody(c.req.raw, MOST_BYTES)
    if (!isFromLine(raw, c.req.header('x-line-signature'), secret)) {
      log('WARNING', 'LINE webhook refused')
      throw new AppError('FORBIDDEN')
    }
    const said = readJson(raw.toString('utf8'))
    if (said === undefined) log('WARNING', 'LINE webhook with a body that is no JSON')
    const heard = readWebhook(said)
    if (heard.length > 0)
      await shop.db.transaction(async tx => {
        for (const each of heard)
          await enqueue(tx, { kind: 'chat.hear', key: each.eventId, payload: each, now: shop.now() })
      })
    return c.json({})
  })
}
