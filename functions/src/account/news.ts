import { SIGN_IN_PROVIDER, type SignInProvider } from '@shop/shared/account/account.ts'
import {
  MOST_OF_KIND_TOLD,
  type NewsFacts,
  OWNER_NEWS,
  type OwnerNews,
  type OwnerNewsKind,
  WATCH_HOURS,
} from '@shop/shared/account/news.ts'
import { isMailAddress } from '@shop/shared/mail/mail.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { columns, lineId, personName } from '../database/listing.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import { cameFromLine } from './session.ts'
import type { TokenIdentity } from './token.ts'

/** How somebody may be told. */
export interface Reach {
  email: string | null
  lineId: string | null
  /** null while LINE has not told. */
  isFriend: boolean | null
}

/** A way to sign in that came or went, as news tell it. */
export const wayOf = (provider: string): Pick<NewsFacts, 'way'> =>
  provider in SIGN_IN_PROVIDER ? { way: provider as SignInProvider } : {}

/** The way that a session was signed in by, as news tell it. */
export function viaOf(token: TokenIdentity): Pick<NewsFacts, 'via'> {
  return { via: cameFromLine(token) ? 'line' : wayOf(token.provider).way }
}

/** Anybody can register with an address of somebody else; what staff typed for an agent is told all the same. */
const EMAIL = `CASE WHEN a.email_verified OR a.role <> 'customer' THEN a.email END`

const UNREACHED: Reach = { email: null, lineId: null, isFriend: null }

/** News to be told; `about` of what is told once, see the table. */
interface ToldNews {
  uid: string
  kind: OwnerNewsKind
  byShop: boolean
  at: Date
  facts?: NewsFacts
  about?: string
}

/**
 * Has the owner of an account told what is about to become of it. Call it in the transaction of the change and before it,
 * so that the address and the LINE identity of before are kept. Returns how the owner can be told; in no way where they were
 * told of the same often enough.
 */
export async function tellOwner(tx: Sql, { uid, kind, byShop, at, facts = {}, about }: ToldNews): Promise<Reach> {
  const id = uuidv7()
  const [told] = await tx.query<Reach>({
    name: 'owner_news_insert',
    text: `INSERT INTO owner_news (id, uid, kind, about, by_shop, facts, email, line_id, at)
      SELECT $1, a.uid, $3, $4, $5, $6, ${EMAIL}, ${lineId('a')}, $7 FROM account a WHERE a.uid = $2 AND ($8::int IS NULL OR $8 > (
          SELECT count(*) FROM owner_news n WHERE n.uid = $2 AND n.kind = $3 AND n.at > $7::timestamptz - interval '1 day'))
      ON CONFLICT ON CONSTRAINT owner_news_once DO NOTHING
      RETURNING email, line_id AS "lineId", (SELECT f.is_friend FROM chat_friend f WHERE f.line_id = owner_news.line_id) AS "isFriend"`,
    values: [
      id,
      uid,
      kind,
      about ?? id,
      byShop,
      JSON.stringify(facts),
      at,
      OWNER_NEWS[kind].page === 'wallet' ? null : MOST_OF_KIND_TOLD,
    ],
  })
  if (!told) return UNREACHED
  await enqueue(tx, { kind: 'owner.tell', key: id, payload: { newsId: id }, now: at })
  return told
}

/** The same to each admin, of what concerns the shop as they guard it. */
export async function tellAdmins(tx: Sql, news: Omit<ToldNews, 'uid'>): Promise<void> {
  const admins = await tx.query<{ uid: string }>({
    text: `SELECT uid FROM account WHERE role = 'admin' AND status <> 'inactive' ORDER BY uid`,
  })
  for (const { uid } of admins) await tellOwner(tx, { ...news, uid })
}

type Channels = Pick<Shop, 'chat' | 'mail'>

export const isReachedByMail = ({ mail }: Channels, { email }: Reach): boolean =>
  mail !== null && email !== null && isMailAddress(email)

export const isReachedByLine = ({ chat }: Channels, { lineId, isFriend }: Reach): boolean =>
  chat !== null && lineId !== null && isFriend !== false

/** Whether news get to somebody, as far as the shop can know before it tries. */
export const isReached = (channels: Channels, reach: Reach): boolean =>
  isReachedByMail(channels, reach) || isReachedByLine(channels, reach)

/** Stored news, with whose they are and all that may be told. */
export interface FoundNews extends OwnerNews {
  id: string
  uid: string
  name: string
  role: Role
  /** Of the moment before it, and of the changes within the days before that. */
  reaches: Reach[]
}

const NEWS = columns<Omit<FoundNews, 'reaches'>>({
  id: 'n.id',
  uid: 'n.uid',
  kind: 'n.kind',
  byShop: 'n.by_shop',
  facts: 'n.facts',
  at: 'n.at',
  name: personName('a'),
  role: 'a.role',
})

export async function findNews(db: Sql, id: string): Promise<FoundNews | null> {
  const [news] = await db.query<Omit<FoundNews, 'reaches'>>({
    text: `SELECT ${NEWS}
      FROM owner_news n JOIN account a ON a.uid = n.uid WHERE n.id = $1`,
    values: [id],
  })
  if (!news) return null
  const reaches = await db.query<Reach>({
    text: `SELECT DISTINCT e.email, e.line_id AS "lineId", f.is_friend AS "isFriend"
      FROM owner_news n JOIN owner_news e ON e.uid = n.uid AND (e.id = n.id OR e.at BETWEEN n.at - $2 * interval '1 hour' AND n.at)
        LEFT JOIN chat_friend f ON f.line_id = e.line_id
      WHERE n.id = $1`,
    values: [id, WATCH_HOURS],
  })
  return { ...news, reaches }
}
