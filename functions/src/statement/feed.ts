import { randomBytes } from 'node:crypto'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { feedKeyEnd, KEY_PREFIX_LENGTH } from '@shop/shared/statement/feed-key.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import { addSeconds, bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { hashSecret } from '../account/caller.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { moveValue } from '../value/moving.ts'
import { findFeedKey, findFeedKeys, insertFeedKey, revokeFeedKey, type UsableKey, useFeedKey } from './feed-store.ts'
import { digitsOf, findAccount, isKnownAccountNo, REFERENCE_KEY } from './import-store.ts'
import { matchLines } from './matching.ts'
import { addNew, type ToldLine } from './take-in.ts'

/** A machine's clock may be this many seconds ahead of ours. */
const AHEAD_SECONDS = 600

type FeedLine = ParsedInput<typeof contract.feedStatementLines>['body']['lines'][number]

/**
 * Returns the lines in the order sent, oldest first. When the bank gives a movement a reference, that alone is the
 * line's key.
 */
function toldLines(lines: readonly FeedLine[], now: Date): ToldLine[] {
  const latest = addSeconds(now, AHEAD_SECONDS)
  const moments = lines.map(line => ({ line, at: new Date(line.at) })).sort((a, b) => Number(a.at) - Number(b.at))
  const ahead = lines.findIndex(({ at }) => new Date(at) > latest)
  if (ahead >= 0) throw new AppError('INVALID_INPUT', { fields: { [`lines.${ahead}.at`]: 'เวลานี้ยังมาไม่ถึง' } })
  const facts = moments.map(({ line, at }) => ({
    ...line,
    date: bangkokDay(at),
    time: formatDateTimeSeconds(at).slice(-8),
  }))
  const keys = lineKeys(facts)
  return facts.map(({ date, at: _at, ...line }, index) => ({
    ...line,
    day: date,
    channel: null,
    key: line.reference === null ? keys[index]! : REFERENCE_KEY + line.reference,
  }))
}

/** Returns the key of a call; its lines belong to one account. @throws FEED_KEY_INVALID */
async function enter({ shop, now, feedKeyHash, address }: Context): Promise<UsableKey> {
  await shop.limits.take('feedsPerAddress', address)
  const key = feedKeyHash === null ? null : await findFeedKey(shop.db, feedKeyHash)
  if (feedKeyHash === null || !key || feedKeyEnd(key, now) !== null) throw new AppError('FEED_KEY_INVALID')
  await shop.limits.take('feedsPerKey', feedKeyHash)
  return key
}

/** @throws FEED_KEY_WRONG_ACCOUNT, NOT_FOUND */
async function mustBeOfAccount(db: Sql, key: UsableKey, accountNo: string): Promise<void> {
  if (digitsOf(accountNo) === digitsOf(key.accountNo)) return
  throw new AppError((await isKnownAccountNo(db, accountNo)) ? 'FEED_KEY_WRONG_ACCOUNT' : 'NOT_FOUND')
}

async function takeFeed(
  context: Context,
  { accountNo, lines }: ParsedInput<typeof contract.feedStatementLines>['body'],
) {
  const { shop, now } = context
  const key = await enter(context)
  const { receivingAccountId } = key
  await mustBeOfAccount(shop.db, key, accountNo)
  const told = toldLines(lines, now)
  const counts = await shop.db.transaction(async tx => {
    // A key that has ended meanwhile adds no lines, so that taking back its lines finds all of them.
    if (!(await useFeedKey(tx, key.id, now))) throw new AppError('FEED_KEY_INVALID')
    const source = { fileId: null, feedKeyId: key.id }
    return addNew(tx, told, { receivingAccountId, source, hashAccount: openAccountHash(shop.config), now })
  })
  return { ...counts, matched: await matchLines(shop, receivingAccountId) }
}

async function createKey(
  context: Context,
  { name, receivingAccountId, days }: ParsedInput<typeof contract.createFeedKey>['body'],
) {
  const person = personOf(context)
  const { uid, now } = person
  const id = uuidv7()
  const key = randomBytes(32).toString('base64url')
  const expiresAt = days === null ? null : addSeconds(now, days * 24 * 3600)
  const made = { id, name, prefix: key.slice(0, KEY_PREFIX_LENGTH), receivingAccountId, expiresAt }
  await context.shop.db.transaction(async tx => {
    if (!(await findAccount(tx, receivingAccountId))) throw new AppError('NOT_FOUND')
    await moveValue(tx, person, { kind: 'feedKey', amountSatang: 0, subject: 'feedKey:new', note: name })
    await insertFeedKey(tx, { ...made, keyHash: hashSecret(key), createdBy: uid, now })
    const after = { name, receivingAccountId, expiresAt }
    await audit(tx, person, { action: 'feedKey.create', subject: `feedKey:${id}`, before: null, after })
  })
  return { id, key }
}

async function listKeys({ shop, now }: Context) {
  const keys = (await findFeedKeys(shop.db)).map(({ maker, revokedAt, ...key }) => ({
    ...inJson(key),
    end: feedKeyEnd({ ...key, maker, revokedAt }, now),
  }))
  return [...keys.filter(({ end }) => end === null), ...keys.filter(({ end }) => end !== null)]
}

async function endKey(context: Context, id: string) {
  const person = personOf(context)
  await context.shop.db.transaction(async tx => {
    const name = await revokeFeedKey(tx, id, person.now)
    if (name === null) throw new AppError('NOT_FOUND')
    await audit(tx, person, { action: 'feedKey.revoke', subject: `feedKey:${id}`, before: { name }, after: null })
  })
  return { id }
}

export const feedRoutes: Route[] = [
  route(contract.feedStatementLines, ({ body }, context) => takeFeed(context, body)),
  route(contract.listFeedKeys, (_, context) => listKeys(context)),
  route(contract.createFeedKey, ({ body }, context) => createKey(context, body)),
  route(contract.revokeFeedKey, ({ params }, context) => endKey(context, params.id)),
]
