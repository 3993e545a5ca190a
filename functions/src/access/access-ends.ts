import { type Access, ALL_ACCESS, endsWith, isAskedOf, type Secret } from '@shop/shared/account/access.ts'
import { type AccessList, type KeptAccess, listAccess } from '@shop/shared/account/access-endpoints.ts'
import type { Linkable } from '@shop/shared/account/account.ts'
import { WATCH_HOURS, WATCH_OPENERS } from '@shop/shared/account/news.ts'
import { AppError } from '@shop/shared/errors.ts'
import { deleteLineCode, deleteLineLink } from '../account/line-store.ts'
import type { Account, AccountChange } from '../account/store.ts'
import { ownerNews, resellerKey } from '../account/tables.ts'
import { deleteConfirmations, deleteWaitingApps } from '../account/totp-store.ts'
import { type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { as, type Expr, orNull, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { resellerDay } from '../reseller/tables.ts'
import { webhookEndpoint, webhookMessage } from '../webhook/tables.ts'
import { linksOf, waysWithout } from './links-of.ts'
import { endKeysBut, removeEndpointsBut } from './machines.ts'
import { type Reach, tellOwner } from './news.ts'
import { ownAccount } from './own-account.ts'
import { deleteOwnerCode } from './pin.ts'
import { signInWaysOf } from './view.ts'

/** A change of a secret of an account, whose row is locked. */
interface Change {
  account: Account
  secret: Secret
  /** Whether the shop sets it, and not its owner. */
  byShop: boolean
  /** Who changes it; null for the shop itself. */
  by: string | null
  kept: KeptAccess
  now: Date
}

export const NOTHING_KEPT: KeptAccess = { keys: [], webhooks: [], links: [] }

/** The shop's people set a secret of somebody's, so nothing that hangs on it goes on. */
export const setByShop = (secret: Secret, account: Account, { uid: by, now }: Person): Change => ({
  account,
  secret,
  by,
  now,
  byShop: true,
  kept: NOTHING_KEPT,
})

/** Somebody changes a secret of their own, and has said what they keep. */
export const setByOwner = (secret: Secret, account: Account, now: Date, kept: KeptAccess = NOTHING_KEPT): Change => ({
  account,
  secret,
  now,
  kept,
  byShop: false,
  by: account.uid,
})

/** Ends one kind of what hangs on a secret; returns what changes in the account's own row, for the caller to save. */
type End = (tx: Sql, change: Change) => Promise<AccountChange>

const machinesOf = ({ account: { uid }, byShop, by, now }: Change) => ({ uid, byShop, by, now })

/** How each is ended. */
const END = {
  session: async (_, { now }) => ({ tokensValidAfter: now }),
  confirmation: async (tx, { account: { uid } }) => {
    await deleteConfirmations(tx, uid)
    return {}
  },
  waitingApp: async (tx, { account: { uid } }) => {
    await deleteWaitingApps(tx, uid)
    return {}
  },
  // It is carried out only while the session that asked it lives; see `identifyAsker`.
  askedWord: async () => ({}),
  apiKey: async (tx, change) => {
    await endKeysBut(tx, { ...machinesOf(change), kept: change.kept.keys })
    return {}
  },
  webhook: async (tx, change) => {
    await removeEndpointsBut(tx, { ...machinesOf(change), kept: change.kept.webhooks })
    return {}
  },
  link: async (tx, { account, byShop, kept, now }) => {
    const removed = linksOf(account).flatMap(({ provider }) => (kept.links.includes(provider) ? [] : [provider]))
    return (await removeLinks(tx, account, removed, { byShop, at: now })).change
  },
  waitingLink: async (tx, { account: { uid } }) => {
    await deleteLineCode(tx, uid)
    return { addingProvider: null, addingUntil: null }
  },
  ownerCode: async (tx, { account: { uid } }) => {
    await deleteOwnerCode(tx, uid)
    return {}
  },
  oneTimePassword: async () => ({ mustChangePassword: false, oneTimePasswordHash: null }),
  // The new PIN takes its row.
  oneTimePin: async () => ({ mustChangePin: false }),
} satisfies Record<Access, End>

/**
 * Ends what hangs on a secret that is changing, but for what is kept, and tells the owner. The account must be locked.
 * @returns what changes in the account's own row, for the caller to save
 */
export async function endAccess(tx: Sql, change: Change): Promise<AccountChange> {
  const ended: AccountChange = {}
  for (const access of ALL_ACCESS)
    if (endsWith(access, change.secret, change.byShop)) Object.assign(ended, await END[access](tx, change))
  return ended
}

/**
 * Removes ways to sign in from an account, within the caller's transaction, and tells the owner. Returns the change of the
 * account for the caller to save, both sides for the audit log, and how the owner can be reached.
 */
export async function removeLinks(
  tx: Sql,
  target: Account,
  removed: readonly Linkable[],
  { byShop, at }: { byShop: boolean; at: Date },
) {
  const { uid } = target
  const reaches: Reach[] = []
  for (const way of removed)
    reaches.push(await tellOwner(tx, { uid, kind: 'signInUnlinked', byShop, facts: { way }, at }))
  if (removed.includes('line')) await deleteLineLink(tx, uid)
  const providers = target.providers.filter(each => !(removed as readonly string[]).includes(each))
  const change: AccountChange = { providers }
  const [before, after] = [{ providers: signInWaysOf(target) }, { providers: waysWithout(target, removed) }]
  return { change, before, after, reaches }
}

/** What is asked about when its owner changes the secret. */
const ASKED = { keys: 'apiKey', webhooks: 'webhook', links: 'link' } as const satisfies Record<keyof KeptAccess, Access>

/** Ways into an account, or a secret that somebody else knows; making a key or an endpoint is asked about itself. */
const ENTRIES = WATCH_OPENERS.filter(kind => kind !== 'apiKeyMade')

const [n, k, d] = [under(ownerNews, 'n'), under(resellerKey, 'k'), under(resellerDay, 'd')]
const [e, m] = [under(webhookEndpoint, 'e'), under(webhookMessage, 'm')]

/** SQL of whether somebody else may have made something at a moment; see `isDoubtful` of the contract. */
const isDoubtful = (at: string | Expr<unknown>): Expr<boolean> =>
  as.bool(`(EXISTS (SELECT FROM ${n} WHERE ${n.uid} = $1 AND ${n.kind} = ANY($2) AND ${n.at} <= ${at}
      AND (${n.byShop} OR ${n.at} > ${at} - ${WATCH_HOURS} * interval '1 hour'))
    AND NOT EXISTS (SELECT FROM ${n} WHERE ${n.uid} = $1 AND ${n.kind} IN ('passwordChanged', 'pinChanged')
      AND NOT ${n.byShop} AND ${n.at} > ${at}))`)

/** What is told alike of keys and endpoints. */
const madeOf = ({ id, mode, createdAt }: Pick<typeof k | typeof e, 'id' | 'mode' | 'createdAt'>) => ({
  id,
  isTest: as.bool(`${mode} = 'test'`),
  madeAt: createdAt,
  isDoubtful: isDoubtful(createdAt),
})
const MADE_SQL = {
  keys: sql`SELECT ${row({
    ...madeOf(k),
    name: k.name,
    usedAt: orNull(as.instant(`(SELECT max(${d.lastUsedAt}) FROM ${d} WHERE ${d.keyId} = ${k.id})`)),
  })}
    FROM ${k} WHERE ${k.uid} = $1 AND ${k.endedAt} IS NULL ORDER BY ${k.createdAt} DESC, ${k.id}`,
  webhooks: sql`SELECT ${row({
    ...madeOf(e),
    url: e.url,
    usedAt: orNull(
      as.instant(`(SELECT ${m.triedAt} FROM ${m} WHERE ${m.endpointId} = ${e.id} AND ${m.state} = 'done'
        ORDER BY ${m.createdAt} DESC, ${m.id} DESC LIMIT 1)`),
    ),
  })}
    FROM ${e} WHERE ${e.uid} = $1 ORDER BY ${e.createdAt} DESC, ${e.id}`,
} as const

/** A way to sign in that was linked opened the account itself, so only what the shop set before it makes it doubtful. */
async function findLinks(db: Sql, account: Account): Promise<AccessList['links']> {
  const links = linksOf(account)
  const rows = await db.query({
    text: sql`SELECT ${row({ isDoubtful: isDoubtful('t.at') })} FROM unnest($3::timestamptz[]) WITH ORDINALITY AS t (at, no) ORDER BY t.no`,
    values: [account.uid, ['passwordReset', 'takenOver'], links.map(({ linkedAt }) => linkedAt)],
  })
  return links.map(({ provider, linkedAt }, at) => ({
    id: provider,
    madeAt: linkedAt?.toISOString() ?? null,
    isDoubtful: rows[at]!.isDoubtful,
  }))
}

/** Returns what of an account goes on after a change of a secret only if its owner keeps it. */
async function findAccess(db: Sql, account: Account, secret: Secret): Promise<AccessList> {
  const values = [account.uid, ENTRIES]
  const isAsked = (of: keyof KeptAccess) => isAskedOf(ASKED[of], secret)
  const keys = isAsked('keys') ? await db.query({ text: MADE_SQL.keys, values }) : []
  const webhooks = isAsked('webhooks') ? await db.query({ text: MADE_SQL.webhooks, values }) : []
  return {
    keys: keys.map(inJson),
    webhooks: webhooks.map(inJson),
    links: isAsked('links') ? await findLinks(db, account) : [],
  }
}

/** Refuses a change whose owner was not asked about what hangs on the secret. @throws ACCESS_UNDECIDED */
export async function mustBeDecided(
  db: Sql,
  account: Account,
  { secret, keep }: { secret: Secret; keep: KeptAccess | undefined },
): Promise<void> {
  if (keep) return
  const found = await findAccess(db, account, secret)
  if (Object.values(found).some(each => each.length > 0)) throw new AppError('ACCESS_UNDECIDED')
}

export const accessRoutes: Route[] = [
  route(listAccess, async ({ params: { secret } }, context) => {
    const { shop } = context
    // What this process has counted of keys is shown at once.
    await shop.keyUse.flush()
    return findAccess(shop.db, await ownAccount(shop, personOf(context)), secret)
  }),
]
