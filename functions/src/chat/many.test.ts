import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { type ChatShop, createChatShop, users } from '../testing/chat.ts'
import { manyOf } from '../testing/random.ts'

const MESSAGES = manyOf(10_000, 300)
const WORKERS = 3
const friend = users.friend.userId

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
})
afterEach(() => it.close())

/** Messages that wait, as that many events would have left them. */
const putMany = () =>
  it.db.query({
    text: `WITH made AS (
        INSERT INTO chat_message (id, retry_key, kind, recipient, messages, cost, created_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'orderEnded', $1,
          jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'message ' || n)), 1, $2
        FROM generate_series(1, $3::int) n RETURNING id
      )
      INSERT INTO outbox (id, kind, key, payload, due_at, created_at)
      SELECT gen_random_uuid(), 'chat.send', id, jsonb_build_object('messageId', id), $2, $2 FROM made`,
    values: [friend, it.clock.now, MESSAGES],
  })

const countWaiting = async () => {
  const [row] = await it.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM chat_message WHERE state = 'waiting'`,
  })
  return row!.n
}

test('thousands of messages drain through several workers: none is lost, none is shown twice', async () => {
  await putMany()
  const push = { path: '/v2/bot/message/push' }
  it.line.control.injectFault({ ...push, status: 500, count: 40 })
  it.line.control.injectFault({ ...push, status: 500, afterAcceptance: true, count: 40 })
  it.line.control.injectFault({ ...push, status: 429, count: 40 })
  it.line.control.injectFault({ ...push, dropConnection: true, afterAcceptance: true, count: 40 })
  const databases = Array.from({ length: WORKERS }, () => openDatabase(it.databaseUrl, { connections: 10 }))
  const drains = databases.map(db => openDrain({ ...it.shop, db }))
  for (let round = 0; round < 20 && (await countWaiting()) > 0; round++) {
    await Promise.all(drains.map(drain => drain.run()))
    it.clock.advance(600)
  }
  await Promise.all(drains.map(drain => drain.close()))
  await Promise.all(databases.map(db => db.close()))
  const shown = it.shownTo(friend)
  expect(shown).toHaveLength(MESSAGES)
  expect(new Set(shown).size).toBe(MESSAGES)
  expect(await it.db.query({ text: `SELECT state, count(*)::int AS n FROM chat_message GROUP BY state` })).toEqual([
    { state: 'sent', n: MESSAGES },
  ])
}, 600_000)
