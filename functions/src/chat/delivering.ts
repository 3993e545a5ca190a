import type { ChatRoom } from '@shop/shared/chat/chat.ts'
import { digestTimeOf } from '@shop/shared/chat/digest-time.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import { MESSAGE, type MessageKind } from '@shop/shared/chat/message.ts'
import { type WrittenLetter, writeLetter } from '@shop/shared/letter.ts'
import type { Audience } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { locked, sql, under } from '../database/sql.ts'
import { putMail } from '../mail/store.ts'
import { mailMessage } from '../mail/tables.ts'
import { enqueue, tell } from '../outbox/outbox.ts'
import type { OutboxPayload } from '../outbox/payload.ts'
import { findOptions } from '../settings/store.ts'
import { type Channels, findListeners, type Listeners } from './listeners.ts'
import * as store from './store.ts'
import { chatMessage } from './tables.ts'

const [m, mails] = [under(chatMessage, 'm'), under(mailMessage, 'm')]

type Told = OutboxPayload['chat.tell']

/** Stands for the account that a guest has not. */
const GUEST = ''

/** A message for a room, for all admins or for one person. */
export interface Said {
  kind: MessageKind
  to: ChatRoom | Audience | { lineId: string } | { address: string }
  about: string | null
  messages: LineMessage[]
  /** The same as a mail; null for what is said in LINE only. */
  letter: WrittenLetter | null
  /** The event that it would have been told at, where another one has brought it up again. */
  of?: Told
}

/** When managers would get more than this number of messages within this time, they get one digest instead. */
const BURST = { messages: 5, seconds: 600 }

async function isBurst(db: Sql, { line, mail }: Pick<Listeners, 'line' | 'mail'>, now: Date): Promise<boolean> {
  const since = addSeconds(now, -BURST.seconds)
  const [pushed, mailed] = [line[0], mail[0]]
  const rows = pushed
    ? await db.query({
        text: sql`SELECT FROM ${m} WHERE ${m.recipient} = $1 AND ${m.replyToken} IS NULL AND ${m.createdAt} > $2 LIMIT $3`,
        values: [pushed.lineId, since, BURST.messages],
      })
    : await db.query({
        text: sql`SELECT FROM ${mails} WHERE ${mails.recipient} = $1 AND ${mails.createdAt} > $2 LIMIT $3`,
        values: [mailed?.address, since, BURST.messages],
      })
  return rows.length >= BURST.messages
}

/** Returns when a message to a room goes into a digest; null when it is sent now. */
async function findDigestTime(tx: Sql, { kind, to }: Said, listeners: Pick<Listeners, 'line' | 'mail'>, now: Date) {
  // These messages are digests themselves.
  if (kind === 'digest' || kind === 'movesOfDay') return null
  const { STAFF_HOURS: hours, STAFF_DIGEST_MINUTES: every } = await findOptions(tx)
  const quota = await store.findQuota(tx)
  const hasBurst = to !== 'staff' && (await isBurst(tx, listeners, now))
  const mayWait = hasBurst || MESSAGE[kind].whenLow === 'digest'
  const everyMinutes = Math.max(every, hasBurst ? BURST.seconds / 60 : 0)
  return digestTimeOf({ hours, everyMinutes, mayWait, quota }, now)
}

async function findReceivers(tx: Sql, channels: Channels, to: Said['to'], byMail: boolean) {
  if (typeof to === 'object' && 'address' in to)
    return { line: [], mail: channels.mail ? [{ uid: GUEST, address: to.address }] : [] }
  if (typeof to === 'object') return { line: channels.chat ? [{ lineId: to.lineId, cost: 1 }] : [], mail: [] }
  if (to === 'staff') {
    const group = channels.chat && (await store.findGroup(tx, 'staff'))
    return { line: group ? [group] : [], mail: [] }
  }
  const { line, mail, mailboxes } = await findListeners(tx, channels, to)
  return byMail ? { line: [], mail: mailboxes } : { line, mail }
}

/** Stores the messages and mails that say something, each with its job; or puts it into a digest. */
export async function put(tx: Sql, channels: Channels, said: Said, of: Told, now: Date): Promise<void> {
  const { to, of: { event, id, turn } = of, letter, ...message } = said
  const { line, mail } = await findReceivers(tx, channels, to, of.byMail ?? false)
  if ((to === 'staff' || to === 'managers') && line.length + mail.length > 0) {
    const dueAt = await findDigestTime(tx, said, { line, mail }, now)
    if (dueAt) return tell(tx, { event: 'digest', id: to, turn: dueAt.toISOString(), now, dueAt })
  }
  const key = `${event}:${id}:${turn}`
  const news = to === 'managers' || to === 'admins' ? { event, id, turn } : null
  for (const { lineId, cost } of line)
    await store.putMessage(
      tx,
      { ...message, key: `${key}:${lineId}`, recipient: lineId, replyToken: null, cost, news },
      now,
    )
  if (!letter) return
  for (const { uid, address } of mail)
    await putMail(tx, { ...letter, key: `${key}:${address}`, kind: said.kind, uid, recipient: address }, now)
}

export const written = (letter: Parameters<typeof writeLetter>[0] | undefined): WrittenLetter | null =>
  letter ? writeLetter(letter) : null

/**
 * Has news mailed that LINE brought to nobody. Call it in the transaction that stores that a push was not sent: the last
 * of those pushes asks for the mails.
 */
export async function mailUnheard(tx: Sql, { news }: Pick<store.StoredMessage, 'news'>, now: Date): Promise<void> {
  if (!news) return
  const key = `${news.event}:${news.id}:${news.turn}:mail`
  // Two pushes that fail at the same moment would each take the other one for one that may still be sent.
  await tx.query({ text: sql`SELECT ${locked('$1')}`, values: [`news:${key}`] })
  const open = await tx.query({
    text: sql`SELECT FROM ${m} WHERE ${m.news} = $1 AND ${m.state} IN ('waiting', 'sent') LIMIT 1`,
    values: [JSON.stringify(news)],
  })
  if (open.length === 0) await enqueue(tx, { kind: 'chat.tell', key, payload: { ...news, byMail: true }, now })
}
