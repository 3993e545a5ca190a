import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/webhook/endpoints.ts'
import { CHOSEN_EVENTS, type ChosenEvent, DELIVERY_ERROR, MOST_WEBHOOKS } from '@shop/shared/webhook/webhook.ts'
import { uuidv7 } from 'uuidv7'
import { tellOwner } from '../access/news.ts'
import { lockMaker } from '../access/own-account.ts'
import { type Context, limitKey, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
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

/** Counts a call that tries the PIN. @throws RATE_LIMITED */
async function countPin(context: Context): Promise<void> {
  await context.shop.limits.take('pinTriesPerCaller', limitKey(context))
  await count(context)
}

/** Adds an endpoint. It is told of every order and of all money, so it is made like a key: with the PIN, and news. */
async function add(context: Context, { mode, url, pin }: ParsedInput<typeof contract.addWebhook>['body']) {
  const { shop, now } = context
  const { uid } = personOf(context)
  const keys = keysOf(context)
  await countPin(context)
  const refusal = await shop.webhooks.check(url)
  if (refusal) throw new AppError('WEBHOOK_ADDRESS_REFUSED', { values: { why: DELIVERY_ERROR[refusal].label } })
  const [id, secret] = [uuidv7(), newSecret()]
  const wrong = await shop.db.transaction(async tx => {
    const wrong = await lockMaker(tx, context, contract.addWebhook.allow, pin)
    if (wrong) return wrong
    if (!(await store.hasRoomForEndpoint(tx, uid, mode)))
      throw new AppError('WEBHOOK_TOO_MANY', { values: { n: MOST_WEBHOOKS } })
    await tellOwner(tx, { uid, kind: 'webhookMade', byShop: false, at: now, facts: { url } })
    await store.insertEndpoint(tx, { id, uid, mode, url, secret: keys.sealText(id, secret), createdAt: now })
    return null
  })
  if (wrong) throw wrong
  return { webhook: await viewOf(shop.db, context, id), secret }
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

const choose = (context: Context, id: string, events: ChosenEvent[]) =>
  change(context, id, async tx => {
    const chosen = CHOSEN_EVENTS.filter(event => events.includes(event))
    await store.saveEvents(tx, id, chosen.length === CHOSEN_EVENTS.length ? null : chosen)
    return viewOf(tx, context, id)
  })

/** Makes a new secret, with which whoever reads it could tell the agent's machine anything: so the PIN, and news. */
async function renew(context: Context, id: string, pin: string) {
  const { shop, now } = context
  const { uid } = personOf(context)
  const keys = keysOf(context)
  await countPin(context)
  const { url } = await viewOf(shop.db, context, id)
  const secret = newSecret()
  const wrong = await shop.db.transaction(async tx => {
    const wrong = await lockMaker(tx, context, contract.renewWebhookSecret.allow, pin)
    if (wrong) return wrong
    if (!(await store.lockEndpoint(tx, uid, id))) throw new AppError('NOT_FOUND')
    await tellOwner(tx, { uid, kind: 'webhookSecretMade', byShop: false, at: now, facts: { url } })
    await store.renewSecret(tx, id, keys.sealText(id, secret), now)
    return null
  })
  if (wrong) throw wrong
  return { webhook: await viewOf(shop.db, context, id), secret }
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
  route(contract.chooseWebhookEvents, ({ params, body }, context) => choose(context, params.id, body.events)),
  route(contract.renewWebhookSecret, ({ params, body }, context) => renew(context, params.id, body.pin)),
  route(contract.listWebhookMessages, (input, context) => listMessages(context, input)),
  route(contract.resendWebhookMessage, ({ params }, context) =>
    resend(context, params.id, messageIdOf(params.messageId)),
  ),
  route(contract.testWebhook, ({ params }, context) => test(context, params.id)),
]
