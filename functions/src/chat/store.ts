import { createHash } from 'node:crypto'
import type { ChatRoom, MessageState } from '@shop/shared/chat/chat.ts'
import type { ChatQuota } from '@shop/shared/chat/digest-time.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import type { MessageKind } from '@shop/shared/chat/message.ts'
import type { Untold } from '@shop/shared/chat/order-messages.ts'
import { and, eq, gt, isNotNull, isNull, lt, ne } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { lineId } from '../database/listing.ts'
import { as, orNull, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { mailMessage } from '../mail/tables.ts'
import { enqueue } from '../outbox/outbox.ts'
import { chatChannel, chatCode, chatFriend, chatMessage, chatRoom } from './tables.ts'

export type ChannelRow = typeof chatChannel.$inferSelect
export type StoredMessage = typeof chatMessage.$inferSelect

const a = under(account, 'a')
const [m, s] = [under(chatMessage, 'm'), under(chatMessage, 's')]
const [f, c] = [under(chatFriend, 'f'), under(chatChannel, 'c')]
/** The same where names stand alone, what an INSERT brings, and mails. */
const [messages, friends, sent] = [under(chatMessage), under(chatFriend), under(chatFriend, 'excluded')]
const mails = under(mailMessage)

/** Returns the state of the shop's LINE channel; the row is made at its first use. */
export async function findChannel(db: Sql): Promise<ChannelRow> {
  const [found] = await db.orm.select().from(chatChannel)
  if (found) return found
  await db.orm.insert(chatChannel).values({ name: 'line' }).onConflictDoNothing()
  return findChannel(db)
}

export async function saveChannel(db: Sql, change: Partial<ChannelRow>): Promise<void> {
  await findChannel(db)
  await db.orm.update(chatChannel).set(change)
}

export async function clearLastError(tx: Sql): Promise<void> {
  await tx.orm.update(chatChannel).set({ lastError: null, lastErrorAt: null }).where(isNotNull(chatChannel.lastError))
}

export interface Quota extends ChatQuota {
  /** Since when LINE has refused messages because the month is full. */
  fullAt: Date | null
}

/** The last numbers that LINE reported, plus what was sent since. Without a limit nothing is counted. */
const QUOTA = sql`SELECT ${row<Quota>({
  limit: c.quotaLimit,
  fullAt: c.fullAt,
  used: as.int(`${c.quotaUsed} + CASE WHEN ${c.quotaLimit} IS NULL THEN 0
    ELSE (SELECT coalesce(sum(${s.cost}), 0)::int FROM ${s}
      WHERE ${s.state} = 'sent' AND ${s.replyToken} IS NULL AND ${s.settledAt} > ${c.quotaAt}) END`),
})} FROM ${c}`

/** Returns how many messages the month allows and has used. */
export async function findQuota(db: Sql): Promise<Quota> {
  const [found] = await db.query({ text: QUOTA })
  return found ?? { limit: null, used: 0, fullAt: null }
}

export interface Recipient {
  lineId: string
  /** The number of messages that one message to them counts as. */
  cost: number
}

export type RoomRow = typeof chatRoom.$inferSelect

/** Returns the groups that hear the shop. */
export async function findRooms(db: Sql): Promise<RoomRow[]> {
  return db.orm.select().from(chatRoom).where(isNull(chatRoom.lostAt))
}

/** Returns the groups that the shop was removed from, and that nothing has replaced since. */
export async function findLostRooms(db: Sql): Promise<RoomRow[]> {
  return db.orm.select().from(chatRoom).where(isNotNull(chatRoom.lostAt)).orderBy(chatRoom.lostAt)
}

/** Returns the group that is a room; null while none is bound. */
export async function findGroup(db: Sql, room: ChatRoom): Promise<Recipient | null> {
  const [group] = await db.orm
    .select()
    .from(chatRoom)
    .where(and(eq(chatRoom.room, room), isNull(chatRoom.lostAt)))
  return group ? { lineId: group.groupId, cost: group.memberCount } : null
}

/** Returns the LINE id of an account's person; null when they never came with LINE. */
export async function findLineIdOf(db: Sql, uid: string): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ lineId: lineId('a') })} FROM ${a} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found?.lineId ?? null
}

/** Returns when one of these people last got a digest, in LINE or by mail. */
export async function findLastDigest(
  db: Sql,
  lineIds: readonly string[],
  addresses: readonly string[],
): Promise<Date | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({
      at: orNull(
        as.instant(`greatest(
        (SELECT max(${messages.createdAt}) FROM ${messages} WHERE ${messages.recipient} = ANY($1) AND ${messages.kind} = 'digest'),
        (SELECT max(${mails.createdAt}) FROM ${mails} WHERE ${mails.recipient} = ANY($2) AND ${mails.kind} = 'digest'))`),
      ),
    })}`,
    values: [lineIds, addresses],
  })
  return found!.at
}

/** Records whether somebody is a friend of the shop; a later report of LINE is not overwritten. */
export async function saveFriend(tx: Sql, friend: { lineId: string; isFriend: boolean; since: Date }): Promise<void> {
  await tx.query({
    text: sql`INSERT INTO ${friends} AS f (${friends.lineId}, ${friends.isFriend}, ${friends.since}) VALUES ($1, $2, $3)
      ON CONFLICT (${friends.lineId}) DO UPDATE SET ${excludedSql(pick(friends, 'isFriend', 'since'))}
      WHERE ${f.since} < ${sent.since}`,
    values: [friend.lineId, friend.isFriend, friend.since],
  })
}

/** Tells whether an account's person is a friend of the shop; null while LINE has not said. */
export async function findFriendship(db: Sql, uid: string): Promise<boolean | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(f, 'isFriend'))} FROM ${a} JOIN ${f} ON ${f.lineId} = ${lineId('a')} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found?.isFriend ?? null
}

/** Returns why a message to somebody does not reach them in LINE; null when it does. */
export async function findWhyUntold(db: Sql, to: string | null): Promise<Untold | null> {
  if (to === null) return 'guest'
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(friends, 'isFriend'))} FROM ${friends} WHERE ${friends.lineId} = $1`,
    values: [to],
  })
  if (!found?.isFriend) return 'notFriend'
  return isFull(await findQuota(db), 1) ? 'quotaFull' : null
}

/** Tells whether the month has no room for a message that counts as `cost`. */
export const isFull = ({ limit, used, fullAt }: Quota, cost: number): boolean =>
  fullAt !== null || (limit !== null && used + cost > limit)

/**
 * Returns a UUID that depends only on the text. LINE accepts only one message with the same UUID, whichever process
 * sends it.
 */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`shop chat ${text}`).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

export interface NewMessage {
  /** Identifies content and receiver; only one message is stored for it. */
  key: string
  kind: MessageKind
  about: string | null
  recipient: string
  replyToken: string | null
  messages: LineMessage[]
  cost: number
  /** The news for managers or admins that it brings; they are mailed when nobody gets them in LINE. */
  news?: typeof chatMessage.$inferInsert.news
}

/** Stores a message and the job that sends it, in the transaction of the change that it reports. */
export async function putMessage(tx: Sql, { key, messages, ...message }: NewMessage, now: Date): Promise<void> {
  const row = { ...message, id: uuidv7(), retryKey: uuidOf(key), messages, createdAt: now }
  const [made] = await tx.orm.insert(chatMessage).values(row).onConflictDoNothing().returning({ id: chatMessage.id })
  if (made) await enqueue(tx, { kind: 'chat.send', key: made.id, payload: { messageId: made.id }, now })
}

/** With the quota `q`, of which there is none before the channel was first used. */
const WAITING = row<StoredMessage & { isNoFriend: boolean } & Quota>({
  ...m,
  isNoFriend: as.bool(`EXISTS (SELECT 1 FROM ${f} WHERE ${f.lineId} = ${m.recipient} AND NOT ${f.isFriend})`),
  limit: orNull(as.int('q."limit"')),
  used: as.int('coalesce(q.used, 0)'),
  fullAt: orNull(as.instant('q."fullAt"')),
})

/** Returns a waiting message with the facts that may prevent its sending; null when it no longer waits. */
export async function findWaitingMessage(
  db: Sql,
  id: string,
): Promise<(StoredMessage & { isNoFriend: boolean; quota: Quota }) | null> {
  const [found] = await db.query({
    name: 'chat_message_waiting',
    text: sql`SELECT ${WAITING}
      FROM ${m} LEFT JOIN (${QUOTA.text}) q ON true WHERE ${m.id} = $1 AND ${m.state} = 'waiting'`,
    values: [id],
  })
  if (!found) return null
  const { limit, used, fullAt, ...message } = found
  return { ...message, quota: { limit, used, fullAt } }
}

/** Counts the messages of a time that were given up. */
export async function countDeadMessages(db: Sql, since: Date): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${messages}
      WHERE ${messages.state} = 'dead' AND ${messages.createdAt} > $1`,
    values: [since],
  })
  return found!.n
}

export async function saveMessage(
  tx: Sql,
  id: string,
  change: { state: MessageState; reason: string | null; requestId?: string | null; settledAt: Date | null },
): Promise<void> {
  await tx.orm.update(chatMessage).set(change).where(eq(chatMessage.id, id))
}

export type CodeRow = typeof chatCode.$inferSelect

/** Stores a code and replaces its owner's earlier one for the same purpose. */
export async function insertCode(db: Sql, code: CodeRow): Promise<void> {
  const { uid, purpose } = code
  await db.orm.delete(chatCode).where(and(eq(chatCode.uid, uid), eq(chatCode.purpose, purpose)))
  await db.orm.insert(chatCode).values(code)
}

/** Takes out a code; null when it does not exist or has expired. */
export async function takeCode(db: Sql, codeHash: string, now: Date): Promise<CodeRow | null> {
  const [code] = await db.orm
    .delete(chatCode)
    .where(and(eq(chatCode.codeHash, codeHash), gt(chatCode.expiresAt, now)))
    .returning()
  return code ?? null
}

/** Makes a group the room; an earlier group stops being it, and the group stops being one that was lost. */
export async function saveRoom(tx: Sql, row: RoomRow): Promise<void> {
  const { room, groupId } = row
  await tx.orm
    .delete(chatRoom)
    .where(and(eq(chatRoom.groupId, groupId), ne(chatRoom.room, room), isNotNull(chatRoom.lostAt)))
  await tx.orm.insert(chatRoom).values(row).onConflictDoUpdate({ target: chatRoom.room, set: row })
}

/** Records that the shop was removed from a group, unless the group was bound again since. */
export async function loseRoom(db: Sql, { groupId, at }: { groupId: string; at: Date }): Promise<RoomRow | null> {
  const [lost] = await db.orm
    .update(chatRoom)
    .set({ lostAt: at })
    .where(and(eq(chatRoom.groupId, groupId), lt(chatRoom.boundAt, at), isNull(chatRoom.lostAt)))
    .returning()
  return lost ?? null
}
