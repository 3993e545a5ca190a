import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/webhook/endpoints.ts'
import { DELIVERY_ERROR, MOST_WEBHOOKS } from '@shop/shared/webhook/webhook.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { type Context, limitKey, personOf, type Route, route } from '../http/route.ts'
import { emitTest } from './emit.ts'
import { switchOff } from './sending-store.ts'
import { messageIdOf, newSecret } from './sign.ts'
import * as store from './store.ts'

/** @throws WEBHOOK_KEYS_MISSING */
function keysOf({ shop: { vouchers } }: Context) {
  if (!vouchers) throw new AppError('WEBHOOK_KEYS_MISSING')
  return vouchers
}

/** @throws RATE_LIMITED */
const count = (context: Context) => context.shop.limits.take('webhooksPerCaller', limitKey(context))

/** @throws NOT_FOUND */
async function viewOf(db: Sql, context: Context, id: string) {
  const { uid, now } = personOf(context)
  const [webhook] = await store.findEndpoints(db, uid, now, id)
  if (!webhook) throw new AppError('NOT_FOUND')
  return webhook
}

/** Changes an endpoint of the caller's under its lock. @throws NOT_FOUND */
const change = <Result>(
  context: Context,
  id: string,
  save: (tx: Sql, endpoint: NonNullable<Awaited<ReturnType<typeof store.lockEndpoint>>>) => Promise<Result>,
): Promise<Result> =>
  context.shop.db.transaction(async tx => {
    const endpoint = await store.lockEndpoint(tx, personOf(context).uid, id)
    if (!endpoint) throw new AppError('NOT_FOUND')
    return save(tx, endpoint)
  })

async function add(context: Context, { mode, url }: ParsedInput<typeof contract.addWebhook>['body']) {
  const { shop, now } = context
  const { uid } = personOf(context)
  const keys = keysOf(context)
  await count(context)
  const refusal = await shop.webhooks.check(url)
  if (refusal) throw new AppError('WEBHOOK_ADDRESS_REFUSED', { values: { why: DELIVERY_ERROR[refusal].label } })
  const [id, secret] = [uuidv7(), newSecret()]
  return shop.db.transaction(async tx => {
    if (!(await store.hasRoomForEndpoint(tx, uid, mode)))
      throw new AppError('WEBHOOK_TOO_MANY', { values: { n: MOST_WEBHOOKS } })
    await store.insertEndpoint(tx, { id, uid, mode, url, secret: keys.sealText(id, secret), createdAt: now })
    return { webhook: await viewOf(tx, context, id), secret }
  })
}

async function remove(context: Context, id: string) {
  const { uid } = personOf(context)
  if (!(await context.shop.db.transaction(tx => store.removeEndpoint(tx, uid, id)))) throw new AppError('NOT_FOUND')
  return { id }
}

const turn = (context: Context, id: string, isOn: boolean) =>
  change(context, id, async (tx, endpoint) => {
    if (isOn && !endpoint.isOn) await store.switchOn(tx, id)
    if (!isOn && endpoint.isOn) await switchOff(tx, id, 'owner', context.now)
    return viewOf(tx, context, id)
  })

async function renew(context: Context, id: string) {
  const keys = keysOf(context)
  await count(context)
  const secret = newSecret()
  return change(context, id, async tx => {
    await store.renewSecret(tx, id, keys.sealText(id, secret), context.now)
    return { webhook: await viewOf(tx, context, id), secret }
  })
}

/** Sends something because its owner asks for it, so also where nothing arrived before. */
async function sendNow(
  context: Context,
  id: string,
  put: (tx: Sql, endpoint: Pick<store.Endpoint, 'mode'>) => Promise<string>,
) {
  await count(context)
  return change(context, id, async (tx, endpoint) => {
    if (!endpoint.isOn) throw new AppError('WEBHOOK_IS_OFF')
    await store.endRest(tx, id, context.now)
    return store.findMessage(tx, await put(tx, endpoint))
  })
}

const resend = (context: Context, id: string, messageId: string) =>
  sendNow(context, id, async tx => {
    if (!(await store.sendAgain(tx, id, messageId, context.now))) throw new AppError('NOT_FOUND')
    return messageId
  })

const test = (context: Context, id: string) =>
  sendNow(context, id, async (tx, { mode }) => {
    const { uid, now } = personOf(context)
    const data = { endpointId: id, mode }
    const [messageId] = await emitTest(tx, { uid, mode, type: 'endpoint.test', data, now, endpointId: id })
    return messageId!
  })

async function listMessages(
  context: Context,
  { params, query }: Pick<ParsedInput<typeof contract.listWebhookMessages>, 'params' | 'query'>,
) {
  const { db } = context.shop
  await viewOf(db, context, params.id)
  const { state = null, after } = query
  const found = await store.findMessages(db, params.id, { state, after: after ? messageIdOf(after) : null })
  return { ...found, nowDate: context.now.toISOString() }
}

export const webhookRoutes: Route[] = [
  route(contract.listWebhooks, async (_, context) => {
    const { uid, now } = personOf(context)
    return { webhooks: await store.findEndpoints(context.shop.db, uid, now), nowDate: now.toISOString() }
  }),
  route(contract.addWebhook, ({ body }, context) => add(context, body)),
  route(contract.removeWebhook, ({ params }, context) => remove(context, params.id)),
  route(contract.switchWebhook, ({ params, body }, context) => turn(context, params.id, body.isOn)),
  route(contract.renewWebhookSecret, ({ params }, context) => renew(context, params.id)),
  route(contract.listWebhookMessages, (input, context) => listMessages(context, input)),
  route(contract.resendWebhookMessage, ({ params }, context) =>
    resend(context, params.id, messageIdOf(params.messageId)),
  ),
  route(contract.testWebhook, ({ params }, context) => test(context, params.id)),
]
