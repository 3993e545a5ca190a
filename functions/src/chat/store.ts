import { createHash } from 'node:crypto'
import type { ChatRoom, MessageState } from '@shop/shared/chat/chat.ts'
import type { ChatQuota } from '@shop/shared/chat/digest-time.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import type { MessageKind } from '@shop/shared/chat/message.ts'
import { isManagerLevel, ROLES, type Role } from '@shop/shared/permissions.ts'
import { and, eq, getTableColumns, gt, lt } from 'drizzle-orm'
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

/** How the shop stands with LINE; made with its first use. */
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

export interface Quota extends ChatQuota {
  /** Since when LINE refuses for this month. */
  fullAt: Date | null
}

/** What LINE told last, and what was sent since; where there is no end, nothing is counted. */
const QUOTA = `SELECT c.quota_limit AS "limit", c.full_at AS "fullAt", c.quota_used + CASE WHEN c.quota_limit IS NULL THEN 0
    ELSE (SELECT coalesce(sum(s.cost), 0)::int FROM chat_message s
      WHERE s.state = 'sent' AND s.reply_token IS NULL AND s.settled_at > c.quota_at) END AS used
  FROM chat_channel c`

/** The month's messages. */
export async function findQuota(db: Sql): Promise<Quota> {
  const [row] = await db.query<Quota>({ text: QUOTA })
  return row ?? { limit: null, used: 0, fullAt: null }
}

export interface Recipient {
  lineId: string
  /** How many messages one to them counts as. */
  cost: number
}

export type RoomRow = typeof chatRoom.$inferSelect

export async function findRooms(db: Sql): Promise<RoomRow[]> {
  return db.orm.select().from(chatRoom)
}

/** Who hears what is told to a room. Managers without a group hear it each for themselves. */
export async function findListeners(db: Sql, room: ChatRoom): Promise<Recipient[]> {
  const [group] = await db.orm.select().from(chatRoom).where(eq(chatRoom.room, room))
  if (group) return [{ lineId: group.groupId, cost: group.memberCount }]
  if (room === 'staff') return []
  return db.query<Recipient>({
    text: `SELECT ${lineId('a')} AS "lineId", 1 AS cost FROM account a
      WHERE a.role = ANY($1) AND a.status <> 'inactive' AND ${lineId('a')} IS NOT NULL`,
    values: [ROLES.filter(isManagerLevel)],
  })
}

/** The LINE id of an account's person; null for who never came with LINE. */
export async function findLineIdOf(db: Sql, uid: string): Promise<string | null> {
  const [row] = await db.query<{ lineId: string | null }>({
    text: `SELECT ${lineId('a')} AS "lineId" FROM account a WHERE a.uid = $1`,
    values: [uid],
  })
  return row?.lineId ?? null
}

/** The LINE ids of everybody with a role who may come in and ever came with LINE. */
export async function findLineIdsOfRole(db: Sql, role: Role): Promise<string[]> {
  const rows = await db.query<{ lineId: string }>({
    text: `SELECT ${lineId('a')} AS "lineId" FROM account a
      WHERE a.role = $1 AND a.status <> 'inactive' AND ${lineId('a')} IS NOT NULL ORDER BY a.uid`,
    values: [role],
  })
  return rows.map(row => row.lineId)
}

/** When somebody of these was told a digest last. */
export async function findLastDigest(db: Sql, lineIds: readonly string[]): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>({
    text: `SELECT max(created_at) AS at FROM chat_message WHERE recipient = ANY($1) AND kind = 'digest'`,
    values: [lineIds],
  })
  return row!.at
}

/** Keeps whether somebody is a friend; what LINE told of a later moment stays. */
export async function saveFriend(tx: Sql, friend: { lineId: string; isFriend: boolean; since: Date }): Promise<void> {
  await tx.query({
    text: `INSERT INTO chat_friend AS f (line_id, is_friend, since) VALUES ($1, $2, $3)
      ON CONFLICT (line_id) DO UPDATE SET is_friend = excluded.is_friend, since = excluded.since
      WHERE f.since < excluded.since`,
    values: [friend.lineId, friend.isFriend, friend.since],
  })
}

/** Whether an account's person is a friend; null while LINE has not told. */
export async function findFriendship(db: Sql, uid: string): Promise<boolean | null> {
  const [row] = await db.query<{ isFriend: boolean }>({
    text: `SELECT f.is_friend AS "isFriend" FROM account a JOIN chat_friend f ON f.line_id = ${lineId('a')} WHERE a.uid = $1`,
    values: [uid],
  })
  return row?.isFriend ?? null
}

/** A UUID that is the same for the same text: LINE takes a message with it once, whoever sends it. */
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
  /** What it tells, and to whom: there is one message for it. */
  key: string
  kind: MessageKind
  about: string | null
  recipient: string
  replyToken: string | null
  messages: readonly LineMessage[]
  cost: number
}

/** Stores a message with the job that sends it, in the transaction of what it tells. */
export async function putMessage(tx: Sql, { key, messages, ...message }: NewMessage, now: Date): Promise<void> {
  const row = { ...message, id: uuidv7(), retryKey: uuidOf(key), messages, createdAt: now }
  const [made] = await tx.orm.insert(chatMessage).values(row).onConflictDoNothing().returning({ id: chatMessage.id })
  if (made) await enqueue(tx, { kind: 'chat.send', key: made.id, payload: { messageId: made.id }, now })
}

/** A message that waits, with what may speak against sending it; null when it does not wait any more. */
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

/** Keeps a code in place of its owner's last one for the same. */
export async function insertCode(db: Sql, code: CodeRow): Promise<void> {
  const { uid, purpose } = code
  await db.orm.delete(chatCode).where(and(eq(chatCode.uid, uid), eq(chatCode.purpose, purpose)))
  await db.orm.insert(chatCode).values(code)
}

/** Takes a code out; null when there is none, or its time is over. */
export async function takeCode(db: Sql, codeHash: string, now: Date): Promise<CodeRow | null> {
  const [code] = await db.orm
    .delete(chatCode)
    .where(and(eq(chatCode.codeHash, codeHash), gt(chatCode.expiresAt, now)))
    .returning()
  return code ?? null
}

/** Makes a group a room; the one that was it before is none any more. */
export async function saveRoom(tx: Sql, row: RoomRow): Promise<void> {
  await tx.orm.insert(chatRoom).values(row).onConflictDoUpdate({ target: chatRoom.room, set: row })
}

/** Takes a room away, unless it was bound since. */
export async function deleteRoom(
  db: Sql,
  of: { groupId: string; boundBefore: Date },
): Promise<{ room: ChatRoom; groupName: string } | null> {
  const [gone] = await db.orm
    .delete(chatRoom)
    .where(and(eq(chatRoom.groupId, of.groupId), lt(chatRoom.boundAt, of.boundBefore)))
    .returning({ room: chatRoom.room, groupName: chatRoom.groupName })
  return gone ?? null
}
