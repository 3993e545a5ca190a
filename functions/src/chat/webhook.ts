import { createHmac, timingSafeEqual } from 'node:crypto'
import { readWebhook } from '@shop/shared/chat/heard.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Hono } from 'hono'
import { readJson } from '../http/ask-json.ts'
import { log } from '../http/log.ts'
import { readRawBody } from '../http/raw-body.ts'
import { enqueue } from '../outbox/outbox.ts'
import { noteKey } from '../pulse/note-key.ts'
import type { Shop } from '../shop/shop.ts'

const MOST_BYTES = 2_000_000

/** Returns the secret with which LINE signed these bytes. */
function findSigner(raw: Buffer, signature: string | undefined, secrets: readonly string[]): string | undefined {
  const told = Buffer.from(signature ?? '', 'base64')
  return secrets.find(secret => {
    const right = createHmac('sha256', secret).update(raw).digest()
    return right.length === told.length && timingSafeEqual(right, told)
  })
}

/** Receives LINE's events. Each is stored and acknowledged; a job then handles it, once however often LINE sends it. */
export function registerLineWebhook(app: Hono, shop: Shop): void {
  app.post('/line/webhook', async c => {
    const secrets = shop.config.LINE_CHANNEL_SECRET
    if (secrets.length === 0) throw new AppError('NOT_FOUND')
    const raw = await readRawBody(c.req.raw, MOST_BYTES)
    const signer = findSigner(raw, c.req.header('x-line-signature'), secrets)
    if (!signer) {
      log('WARNING', 'LINE webhook refused')
      throw new AppError('FORBIDDEN')
    }
    await noteKey(shop.beat, 'LINE_CHANNEL_SECRET', secrets, signer)
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
