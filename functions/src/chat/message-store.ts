import { type ChatRoom, MESSAGE_TABS, type MessageState, type MessageTab, UNSENT } from '@shop/shared/chat/chat.ts'
import type { ChatMessageRow } from '@shop/shared/chat/endpoints.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { can, ROLES } from '@shop/shared/permissions.ts'
import { eq } from 'drizzle-orm'
import { account, linkedIdentity } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, lineId, personName } from '../database/listing.ts'
import { as, type Fields, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { chatMessage, chatRoom } from './tables.ts'

const m = under(chatMessage, 'm')
/** The same where names stand alone. */
const messages = under(chatMessage)
/** The room, and one to which a message may not have gone. */
const [r, to] = [under(chatRoom, 'r'), outer(chatRoom, 'r')]
const [a, l] = [under(account, 'a'), under(linkedIdentity, 'l')]

/** A message that was not sent may be sent again, except a reply, whose token has expired. */
const CAN_RESEND = `${m.state} IN ('dead', 'skipped') AND ${m.replyToken} IS NULL`

export type StoredMessageRow = Omit<ChatMessageRow, 'createdAt' | 'settledAt'> & {
  createdAt: Date
  settledAt: Date | null
}

const MESSAGE_ROW = row<StoredMessageRow>({
  ...pick(m, 'id', 'kind', 'about', 'state', 'reason', 'cost', 'createdAt', 'settledAt'),
  text: as.text(`coalesce(${m.messages}->0->>'altText', ${m.messages}->0->>'text', '')`),
  isRoom: as.bool(`${m.recipient} LIKE 'C%'`),
  recipientName: orNull(as.text(`coalesce(${to.groupName}, p.name)`)),
  canResend: as.bool(CAN_RESEND),
})

const isUnder = (tab: MessageTab): string => (tab === 'resendable' ? CAN_RESEND : `${m.state} = '${tab}'`)

type TabCounts = Record<MessageTab, number>

/** Counts the messages under each tab, each for itself and only so far, by the index of that tab. */
async function countTabs(db: Sql, filter: Filter): Promise<TabCounts> {
  const countOf = (tab: MessageTab) =>
    as.int(
      `(SELECT count(*) FROM (SELECT 1 FROM ${m} WHERE ${filter} AND ${isUnder(tab)} LIMIT ${MOST_COUNTED + 1}) AS counted)`,
    )
  const counts = row(Object.fromEntries(MESSAGE_TABS.map(tab => [tab, countOf(tab)])) as Fields<TabCounts>)
  const [found] = await db.query({ text: sql`SELECT ${counts}`, values: [...filter.values] })
  return found!
}

/** A page of the messages under a tab, newest first, and how many there are under each. */
export async function findMessages(
  db: Sql,
  query: { state: MessageTab; text?: string; page: number; pageSize: number },
): Promise<{ rows: StoredMessageRow[]; counts: TabCounts }> {
  const filter = new Filter()
  filter.where(query.text || null, text => `${m.about} ILIKE ${text}`, likePart)
  const counts = await countTabs(db, filter)
  filter.must(isUnder(query.state))
  const select = sql`SELECT ${MESSAGE_ROW}
    FROM page m LEFT JOIN ${to} ON ${to.groupId} = ${m.recipient}
      LEFT JOIN LATERAL (SELECT ${personName('a')} AS name FROM ${a}
        WHERE ${a.uid} = coalesce((SELECT ${l.uid} FROM ${l} WHERE ${l.provider} = 'line' AND ${l.subject} = ${m.recipient}),
          'line:' || ${m.recipient})) p ON true`
  const total = counts[query.state]
  const { rows } = await findPage(db, { from: sql`${m}`, filter, order: `${m.id} DESC`, total, select }, query)
  return { rows, counts }
}

/** Counts the messages that LINE may have shown without confirming it, and whose keys LINE has forgotten since. */
export async function countPerhapsSeen(tx: Sql, ids: readonly string[], forgottenBefore: Date): Promise<number> {
  const [found] = await tx.query({
    text: sql`SELECT ${row({ count: as.int('count(*)') })} FROM ${m} WHERE ${m.id} = ANY($1::uuid[]) AND ${CAN_RESEND}
      AND ${m.state} = 'dead' AND ${m.reason} = $2 AND ${m.createdAt} < $3`,
    values: [ids, UNSENT.unreachable, forgottenBefore],
  })
  return found!.count
}

/** Returns messages to be sent again, with their earlier state. */
export async function takeForResending(
  tx: Sql,
  ids: readonly string[],
): Promise<{ id: string; before: { state: MessageState; reason: string | null } }[]> {
  const rows = await tx.query({
    text: sql`WITH taken AS (SELECT ${m.id}, ${m.state}, ${m.reason} FROM ${m}
          WHERE ${m.id} = ANY($1::uuid[]) AND ${CAN_RESEND} FOR UPDATE),
        changed AS (UPDATE ${m} SET ${messages.state} = 'waiting', ${messages.reason} = NULL, ${messages.settledAt} = NULL
          FROM taken WHERE ${m.id} = taken.id)
      SELECT ${row(pick(messages, 'id', 'state', 'reason'))} FROM taken ORDER BY ${messages.id}`,
    values: [ids],
  })
  return rows.map(({ id, ...before }) => ({ id, before }))
}

/** Returns the rooms with the people who bound them. */
export async function findNamedRooms(db: Sql) {
  return db.query({
    text: sql`SELECT ${row({
      ...pick(r, 'room', 'groupName', 'memberCount', 'boundAt', 'lostAt'),
      boundByName: personName('a'),
    })}
      FROM ${r} JOIN ${a} ON ${a.uid} = ${r.boundBy}`,
  })
}

/** Removes a room's group and returns the group's name; null when there was none. */
export async function takeRoomAway(tx: Sql, room: ChatRoom): Promise<string | null> {
  const [gone] = await tx.orm.delete(chatRoom).where(eq(chatRoom.room, room)).returning()
  return gone?.groupName ?? null
}

/** Counts the people who could do the staff's work from a chat, and how many of them LINE knows. */
export async function countLinkedStaff(db: Sql): Promise<{ linkedStaff: number; allStaff: number }> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ allStaff: as.int('count(*)'), linkedStaff: as.int(`count(${lineId('a')})`) })} FROM ${a}
      WHERE ${a.role} = ANY($1) AND ${a.status} <> 'inactive'`,
    values: [ROLES.filter(role => can(role, 'order.work'))],
  })
  return found!
}
