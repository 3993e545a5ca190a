import { type ChatRoom, MESSAGE_TABS, type MessageState, type MessageTab, UNSENT } from '@shop/shared/chat/chat.ts'
import type { ChatMessageRow } from '@shop/shared/chat/endpoints.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { can, ROLES } from '@shop/shared/permissions.ts'
import { eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, likePart, lineId, personName, sqlOf } from '../database/listing.ts'
import type { RoomRow } from './store.ts'
import { chatMessage, chatRoom } from './tables.ts'

/** A message that was not sent may be sent again, except a reply, whose token has expired. */
const CAN_RESEND = (alias: string) => `${alias}.state IN ('dead', 'skipped') AND ${alias}.reply_token IS NULL`

export type StoredMessageRow = Omit<ChatMessageRow, 'createdAt' | 'settledAt'> & {
  createdAt: Date
  settledAt: Date | null
}

const MESSAGE_ROW = columns<StoredMessageRow>({
  ...sqlOf(chatMessage, 'm', 'id', 'kind', 'about', 'state', 'reason', 'cost', 'createdAt', 'settledAt'),
  text: `coalesce(m.messages->0->>'altText', m.messages->0->>'text', '')`,
  isRoom: `m.recipient LIKE 'C%'`,
  recipientName: 'coalesce(r.group_name, p.name)',
  canResend: CAN_RESEND('m'),
})

const isUnder = (tab: MessageTab): string => (tab === 'resendable' ? CAN_RESEND('m') : `m.state = '${tab}'`)

type TabCounts = Record<MessageTab, number>

/** Counts the messages under each tab, each for itself and only so far, by the index of that tab. */
async function countTabs(db: Sql, filter: Filter): Promise<TabCounts> {
  const counts = MESSAGE_TABS.map(
    tab =>
      `(SELECT count(*)::int FROM (SELECT 1 FROM chat_message m WHERE ${filter} AND ${isUnder(tab)} LIMIT ${MOST_COUNTED + 1}) AS counted) AS "${tab}"`,
  )
  const [row] = await db.query<TabCounts>({ text: `SELECT ${counts.join(', ')}`, values: [...filter.values] })
  return row!
}

/** A page of the messages under a tab, newest first, and how many there are under each. */
export async function findMessages(
  db: Sql,
  query: { state: MessageTab; text?: string; page: number; pageSize: number },
): Promise<{ rows: StoredMessageRow[]; counts: TabCounts }> {
  const filter = new Filter()
  filter.where(query.text || null, text => `m.about ILIKE ${text}`, likePart)
  const counts = await countTabs(db, filter)
  filter.must(isUnder(query.state))
  const select = `SELECT ${MESSAGE_ROW}
    FROM page m LEFT JOIN chat_room r ON r.group_id = m.recipient
      LEFT JOIN LATERAL (SELECT ${personName('a')} AS name FROM account a
        WHERE a.uid = coalesce((SELECT l.uid FROM linked_identity l WHERE l.provider = 'line' AND l.subject = m.recipient),
          'line:' || m.recipient)) p ON true`
  const total = counts[query.state]
  const { rows } = await findPage<StoredMessageRow>(
    db,
    { from: 'chat_message m', filter, order: 'm.id DESC', total, select },
    query,
  )
  return { rows, counts }
}

/** Counts the messages that LINE may have shown without confirming it, and whose keys LINE has forgotten since. */
export async function countPerhapsSeen(tx: Sql, ids: readonly string[], forgottenBefore: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM chat_message m WHERE m.id = ANY($1::uuid[]) AND ${CAN_RESEND('m')}
      AND m.state = 'dead' AND m.reason = $2 AND m.created_at < $3`,
    values: [ids, UNSENT.unreachable, forgottenBefore],
  })
  return row!.count
}

/** Returns messages to be sent again, with their earlier state. */
export async function takeForResending(
  tx: Sql,
  ids: readonly string[],
): Promise<{ id: string; before: { state: MessageState; reason: string | null } }[]> {
  const rows = await tx.query<{ id: string; state: MessageState; reason: string | null }>({
    text: `WITH taken AS (SELECT m.id, m.state, m.reason FROM chat_message m WHERE m.id = ANY($1::uuid[]) AND ${CAN_RESEND('m')} FOR UPDATE),
        changed AS (UPDATE chat_message m SET state = 'waiting', reason = NULL, settled_at = NULL FROM taken WHERE m.id = taken.id)
      SELECT id, state, reason FROM taken ORDER BY id`,
    values: [ids],
  })
  return rows.map(({ id, ...before }) => ({ id, before }))
}

/** Returns the rooms with the people who bound them. */
export async function findNamedRooms(db: Sql) {
  return db.query<Omit<RoomRow, 'groupId' | 'boundBy'> & { boundByName: string }>({
    text: `SELECT r.room, r.group_name AS "groupName", r.member_count AS "memberCount", r.bound_at AS "boundAt", r.lost_at AS "lostAt",
        ${personName('a')} AS "boundByName"
      FROM chat_room r JOIN account a ON a.uid = r.bound_by`,
  })
}

/** Removes a room's group and returns the group's name; null when there was none. */
export async function takeRoomAway(tx: Sql, room: ChatRoom): Promise<string | null> {
  const [gone] = await tx.orm.delete(chatRoom).where(eq(chatRoom.room, room)).returning()
  return gone?.groupName ?? null
}

/** Counts the people who could do the staff's work from a chat, and how many of them LINE knows. */
export async function countLinkedStaff(db: Sql): Promise<{ linkedStaff: number; allStaff: number }> {
  const [row] = await db.query<{ linkedStaff: number; allStaff: number }>({
    text: `SELECT count(*)::int AS "allStaff", count(${lineId('a')})::int AS "linkedStaff" FROM account a
      WHERE a.role = ANY($1) AND a.status <> 'inactive'`,
    values: [ROLES.filter(role => can(role, 'order.work'))],
  })
  return row!
}
