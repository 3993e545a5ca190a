import type { SendAnswer } from '@shop/shared/chat/answer.ts'
import { UNSENT, type Unsent } from '@shop/shared/chat/chat.ts'
import { isChatQuotaLow } from '@shop/shared/chat/digest-time.ts'
import { MESSAGE } from '@shop/shared/chat/message.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { mailUnheard } from './delivering.ts'
import type { LineMessaging } from './line-messaging.ts'
import * as store from './store.ts'

/** LINE gave no final answer, so the message is sent again with growing pauses. */
class NotSettled extends Error {
  override name = 'NotSettled'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** LINE's rate limit ends within a minute. */
const TOO_MANY_SECONDS = 20
/** Somebody who pressed a button or asked something is still looking at the chat. */
const REPLY_RETRY_SECONDS = 2

const skip = (why: Unsent) => ({ state: 'skipped' as const, reason: UNSENT[why] })

/** Returns why a message must not be sent any more; null when it may. */
function barrierOf(message: NonNullable<Awaited<ReturnType<typeof store.findWaitingMessage>>>) {
  const { replyToken, isNoFriend, quota } = message
  if (replyToken !== null) return null
  if (isNoFriend) return skip('notFriend')
  if (store.isFull(quota, message.cost)) return skip('quotaFull')
  return MESSAGE[message.kind].whenLow === 'skip' && isChatQuotaLow(quota) ? skip('quotaLow') : null
}

const send = (line: LineMessaging, { replyToken, recipient, retryKey, messages }: store.StoredMessage) =>
  replyToken === null ? line.push({ to: recipient, retryKey, messages }) : line.reply({ replyToken, messages })

/** Stores the result that LINE reported for a message. @throws NotSettled */
async function settle(tx: Sql, message: store.StoredMessage, answer: SendAnswer, now: Date): Promise<Settlement> {
  const end = async (
    state: 'sent' | 'skipped' | 'dead',
    reason: string | null,
    requestId: string | null = null,
  ): Promise<Settlement> => {
    await store.saveMessage(tx, message.id, { state, reason, requestId, settledAt: now })
    if (state !== 'sent') await mailUnheard(tx, message, now)
    return { to: 'done' }
  }
  switch (answer.kind) {
    case 'accepted':
      // LINE takes the shop's token again, so whatever was wrong with it is over.
      await store.clearLastError(tx)
      return end('sent', null, answer.requestId)
    case 'refused':
      return end('dead', `${UNSENT.refused} (${answer.message.slice(0, 300)})`)
    case 'tooLate':
      return end('skipped', UNSENT.tooLate)
    case 'full':
      await store.saveChannel(tx, { fullAt: now })
      return end('skipped', UNSENT.quotaFull)
    case 'tooMany':
      return {
        to: 'waiting',
        dueAt: addSeconds(now, TOO_MANY_SECONDS * (1 + Math.random())),
        error: 'too many at once',
      }
    case 'denied':
    case 'unknown':
      if (message.replyToken !== null)
        return { to: 'waiting', dueAt: addSeconds(now, REPLY_RETRY_SECONDS), error: answer.kind }
      throw new NotSettled(answer.kind)
  }
}

/** Sends one message: checks that it may still be sent, calls LINE outside any transaction, and stores the result. */
export const chatSendHandler: OutboxHandler<'chat.send'> = {
  concurrency: 8,
  lockSeconds: 60,
  // With the outbox's pauses this takes about eight hours; LINE remembers a key for 24.
  mostFaults: 60,
  async run(shop: Shop, { messageId }) {
    const { db, chat } = shop
    const message = await store.findWaitingMessage(db, messageId)
    if (!message) return async () => ({ to: 'done' })
    const barrier = chat ? barrierOf(message) : skip('unreachable')
    if (!chat || barrier)
      return async tx => {
        await store.saveMessage(tx, messageId, { ...(barrier ?? skip('unreachable')), settledAt: shop.now() })
        await mailUnheard(tx, message, shop.now())
        return { to: 'done' }
      }
    const answer = await send(chat, message)
    if (answer.kind === 'denied')
      await store.saveChannel(db, { lastError: 'LINE ไม่รับ Channel access token ของร้าน', lastErrorAt: shop.now() })
    return tx => settle(tx, message, answer, shop.now())
  },
  async giveUp(tx, { messageId }, now) {
    const message = await store.findWaitingMessage(tx, messageId)
    await store.saveMessage(tx, messageId, { state: 'dead', reason: UNSENT.unreachable, settledAt: now })
    if (message) await mailUnheard(tx, message, now)
  },
}
