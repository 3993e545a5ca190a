import { bangkokDay } from '@shop/shared/time.ts'
import { tell } from '../outbox/outbox.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop/shop.ts'
import { findUnclaimed } from './order-facts.ts'
import { findChannel, findRooms, saveChannel, saveRoom } from './store.ts'
import { summaryTime } from './telling.ts'
import { findTroubles } from './troubles.ts'

const QUOTA_MS = 10 * 60_000

/** Tells managers about orders that nobody takes. */
export async function watchUnclaimed({ db, chat, mail, now }: Pick<Shop, 'db' | 'chat' | 'mail' | 'now'>) {
  if (!chat && !mail) return
  const at = now()
  const { OPENING_HOURS } = await findOptions(db)
  for (const { id, turn } of await findUnclaimed(db, OPENING_HOURS, at))
    await tell(db, { event: 'orderUnclaimed', id, turn: String(turn), now: at })
}

/** Asks LINE how many of the month's messages are used, and how many a message to each group counts as. */
async function readCosts({ db, chat, now }: Pick<Shop, 'db' | 'chat' | 'now'>): Promise<void> {
  const at = now()
  const { quotaAt } = await findChannel(db)
  if (!chat || (quotaAt && at.getTime() - quotaAt.getTime() < QUOTA_MS)) return
  const quota = await chat.quota()
  if (!quota) return
  const isFull = quota.limit !== null && quota.used >= quota.limit
  await saveChannel(db, {
    quotaLimit: quota.limit,
    quotaUsed: quota.used,
    quotaAt: at,
    ...(!isFull && { fullAt: null }),
  })
  for (const room of await findRooms(db)) {
    const group = await chat.group(room.groupId)
    if (group) await saveRoom(db, { ...room, groupName: group.name, memberCount: group.memberCount })
  }
}

/**
 * Watches the month's messages, tells managers about troubles that only they can solve, and sends the evening's
 * summary.
 */
export async function watchTroubles(shop: Shop): Promise<void> {
  if (!shop.chat && !shop.mail) return
  await readCosts(shop)
  const now = shop.now()
  for (const { kind, turn } of await findTroubles(shop, now))
    await tell(shop.db, { event: 'trouble', id: kind, turn, now })
  await summariseMoves(shop, now)
}

/** Sends the summary once every evening. What happens after one day's summary is in the next day's. */
async function summariseMoves({ db }: Pick<Shop, 'db'>, now: Date): Promise<void> {
  const day = bangkokDay(now)
  if (now >= summaryTime(day)) await tell(db, { event: 'movesOfDay', id: day, now })
}
