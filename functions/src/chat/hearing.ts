import type { LineMessage } from '@shop/shared/chat/flex.ts'
import type { Heard } from '@shop/shared/chat/heard.ts'
import { MESSAGE } from '@shop/shared/chat/message.ts'
import { type ChatAsk, wordsOfWhich } from '@shop/shared/chat/words.ts'
import { AppError } from '@shop/shared/errors.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Shop } from '../shop/shop.ts'
import { leaveGroup, useCode } from './binding.ts'
import { type Answer, claim, complete } from './order-asks.ts'
import { findEndingWith, findOrdersOfLineId } from './order-facts.ts'
import { findPresser } from './presser.ts'
import { findLostRooms, findRooms, putMessage, saveFriend } from './store.ts'
import { linksOf } from './telling.ts'

/** Returns the latest orders of the person who asks. In a group it returns none, because others would see them. */
async function tellStatus(shop: Shop, { userId, groupId }: Heard, orderNo?: string | null): Promise<Answer | null> {
  if (!userId || groupId) return null
  const orders = await findOrdersOfLineId(shop.db, userId, orderNo)
  return { kind: 'orderStatus', facts: { orders, now: shop.now() } }
}

type OrderAsk = Extract<ChatAsk, { ask: 'claim' | 'complete' }>
type WhichAsk = Extract<ChatAsk, { ask: 'which' }>

const isRoom = async ({ db }: Pick<Shop, 'db'>, groupId: string): Promise<boolean> =>
  (await findRooms(db)).some(room => room.groupId === groupId)

/** Asks which order was meant. What people say with a number in it elsewhere, or who are no staff, is conversation. */
async function askWhich(shop: Shop, { userId, groupId }: Heard, ask: WhichAsk): Promise<Answer | null> {
  const isOurs = groupId ? await isRoom(shop, groupId) : userId !== null && (await findPresser(shop, userId)) !== null
  if (!isOurs) return null
  const orderNos = await findEndingWith(shop.db, ask.digits)
  return { kind: 'numberWanted', facts: { digits: ask.digits, typed: orderNos.map(no => wordsOfWhich(ask, no)) } }
}

async function work(shop: Shop, { userId, groupId, at }: Heard, ask: OrderAsk): Promise<Answer | null> {
  const { orderNo } = ask
  if (groupId && !(await isRoom(shop, groupId)))
    return (await findLostRooms(shop.db)).some(room => room.groupId === groupId)
      ? { kind: 'roomLost', facts: {} }
      : null
  if (!userId) return { kind: 'presserUnknown', facts: { orderNo } }
  try {
    const presser = await findPresser(shop, userId)
    if (!presser) return { kind: 'notStaff', facts: {} }
    return ask.ask === 'claim' ? await claim(shop, presser, ask) : await complete(shop, presser, ask, new Date(at))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { kind: 'refused', facts: { orderNo, why: error.message } }
  }
}

async function answerTo(shop: Shop, heard: Heard): Promise<Answer | null> {
  const { what, userId, at } = heard
  if (what.is === 'left') return leaveGroup(shop, heard).then(() => null)
  if (what.is === 'followed' || what.is === 'unfollowed') {
    const isFriend = what.is === 'followed'
    if (userId) await saveFriend(shop.db, { lineId: userId, isFriend, since: new Date(at) })
    return isFriend ? greet(shop, heard) : null
  }
  const { ask } = what
  if (ask.ask === 'status') return tellStatus(shop, heard, ask.orderNo)
  if (ask.ask === 'which') return askWhich(shop, heard, ask)
  return ask.ask === 'code' ? useCode(shop, heard, ask.code) : work(shop, heard, ask)
}

/** Tells a new friend the state of their running order, in a reply that costs nothing. */
async function greet(shop: Shop, heard: Heard): Promise<Answer | null> {
  const status = await tellStatus(shop, heard)
  const isUnderWay =
    status?.kind === 'orderStatus' && status.facts.orders.some(each => !ORDER_STATUS[each.status].isEnded)
  return isUnderWay ? status : null
}

const aboutOf = (facts: Answer['facts']): string | null => {
  if ('order' in facts) return facts.order.orderNo
  return 'orderNo' in facts ? facts.orderNo : null
}

function replyOf({ config }: Pick<Shop, 'config'>, { kind, facts }: Answer) {
  // Kind and facts of the answer belong together, but the compiler can't follow that through a union.
  const build = MESSAGE[kind].build as (facts: unknown, links: unknown) => LineMessage[]
  return { kind, messages: build(facts, linksOf(config)), about: aboutOf(facts), cost: 0 }
}

/** Does what a chat event asks for and replies to it. Everything in it can safely be done twice. */
export const chatHearHandler: OutboxHandler<'chat.hear'> = {
  concurrency: 4,
  lockSeconds: 60,
  mostFaults: 5,
  async run(shop, heard) {
    const answer = await answerTo(shop, heard)
    const { replyToken, eventId, groupId, userId } = heard
    const recipient = groupId ?? userId
    return async tx => {
      if (answer && replyToken && recipient)
        await putMessage(tx, { ...replyOf(shop, answer), key: `reply ${eventId}`, recipient, replyToken }, shop.now())
      return { to: 'done' }
    }
  },
}
