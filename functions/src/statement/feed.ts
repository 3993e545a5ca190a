import { randomBytes } from 'node:crypto'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import { addSeconds, bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { insertAudit } from '../audit/store.ts'
import { hashSecret } from '../http/caller.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { findFeedKeys, insertFeedKey, revokeFeedKey, useFeedKey } from './feed-store.ts'
import { findAccountByNo, REFERENCE_KEY } from './import-store.ts'
import { matchLines } from './matching.ts'
import { addNew, type ToldLine } from './take-in.ts'

/** A machine's clock may be ahead of ours by this. */
const AHEAD_SECONDS = 600

type FeedLine = ParsedInput<typeof contract.feedStatementLines>['body']['lines'][number]

/** The lines as told, oldest first; where the bank names a movement, its name alone is the key. */
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

async function takeFeed(
  context: Context,
  { accountNo, lines }: ParsedInput<typeof contract.feedStatementLines>['body'],
) {
  const { shop, now, feedKeyHash, address } = context
  await shop.limits.take('feedsPerAddress', address)
  if (feedKeyHash === null || !(await useFeedKey(shop.db, feedKeyHash, now))) throw new AppError('FEED_KEY_INVALID')
  await shop.limits.take('feedsPerKey', feedKeyHash)
  const account = await findAccountByNo(shop.db, accountNo)
  if (!account) throw new AppError('NOT_FOUND')
  const told = toldLines(lines, now)
  const counts = await shop.db.transaction(tx =>
    addNew(tx, told, { receivingAccountId: account.id, fileId: null, now }),
  )
  return { ...counts, matched: await matchLines(shop, account.id) }
}

async function createKey(context: Context, name: string) {
  const { uid, role, now } = personOf(context)
  const id = uuidv7()
  const key = randomBytes(32).toString('base64url')
  await context.shop.db.transaction(async tx => {
    await insertFeedKey(tx, { id, name, keyHash: hashSecret(key), createdBy: uid, now })
    const done = {
      actorUid: uid,
      actorRole: role,
      action: 'feedKey.create' as const,
      subject: `feedKey:${id}` as const,
    }
    await insertAudit(tx, { ...done, before: null, after: { name }, at: now })
  })
  return { id, key }
}

async function endKey(context: Context, id: string) {
  const { uid, role, now } = personOf(context)
  await context.shop.db.transaction(async tx => {
    const name = await revokeFeedKey(tx, id, now)
    if (name === null) throw new AppError('NOT_FOUND')
    const done = {
      actorUid: uid,
      actorRole: role,
      action: 'feedKey.revoke' as const,
      subject: `feedKey:${id}` as const,
    }
    await insertAudit(tx, { ...done, before: { name }, after: null, at: now })
  })
  return { id }
}

export const feedRoutes: Route[] = [
  route(contract.feedStatementLines, ({ body }, context) => takeFeed(context, body)),
  route(contract.listFeedKeys, async (_, { shop }) =>
    (await findFeedKeys(shop.db)).map(({ createdAt, lastUsedAt, ...key }) => ({
      ...{ ...key, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null },
    })),
  ),
  route(contract.createFeedKey, ({ body }, context) => createKey(context, body.name)),
  route(contract.revokeFeedKey, ({ params }, context) => endKey(context, params.id)),
]
