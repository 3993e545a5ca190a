import type { ChatCodePurpose, ChatRoom } from '@shop/shared/chat/chat.ts'
import { isChatQuotaLow } from '@shop/shared/chat/digest-time.ts'
import * as contract from '@shop/shared/chat/endpoints.ts'
import { getFriendship, learnFriendship } from '@shop/shared/chat/friendship.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { mustBeRecent, ownAccount, signedInOf } from '../access/own-account.ts'
import { authorise } from '../account/caller.ts'
import { mustBeProven } from '../account/session.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { enqueue } from '../outbox/outbox.ts'
import { makeCode, tellRoom } from './binding.ts'
import {
  countLinkedStaff,
  countPerhapsSeen,
  findMessages,
  findNamedRooms,
  takeForResending,
  takeRoomAway,
} from './message-store.ts'
import { findChannel, findFriendship, findLineIdOf, findQuota, isFull, saveFriend } from './store.ts'

async function viewState({ shop: { db, chat }, uid }: Context): Promise<contract.ChatState> {
  const [channel, quota, rooms, staff, lineId] = await Promise.all([
    findChannel(db),
    findQuota(db),
    findNamedRooms(db),
    countLinkedStaff(db),
    findLineIdOf(db, uid!),
  ])
  return {
    isOn: chat !== null,
    quota: {
      limit: quota.limit,
      used: quota.used,
      isLow: isChatQuotaLow(quota),
      at: channel.quotaAt?.toISOString() ?? null,
      fullAt: quota.fullAt?.toISOString() ?? null,
    },
    rooms: rooms.map(inJson),
    isLinked: lineId !== null,
    ...staff,
    lastError: channel.lastError,
    lastErrorAt: channel.lastErrorAt?.toISOString() ?? null,
  }
}

async function code(context: Context, purpose: ChatCodePurpose) {
  const by = signedInOf(context)
  if (purpose === 'person') {
    // A linked person can act from their phone, so linking needs as fresh a proof as adding any other way to sign in.
    mustBeRecent(by)
    mustBeProven(await ownAccount(context.shop, by))
  } else authorise(context, 'settings.manage')
  return makeCode(context.shop, by, purpose)
}

async function unbind(context: Context, room: ChatRoom) {
  const by = personOf(context)
  await context.shop.db.transaction(async tx => {
    const groupName = await takeRoomAway(tx, room)
    if (groupName === null) throw new AppError('NOT_FOUND')
    await tellRoom(tx, room, { groupName: null, ...by })
    await audit(tx, by, { action: 'chat.unbind', subject: `chatRoom:${room}`, before: { groupName }, after: null })
  })
  return viewState(context)
}

/** How long LINE remembers a message's key. */
const KEY_SECONDS = 24 * 3600

/**
 * Sends the same messages again under the same keys, so LINE does not show what it accepted within the last day.
 * @throws CHAT_QUOTA_FULL, MESSAGE_MAY_BE_SEEN for older messages with an unknown result, unless the caller accepts that risk
 */
async function resend(context: Context, { ids, evenIfSeen }: { ids: readonly string[]; evenIfSeen: boolean }) {
  const by = personOf(context)
  const { now } = by
  return context.shop.db.transaction(async tx => {
    // They would only be left out again.
    if (isFull(await findQuota(tx), ids.length)) throw new AppError('CHAT_QUOTA_FULL')
    const perhapsSeen = evenIfSeen ? 0 : await countPerhapsSeen(tx, ids, addSeconds(now, -KEY_SECONDS))
    if (perhapsSeen > 0) throw new AppError('MESSAGE_MAY_BE_SEEN', { values: { n: perhapsSeen } })
    const taken = await takeForResending(tx, ids)
    for (const { id, before } of taken) {
      await enqueue(tx, { kind: 'chat.send', key: `${id}:${now.toISOString()}`, payload: { messageId: id }, now })
      await audit(tx, by, { action: 'chat.resend', subject: `chatMessage:${id}`, before, after: { state: 'waiting' } })
    }
    return { resent: taken.length }
  })
}

/** Keeps LINE's word on the caller's friendship. Only the token of the caller's own LINE is believed. */
async function learn({ shop, uid, address, now }: Context, accessToken: string) {
  await shop.limits.take('signInsPerAddress', address)
  const [found, lineId] = await Promise.all([shop.lineLogin?.findFriend(accessToken), findLineIdOf(shop.db, uid!)])
  if (found && found.sub === lineId) await saveFriend(shop.db, { lineId, isFriend: found.isFriend, since: now })
  return { isFriend: await findFriendship(shop.db, uid!) }
}

export const chatRoutes: Route[] = [
  route(contract.getChat, (_, context) => viewState(context)),
  route(getFriendship, async (_, { shop: { db }, uid }) => ({ isFriend: await findFriendship(db, uid!) })),
  route(learnFriendship, ({ body }, context) => learn(context, body.accessToken)),
  route(contract.makeChatCode, ({ body }, context) => code(context, body.purpose)),
  route(contract.unbindChatRoom, ({ params }, context) => unbind(context, params.room)),
  route(contract.listChatMessages, async ({ query }, { shop, now }) => {
    const { rows, counts } = await findMessages(shop.db, query)
    return { rows: rows.map(inJson), total: counts[query.state], counts, nowDate: now.toISOString() }
  }),
  route(contract.resendChatMessages, ({ body }, context) => resend(context, body)),
]
