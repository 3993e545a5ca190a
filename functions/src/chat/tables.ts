import type { ChatCodePurpose, ChatRoom, MessageState } from '@shop/shared/chat/chat.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import type { MessageKind } from '@shop/shared/chat/message.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { instant } from '../database/columns.ts'
import type { OutboxPayload } from '../outbox/payload.ts'

/** A single row with the state of the shop's channel at LINE's Messaging API. */
export const chatChannel = pgTable('chat_channel', {
  name: text().$type<'line'>().primaryKey(),
  /** The messages that a month allows, as LINE last reported; null when there is no limit or LINE was never asked. */
  quotaLimit: integer('quota_limit'),
  /** The messages used this month, as LINE last reported. */
  quotaUsed: integer('quota_used').notNull().default(0),
  quotaAt: instant('quota_at'),
  /** When LINE refused a message because the month was full; null once LINE reports that there is room. */
  fullAt: instant('full_at'),
  lastError: text('last_error'),
  lastErrorAt: instant('last_error_at'),
})

/** LINE groups that receive the shop's messages for its own people. */
export const chatRoom = pgTable('chat_room', {
  room: text().$type<ChatRoom>().primaryKey(),
  groupId: text('group_id').notNull().unique('chat_room_group'),
  groupName: text('group_name').notNull(),
  /** A message to the group counts as this many. */
  memberCount: integer('member_count').notNull(),
  boundBy: text('bound_by')
    .notNull()
    .references(() => account.uid),
  boundAt: instant('bound_at').notNull(),
  /** When the shop was removed from the group, which hears nothing since; null while it is in it. */
  lostAt: instant('lost_at'),
})

/** Codes that wait to be typed into a chat. */
export const chatCode = pgTable(
  'chat_code',
  {
    codeHash: text('code_hash').primaryKey(),
    purpose: text().$type<ChatCodePurpose>().notNull(),
    /** The person who asked for the code and will be linked. */
    uid: text()
      .notNull()
      .references(() => account.uid),
    expiresAt: instant('expires_at').notNull(),
  },
  t => [index('chat_code_expiry').on(t.expiresAt)],
)

/** Whether somebody in LINE is a friend of the shop, as last reported by LINE. */
export const chatFriend = pgTable('chat_friend', {
  lineId: text('line_id').primaryKey(),
  isFriend: boolean('is_friend').notNull(),
  /** LINE's time of the event that reported it, because events arrive in any order. */
  since: instant('since').notNull(),
})

/** Messages that the shop sends in LINE. Their words are made once, so that every try sends the same. */
export const chatMessage = pgTable(
  'chat_message',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    /** LINE accepts only one message with the same key. The key is made from content and receiver. */
    retryKey: uuid('retry_key').notNull().unique('chat_message_once'),
    kind: text().$type<MessageKind>().notNull(),
    /** The number of what the message is about, such as an order's; null when it is about several things. */
    about: text(),
    /** LINE's id of a person or group. */
    recipient: text().notNull(),
    /** A reply to an event uses this token and costs nothing; null means that the message is pushed. */
    replyToken: text('reply_token'),
    /** LINE's message objects. */
    messages: jsonb().$type<LineMessage[]>().notNull(),
    /** The number of messages it counts as: one for each member of a group. */
    cost: integer().notNull(),
    /** The event that managers or admins are told of by it; they are mailed when every push of it fails. */
    news: jsonb().$type<Pick<OutboxPayload['chat.tell'], 'event' | 'id' | 'turn'>>(),
    state: text().$type<MessageState>().notNull().default('waiting'),
    /** Why the message was skipped or given up. */
    reason: text(),
    /** LINE's id of the request that was accepted. */
    requestId: text('request_id'),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  t => [
    index('chat_message_state').on(t.state, t.id),
    index('chat_message_resendable').on(t.id).where(sql`${t.state} IN ('dead', 'skipped') AND ${t.replyToken} IS NULL`),
    index('chat_message_settled').on(t.settledAt),
    index('chat_message_about').on(t.about),
    index('chat_message_recipient').on(t.recipient, t.id).concurrently(),
    index('chat_message_news').on(t.news).where(sql`${t.news} IS NOT NULL`).concurrently(),
  ],
)
