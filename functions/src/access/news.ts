import { SIGN_IN_PROVIDER, type SignInProvider } from '@shop/shared/account/account.ts'
import {
  MOST_OF_KIND_TOLD,
  type NewsEntry,
  type NewsFacts,
  OWNER_NEWS,
  type OwnerNews,
  type OwnerNewsKind,
  WATCH_HOURS,
} from '@shop/shared/account/news.ts'
import { isMailAddress } from '@shop/shared/mail/mail.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { cameFromLine } from '../account/session.ts'
import { findAdmins } from '../account/store.ts'
import { account, ownerNews } from '../account/tables.ts'
import type { TokenIdentity } from '../account/token.ts'
import { chatFriend } from '../chat/tables.ts'
import type { Sql } from '../database/database.ts'
import { lineId, personName } from '../database/listing.ts'
import { as, orNull, outer, pick, row, sql, under, when } from '../database/sql.ts'
import { enqueue } from '../outbox/outbox.ts'

/** The channels through which a person can be reached. */
export interface Reach {
  email: string | null
  lineId: string | null
  /** null while LINE has not said whether the person is a friend of the shop. */
  isFriend: boolean | null
}

/** Returns how news name a way to sign in that was added or removed. */
export const wayOf = (provider: string): Pick<NewsFacts, 'way'> =>
  provider in SIGN_IN_PROVIDER ? { way: provider as SignInProvider } : {}

/** Returns how news name the way that a session was signed in by. */
export function viaOf(token: TokenIdentity): Pick<NewsFacts, 'via'> {
  return { via: cameFromLine(token) ? 'line' : wayOf(token.provider).way }
}

const [n, a, f, friend] = [under(ownerNews, 'n'), under(account, 'a'), under(chatFriend, 'f'), outer(chatFriend, 'f')]
/** The same where names stand alone, and where they must be told from another table's. */
const [news, stored] = [under(ownerNews), under(ownerNews, 'owner_news')]

/**
 * Anybody can register with somebody else's address, so a customer's must be verified. Staff typed the address of an
 * agent, so it is used in any case.
 */
const EMAIL = when(`${a.emailVerified} OR ${a.role} <> 'customer'`, a.email)

const UNREACHED: Reach = { email: null, lineId: null, isFriend: null }

/** News to be sent. When `about` is given, news of that kind are sent once for it; see the table. */
interface ToldNews {
  uid: string
  kind: OwnerNewsKind
  byShop: boolean
  at: Date
  facts?: NewsFacts
  about?: string
}

/**
 * Tells the owner of an account about a change. Call it in the transaction of the change and before it, so that the
 * news keep the address and the LINE identity from before. Returns how the owner can be reached; no channels when they
 * were told the same often enough.
 */
export async function tellOwner(tx: Sql, { uid, kind, byShop, at, facts = {}, about }: ToldNews): Promise<Reach> {
  const id = uuidv7()
  const { page, isToldAlways = false }: NewsEntry = OWNER_NEWS[kind]
  const most = page !== 'account' || isToldAlways ? null : MOST_OF_KIND_TOLD
  const [told] = await tx.query({
    name: 'owner_news_insert',
    text: sql`INSERT INTO ${news} (${news.id}, ${news.uid}, ${news.kind}, ${news.about}, ${news.byShop}, ${news.facts}, ${news.email}, ${news.lineId}, ${news.at})
      SELECT $1, ${a.uid}, $3, $4, $5, $6, ${EMAIL}, ${lineId('a')}, $7 FROM ${a} WHERE ${a.uid} = $2 AND ($8::int IS NULL OR $8 > (
          SELECT count(*) FROM ${n} WHERE ${n.uid} = $2 AND ${n.kind} = $3 AND ${n.at} > $7::timestamptz - interval '1 day'))
      ON CONFLICT ON CONSTRAINT owner_news_once DO NOTHING
      RETURNING ${row<Reach>({
        ...pick(news, 'email', 'lineId'),
        isFriend: orNull(as.bool(`(SELECT ${f.isFriend} FROM ${f} WHERE ${f.lineId} = ${stored.lineId})`)),
      })}`,
    values: [id, uid, kind, about ?? id, byShop, JSON.stringify(facts), at, most],
  })
  if (!told) return UNREACHED
  await enqueue(tx, { kind: 'owner.tell', key: id, payload: { newsId: id }, now: at })
  return told
}

/**
 * Returns how the owner of an account could be reached at a moment: what the first news since then keeps, or else what the
 * account has now. So whoever changed address and LINE since does not answer for the owner.
 */
export async function findReachAt(tx: Sql, uid: string, since: Date): Promise<Reach> {
  const r = under(ownerNews, 'r')
  const [reach] = await tx.query({
    text: sql`SELECT ${row<Reach>({ ...pick(r, 'email', 'lineId'), isFriend: friend.isFriend })}
      FROM ((SELECT 1 AS nth, ${n.email}, ${n.lineId} FROM ${n} WHERE ${n.uid} = $1 AND ${n.at} > $2 ORDER BY ${n.at}, ${n.id} LIMIT 1)
        UNION ALL SELECT 2, ${EMAIL}, ${lineId('a')} FROM ${a} WHERE ${a.uid} = $1) r
        LEFT JOIN ${friend} ON ${friend.lineId} = ${r.lineId}
      ORDER BY r.nth LIMIT 1`,
    values: [uid, since],
  })
  return reach ?? UNREACHED
}

/** Tells every admin about something that concerns the security of the shop. */
export async function tellAdmins(tx: Sql, news: Omit<ToldNews, 'uid'>): Promise<void> {
  for (const uid of await findAdmins(tx)) await tellOwner(tx, { ...news, uid })
}

/** The ways to people that the shop has; null for one that it has not. */
export interface Channels {
  chat: object | null
  mail: object | null
}

export const isReachedByMail = ({ mail }: Channels, { email }: Reach): boolean =>
  mail !== null && email !== null && isMailAddress(email)

export const isReachedByLine = ({ chat }: Channels, { lineId, isFriend }: Reach): boolean =>
  chat !== null && lineId !== null && isFriend !== false

/** Tells whether news will reach a person, as far as the shop can know before it tries. */
export const isReached = (channels: Channels, reach: Reach): boolean =>
  isReachedByMail(channels, reach) || isReachedByLine(channels, reach)

/** Stored news with their receiver and all facts that a message may show. */
export interface FoundNews extends OwnerNews {
  id: string
  uid: string
  name: string
  role: Role
  /** The channels just before this change, and those before each change of the preceding days. */
  reaches: Reach[]
}

const NEWS = row<Omit<FoundNews, 'reaches'>>({
  ...pick(n, 'id', 'uid', 'kind', 'byShop', 'facts', 'at'),
  name: personName('a'),
  role: a.role,
})

export async function findNews(db: Sql, id: string): Promise<FoundNews | null> {
  const [found] = await db.query({
    text: sql`SELECT ${NEWS}
      FROM ${n} JOIN ${a} ON ${a.uid} = ${n.uid} WHERE ${n.id} = $1`,
    values: [id],
  })
  if (!found) return null
  const e = under(ownerNews, 'e')
  const reaches = await db.query({
    text: sql`SELECT DISTINCT ${row<Reach>({ ...pick(e, 'email', 'lineId'), isFriend: friend.isFriend })}
      FROM ${n} JOIN ${e} ON ${e.uid} = ${n.uid} AND (${e.id} = ${n.id} OR ${e.at} BETWEEN ${n.at} - $2 * interval '1 hour' AND ${n.at})
        LEFT JOIN ${friend} ON ${friend.lineId} = ${e.lineId}
      WHERE ${n.id} = $1`,
    values: [id, WATCH_HOURS],
  })
  return { ...found, reaches }
}
