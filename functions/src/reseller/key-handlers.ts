import { randomBytes, randomInt } from 'node:crypto'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_MODE, type KeyMode, MOST_KEYS } from '@shop/shared/reseller/reseller.ts'
import { endKeys } from '../access/machines.ts'
import { tellOwner } from '../access/news.ts'
import { lockMaker } from '../access/own-account.ts'
import { hashSecret } from '../account/caller.ts'
import { type Context, limitKey, personOf, type Route, route } from '../call/route.ts'
import { ownWalletId } from '../wallet/handlers.ts'
import { readNetwork } from './addresses.ts'
import { findCalls } from './call-store.ts'
import * as store from './key-store.ts'
import { refillPlay } from './play-store.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_LETTERS = 16
const SECRET_BYTES = 32

/** The public part of a new key. */
const newKeyId = (mode: KeyMode): string =>
  KEY_MODE[mode].prefix + Array.from({ length: ID_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** @throws KEY_ADDRESS_INVALID */
function networksOf(addresses: readonly string[]): string[] {
  const read = addresses.map(address => {
    const network = readNetwork(address)
    if (!network) throw new AppError('KEY_ADDRESS_INVALID', { values: { address }, fields: { addresses: address } })
    return network
  })
  return [...new Set(read)]
}

async function list(context: Context) {
  const { shop, now } = context
  // What this process has counted is shown at once.
  await shop.keyUse.flush()
  return { keys: await store.findKeys(shop.db, personOf(context).uid, now), nowDate: now.toISOString() }
}

async function calls(context: Context, { mode, isFailed, after }: ParsedInput<typeof contract.listCalls>['query']) {
  const { shop, now } = context
  await shop.keyUse.flush()
  const asked = { mode, isFailed: isFailed === 'true', after: after ?? null }
  return { ...(await findCalls(shop.db, personOf(context).uid, asked)), nowDate: now.toISOString() }
}

/** Makes a key. Whoever has it spends without a PIN, so the PIN is asked now, and the owner is told. */
async function make(context: Context, body: ParsedInput<typeof contract.makeKey>['body']) {
  const { shop, now } = context
  const person = personOf(context)
  const { name, mode, scopes, dailyLimitSatang, pin } = body
  const addresses = networksOf(body.addresses)
  ownWalletId(context)
  await shop.limits.take('pinTriesPerCaller', limitKey(context))
  await shop.limits.take('keysPerCaller', limitKey(context))
  const id = newKeyId(mode)
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const refusal = await shop.db.transaction(async tx => {
    const wrong = await lockMaker(tx, context, contract.makeKey.allow, pin)
    if (wrong) return wrong
    if (!(await store.hasRoomForKey(tx, person.uid, mode)))
      throw new AppError('KEY_TOO_MANY', { values: { n: MOST_KEYS } })
    await tellOwner(tx, { uid: person.uid, kind: 'apiKeyMade', byShop: false, at: now, facts: { keyName: name } })
    const uniqueScopes = [...new Set(scopes)]
    const limits = { scopes: uniqueScopes, addresses, dailyLimitSatang }
    await store.insertKey(tx, {
      id,
      uid: person.uid,
      name,
      mode,
      ...limits,
      secretHash: hashSecret(secret),
      createdAt: now,
    })
    if (mode === 'test') await refillPlay(tx, person.uid, now)
    return null
  })
  if (refusal) throw refusal
  return { key: await store.findWritten(shop.db, person.uid, id, now), token: `${id}.${secret}` }
}

async function end(context: Context, id: string) {
  const { db } = context.shop
  const { uid, now } = personOf(context)
  const ended = await db.transaction(tx => endKeys(tx, { uid, id, for: 'owner', by: uid, now }))
  if (ended.length === 0) throw new AppError('NOT_FOUND')
  return store.findWritten(db, uid, id, now)
}

/** An agent's own keys. */
export const keyRoutes: Route[] = [
  route(contract.listKeys, (_, context) => list(context)),
  route(contract.listCalls, ({ query }, context) => calls(context, query)),
  route(contract.makeKey, ({ body }, context) => make(context, body)),
  route(contract.endKey, ({ params }, context) => end(context, params.id)),
]
