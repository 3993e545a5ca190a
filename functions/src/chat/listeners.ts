import { isMailAddress } from '@shop/shared/mail/mail.ts'
import { AUDIENCES, type Audience, isManagerLevel, ROLES } from '@shop/shared/permissions.ts'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { lineId } from '../database/listing.ts'
import { as, orNull, outer, row, sql, under } from '../database/sql.ts'
import { mailMessage } from '../mail/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { findGroup, findQuota, isFull, type Recipient } from './store.ts'
import { chatFriend, chatMessage } from './tables.ts'

const [m, sent] = [under(chatMessage, 'm'), under(mailMessage, 'm')]
const [a, f] = [under(account, 'a'), outer(chatFriend, 'f')]

/** What the shop speaks by; null for what it does not have. */
export type Channels = Pick<Shop, 'chat' | 'mail'>

/** A person who gets by mail what LINE brings to nobody. */
interface Mailbox {
  uid: string
  address: string
}

/** Where news for an audience go. */
export interface Listeners {
  line: Recipient[]
  /** Nobody's where LINE surely reaches somebody. */
  mail: Mailbox[]
  /** The mailboxes of all of them, for news that LINE then refused. */
  mailboxes: Mailbox[]
  /** Whether they reach anybody, as far as the shop can know. */
  isHeard: boolean
}

/** How the last push to a recipient, or mail to an address, ended; null when there was none. */
const lastPush = (recipient: string) =>
  orNull(
    as.text(`(SELECT ${m.state} FROM ${m} WHERE ${m.recipient} = ${recipient}
  AND ${m.replyToken} IS NULL AND ${m.state} <> 'waiting' ORDER BY ${m.id} DESC LIMIT 1)`),
  )
const lastMail = (address: string) =>
  orNull(
    as.text(`(SELECT ${sent.state} FROM ${sent} WHERE ${sent.recipient} = ${address}
  AND ${sent.state} <> 'waiting' ORDER BY ${sent.id} DESC LIMIT 1)`),
  )

interface Member {
  uid: string
  address: string | null
  lineId: string | null
  isFriend: boolean | null
  lastPush: string | null
  lastMail: string | null
}

const MEMBER = row<Member>({
  uid: as.text('p.uid'),
  address: orNull(as.text('p.address')),
  lineId: orNull(as.text('p."lineId"')),
  isFriend: f.isFriend,
  lastPush: lastPush('p."lineId"'),
  lastMail: lastMail('p.address'),
})

function findMembers(db: Sql, audience: Audience): Promise<Member[]> {
  return db.query({
    text: sql`SELECT ${MEMBER}
      FROM (SELECT ${a.uid}, lower(${a.email}) AS address, ${lineId('a')} AS "lineId" FROM ${a}
          WHERE ${a.role} = ANY($1) AND ${a.status} <> 'inactive') p
        LEFT JOIN ${f} ON ${f.lineId} = p."lineId" ORDER BY p.uid`,
    values: [audience === 'admins' ? ['admin'] : ROLES.filter(isManagerLevel)],
  })
}

/** Somebody to push to; `isSure` unless LINE has not said that they are a friend, whom it shows what it takes. */
type Pushed = Recipient & { isSure: boolean; last: string | null }

async function findPushed(db: Sql, audience: Audience, members: readonly Member[]): Promise<Pushed[]> {
  const group = audience === 'managers' ? await findGroup(db, 'managers') : null
  if (group) {
    const [found] = await db.query({
      text: sql`SELECT ${row({ last: lastPush('$1') })}`,
      values: [group.lineId],
    })
    return [{ ...group, isSure: true, last: found!.last }]
  }
  return members.flatMap(({ lineId, isFriend, lastPush: last }) =>
    lineId !== null && isFriend !== false ? [{ lineId, cost: 1, isSure: isFriend === true, last }] : [],
  )
}

/**
 * Returns who hears news for an audience: managers' in their group or each alone, admins' each alone. Where that
 * reaches nobody for sure, they go to everybody of them by mail. Whom LINE refused last is tried again, but is no
 * listener.
 */
export async function findListeners(db: Sql, { chat, mail }: Channels, audience: Audience): Promise<Listeners> {
  const members = await findMembers(db, audience)
  const pushed = chat ? await findPushed(db, audience, members) : []
  const quota = await findQuota(db)
  const reached = pushed.filter(({ last, cost }) => (last === null || last === 'sent') && !isFull(quota, cost))
  const boxes = mail ? members.filter(({ address }) => address !== null && isMailAddress(address)) : []
  const mailboxes = boxes.map(({ uid, address }) => ({ uid, address: address! }))
  return {
    line: pushed.map(({ lineId, cost }) => ({ lineId, cost })),
    mail: reached.some(({ isSure }) => isSure) ? [] : mailboxes,
    mailboxes,
    isHeard: reached.length > 0 || boxes.some(({ lastMail: last }) => last !== 'dead'),
  }
}

/** Returns the audiences whose news reach nobody. */
export async function findUnheard(db: Sql, channels: Channels): Promise<Audience[]> {
  const unheard: Audience[] = []
  for (const audience of AUDIENCES) if (!(await findListeners(db, channels, audience)).isHeard) unheard.push(audience)
  return unheard
}
