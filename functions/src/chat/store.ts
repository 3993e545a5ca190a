import { createHash } from 'node:crypto'
import type { ChatRoom, MessageState } from '@shop/shared/chat/chat.ts'
import type { ChatQuota } from '@shop/shared/chat/digest-time.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import type { MessageKind } from '@shop/shared/chat/message.ts'
import type { Untold } from '@shop/shared/chat/order-messages.ts'
import { and, eq, getTableColumns, gt, isNotNull, isNull, lt, ne } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { lineId, selectList } from '../database/listing.ts'
import { enqueue } from '../outbox/outbox.ts'
import { chatChannel, chatCode, chatMessage, chatRoom } from './tables.ts'

export type ChannelRow = typeof chatChannel.$inferSelect
export type StoredMessage = Omit<typeof chatMessage.$inferSelect, 'kind' | 'messages'> & {
  kind: MessageKind
  messages: LineMessage[]
}

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
const QUOTA = `SELECT c.quota_limit AS "limit", c.full_at AS "fullAt", c.quota_used + CASE WHEN c.quota_limit IS NULL THEN 0
    ELSE (SELECT coalesce(sum(s.cost), 0)::int FROM chat_message s
      WHERE s.state = 'sent' AND s.reply_token IS NULL AND s.settled_at > c.quota_at) END AS used
  FROM chat_channel c`

/** Returns how many messages the month allows and has used. */
export async function findQuota(db: Sql): Promise<Quota> {
  const [row] = await db.query<Quota>({ text: QUOTA })
  return row ?? { limit: null, used: 0, fullAt: null }
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
  const [row] = await db.query<{ lineId: string | null }>({
    text: `SELECT ${lineId('a')} AS "lineId" FROM account a WHERE a.uid = $1`,
    values: [uid],
  })
  return row?.lineId ?? null
}

/** Returns when one of these people last got a digest, in LINE or by mail. */
export async function findLastDigest(
  db: Sql,
  lineIds: readonly string[],
  addresses: readonly string[],
): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>({
    text: `SELECT greatest((SELECT max(created_at) FROM chat_message WHERE recipient = ANY($1) AND kind = 'digest'),
      (SELECT max(created_at) FROM mail_message WHERE recipient = ANY($2) AND kind = 'digest')) AS at`,
    values: [lineIds, addresses],
  })
  return row!.at
}

/** Records whether somebody is a friend of the shop; a later report of LINE is not overwritten. */
export async function saveFriend(tx: Sql, friend: { lineId: string; isFriend: boolean; since: Date }): Promise<void> {
  await tx.query({
    text: `INSERT INTO chat_friend AS f (line_id, is_friend, since) VALUES ($1, $2, $3)
      ON CONFLICT (line_id) DO UPDATE SET is_friend = excluded.is_friend, since = excluded.since
      WHERE f.since < excluded.since`,
    values: [friend.lineId, friend.isFriend, friend.since],
  })
}

/** Tells whether an account's person is a friend of the shop; null while LINE has not said. */
export async function findFriendship(db: Sql, uid: string): Promise<boolean | null> {
  const [row] = await db.query<{ isFriend: boolean }>({
    text: `SELECT f.is_friend AS "isFriend" FROM account a JOIN chat_friend f ON f.line_id = ${lineId('a')} WHERE a.uid = $1`,
    values: [uid],
  })
  return row?.isFriend ?? null
}

/** Returns why a message to somebody does not reach them in LINE; null when it does. */
export async function findWhyUntold(db: Sql, to: string | null): Promise<Untold | null> {
  if (to === null) return 'guest'
  const [row] = await db.query<{ isFriend: boolean }>({
    text: 'SELECT is_friend AS "isFriend" FROM chat_friend WHERE line_id = $1',
    values: [to],
  })
  if (!row?.isFriend) return 'notFriend'
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
  messages: readonly LineMessage[]
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

/** Returns a waiting message with the facts that may prevent its sending; null when it no longer waits. */
export async function findWaitingMessage(
  db: Sql,
  id: string,
): Promise<(StoredMessage & { isNoFriend: boolean; quota: Quota }) | null> {
  const [row] = await db.query<StoredMessage & { isNoFriend: boolean } & Quota>({
    name: 'chat_message_waiting',
    text: `SELECT ${selectList(getTableColumns(chatMessage), 'm')}, EXISTS (SELECT 1 FROM chat_friend f
        WHERE f.line_id = m.recipient AND NOT f.is_friend) AS "isNoFriend", q.*
      FROM chat_message m LEFT JOIN (${QUOTA}) q ON true WHERE m.id = $1 AND m.state = 'waiting'`,
    values: [id],
  })
  if (!row) return null
  const { limit, used, fullAt, ...message } = row
  return { ...message, quota: { limit, used: used ?? 0, fullAt } }
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
