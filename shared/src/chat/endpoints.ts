import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { page, paging, instant as time } from '../wire.ts'
import { CHAT_ROOMS, MESSAGE_STATES, MESSAGE_TABS } from './chat.ts'
import { MESSAGE_KINDS, type MessageKind } from './message.ts'

const room = z.enum(CHAT_ROOMS)

const state = z.object({
  /** Whether the shop has a LINE channel. */
  isOn: z.boolean(),
  quota: z.object({
    /** null when there is no limit, or it is not known yet. */
    limit: z.int().nullable(),
    used: z.int(),
    /** When LINE last reported the numbers. */
    at: time.nullable(),
    isLow: z.boolean(),
    /** Since when LINE has refused messages because the month is full. */
    fullAt: time.nullable(),
  }),
  rooms: z.array(
    z.object({
      room,
      groupName: z.string(),
      memberCount: z.int(),
      boundByName: z.string().nullable(),
      boundAt: time,
      /** When the shop was removed from the group; null while it is in it. */
      lostAt: time.nullable(),
    }),
  ),
  /** Whether LINE knows the caller. */
  isLinked: z.boolean(),
  /** The number of the shop's people whom LINE knows. */
  linkedStaff: z.int(),
  allStaff: z.int(),
  lastError: z.string().nullable(),
  lastErrorAt: time.nullable(),
})
export type ChatState = z.output<typeof state>

export const getChat = endpoint({
  method: 'GET',
  path: '/romons.chat/api/state',
  summary: "How the shop stands with LINE: the month's messages, the staff's groups, who is linked",
  allow: 'message.look',
  reply: state,
})

export const makeChatCode = endpoint({
  method: 'POST',
  path: '/romons.chat/api/code',
  summary: 'Makes a code that its owner types into a LINE chat within ten minutes; groups take a manager',
  allow: 'order.work',
  body: z.object({ purpose: z.enum([...CHAT_ROOMS, 'person']) }),
  reply: z.object({ code: z.string(), expiresAt: time }),
  errors: ['FORBIDDEN', 'RECENT_SIGN_IN_REQUIRED', 'EMAIL_UNPROVEN'],
})

export const unbindChatRoom = endpoint({
  method: 'DELETE',
  path: '/romons.chat/api/room/:room',
  summary: 'Ends that a group hears what the shop tells its people',
  allow: 'settings.manage',
  params: z.object({ room }),
  reply: state,
  errors: ['NOT_FOUND'],
})

const message = z.object({
  id: z.uuid(),
  kind: z.enum(MESSAGE_KINDS as [MessageKind, ...MessageKind[]]),
  /** The number of the thing it is about. */
  about: z.string().nullable(),
  /** The group's or the person's name, as far as it is known. */
  recipientName: z.string().nullable(),
  isRoom: z.boolean(),
  /** The text that a notification shows. */
  text: z.string(),
  state: z.enum(MESSAGE_STATES),
  reason: z.string().nullable(),
  cost: z.int(),
  createdAt: time,
  settledAt: time.nullable(),
  canResend: z.boolean(),
})
export type ChatMessageRow = z.output<typeof message>

export const listChatMessages = endpoint({
  method: 'GET',
  path: '/romons.chat/api/messages',
  summary: 'What the shop said in LINE or could not say, newest first',
  allow: 'message.look',
  query: z.object({
    state: z.enum(MESSAGE_TABS),
    /** Part of the number of what it is about. */
    text: typed().max(60).optional(),
    ...paging,
  }),
  reply: page(message).extend({
    /** The number of messages under each tab with the same text; counting stops at 1,001. */
    counts: z.record(z.enum(MESSAGE_TABS), z.int()),
  }),
})

export const resendChatMessages = endpoint({
  method: 'POST',
  path: '/romons.chat/api/resend',
  summary: 'Sends messages again that did not go out; LINE shows none of the last day twice',
  allow: 'message.send',
  body: z.object({
    ids: z.array(z.uuid()).min(1).max(100),
    /** Whether to send messages again that their receiver may have seen already. */
    evenIfSeen: z.boolean().default(false),
  }),
  /** The number of messages sent again, without those that were sent meanwhile and without replies. */
  reply: z.object({ resent: z.int() }),
  errors: ['MESSAGE_MAY_BE_SEEN', 'CHAT_QUOTA_FULL'],
})
