import type { ChatCodePurpose, ChatRoom, MessageState } from '@shop/shared/chat/chat.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'
import { instant } from '../database/columns.ts'

/** One row: how the shop stands with LINE's Messaging API. */
export const chatChannel = pgTable('chat_channel', {
  name: text().$type<'line'>().primaryKey(),
  /** Messages that a month has room for, as LINE said last; null = no limit, or never asked. */
  quotaLimit: integer('quota_limit'),
  /** Used of it this month, as LINE said last. */
  quotaUsed: integer('quota_used').notNull().default(0),
  quotaAt: instant('quota_at'),
  /** LINE refused a message because the month is full; null once it says that there is room. */
  fullAt: instant('full_at'),
  lastError: text('last_error'),
  lastErrorAt: instant('last_error_at'),
})

/** Groups in LINE that hear what the shop tells its own people. */
export const chatRoom = pgTable('chat_room', {
  room: text().$type<ChatRoom>().primaryKey(),
  groupId: text('group_id').notNull().unique('chat_room_group'),
  groupName: text('group_name').notNull(),
  /** Each message to it counts that often. */
  memberCount: integer('member_count').notNull(),
  boundBy: text('bound_by')
    .notNull()
    .references(() => account.uid),
  boundAt: instant('bound_at').notNull(),
})

/** Codes that wait to be typed into a chat. */
export const chatCode = pgTable(
  'chat_code',
  {
    codeHash: text('code_hash').primaryKey(),
    purpose: text().$type<ChatCodePurpose>().notNull(),
    /** Who asked for it, and becomes the linked person. */
    uid: text()
      .notNull()
      .references(() => account.uid),
    expiresAt: instant('expires_at').notNull(),
  },
  t => [index('chat_code_expiry').on(t.expiresAt)],
)

/** Whether somebody in LINE is a friend of the shop, as far as LINE has told. */
export const chatFriend = pgTable('chat_friend', {
  lineId: text('line_id').primaryKey(),
  isFriend: boolean('is_friend').notNull(),
  /** LINE's time of the event that said so: events come in any order. */
  since: instant('since').notNull(),
})

/** What the shop says in LINE. The words are made once, so that every try sends the same. */
export const chatMessage = pgTable(
  'chat_message',
  {
    /** UUIDv7. */
    id: uuid().primaryKey(),
    /** LINE takes a message with the same key once. Made from what it tells and to whom. */
    retryKey: uuid('retry_key').notNull().unique('chat_message_once'),
    kind: text().notNull(),
    /** The number of what it is about, e.g. an order's; null where it is about many things. */
    about: text(),
    /** LINE's id of a person or group. */
    recipient: text().notNull(),
    /** It answers an event and costs nothing; null = it is pushed. */
    replyToken: text('reply_token'),
    /** LINE's message objects. */
    messages: jsonb().notNull(),
    /** How many it counts as: a group's members each count. */
    cost: integer().notNull(),
    state: text().$type<MessageState>().notNull().default('waiting'),
    /** Why it was skipped or is dead. */
    reason: text(),
    /** LINE's id of the request that was accepted. */
    requestId: text('request_id'),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  t => [
    index('chat_message_state').on(t.state, t.id).where(sql`${t.state} <> 'sent'`),
    index('chat_message_settled').on(t.settledAt),
    index('chat_message_about').on(t.about),
  ],
)
