import { randomUUID } from 'node:crypto'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { createDrain, type OutboxHandler } from './drain.ts'
import { enqueue, takeDue } from './outbox.ts'
import { endSafeMode, orderSafeMode, saveCompared } from './safe-mode.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())
beforeEach(() => it.db.query({ text: 'DELETE FROM outbox' }))

type Handler = OutboxHandler<'slip.check'>

/** A handler that notes what it did in a table of the shop, in the transaction that puts the job down. */
const noting = (change: Partial<Handler> = {}): Handler => ({
  concurrency: 3,
  lockSeconds: 60,
  mostFaults: 3,
  run:
    async (_, { checkId }) =>
    async tx => {
      await note(tx, checkId)
      return { to: 'done' }
    },
  giveUp: (tx, { checkId }) => note(tx, `gave up ${checkId}`),
  ...change,
})
const note = (tx: Parameters<NonNullable<Handler['giveUp']>>[0], text: string) =>
  tx.query({ text: 'INSERT INTO option (name, value) VALUES ($1, $2)', values: [randomUUID(), text] }).then(() => {})
const drainWith = (handler: Handler) => createDrain(it.shop, { 'slip.check': handler })
const countNotes = async (text: string): Promise<number> => {
  const rows = await it.db.query({ text: 'SELECT 1 FROM option WHERE value = $1', values: [text] })
  return rows.length
}
const put = async (key = randomUUID()): Promise<string> => {
  await it.db.transaction(tx => enqueue(tx, { kind: 'slip.check', key, payload: { checkId: key }, now: it.clock.now }))
  return key
}
const rowOf = async (key: string) => {
  const [row] = await it.db.query<{ state: string; attempts: number; dueAt: Date; lastError: string | null }>({
    text: 'SELECT state, attempts, due_at AS "dueAt", last_error AS "lastError" FROM outbox WHERE key = $1',
    values: [key],
  })
  return row
}

test('a job stands and falls with the transaction that asked for it, and there is one for each key', async () => {
  const key = randomUUID()
  const failing = it.db.transaction(async tx => {
    await enqueue(tx, { kind: 'slip.check', key, payload: { checkId: key }, now: it.clock.now })
    throw new Error('the order was refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(await rowOf(key)).toBeUndefined()
  await put(key)
  await put(key)
  await drainWith(noting()).run()
  expect(await countNotes(key)).toBe(1)
  expect((await rowOf(key))!.state).toBe('done')
})

test('two processes at once run each job once', async () => {
  const keys = await Promise.all(Array.from({ length: 40 }, () => put()))
  await Promise.all([drainWith(noting()).run(), drainWith(noting()).run()])
  for (const key of keys) expect(await countNotes(key)).toBe(1)
})

test('no more run at once than the kind allows', async () => {
  await Promise.all(Array.from({ length: 9 }, () => put()))
  let [running, most] = [0, 0]
  const handler = noting({
    async run() {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return async () => ({ to: 'done' })
    },
  })
  await drainWith(handler).run()
  expect(most).toBe(3)
  expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE state = 'waiting'` })).toEqual([])
})

test('what a killed process held is taken up again once its lock ran out, not before', async () => {
  const key = await put()
  expect(await takeDue(it.shop.db, 'slip.check', { now: it.clock.now, lockSeconds: 60, limit: 5 })).toHaveLength(1)
  await drainWith(noting()).run()
  expect(await countNotes(key)).toBe(0)
  it.clock.advance(61)
  await drainWith(noting()).run()
  expect(await countNotes(key)).toBe(1)
})

test('who outlived its lock stores nothing: the job is settled once, by who has it now', async () => {
  const key = await put()
  let letSlowGo = () => {}
  const slowMayGo = new Promise<void>(resolve => {
    letSlowGo = resolve
  })
  const slow = drainWith(
    noting({
      async run(_, { checkId }) {
        await slowMayGo
        return async tx => {
          await note(tx, `slow ${checkId}`)
          return { to: 'done' }
        }
      },
    }),
  )
  await slow.poke()
  it.clock.advance(61)
  await drainWith(noting()).run()
  letSlowGo()
  await slow.close()
  expect([await countNotes(key), await countNotes(`slow ${key}`)]).toEqual([1, 0])
})

test('a job that fails comes again later and later, then ends and leaves word', async () => {
  const key = await put()
  const drain = drainWith(
    noting({
      run: async () => {
        throw new TypeError('boom')
      },
    }),
  )
  await drain.run()
  expect(await rowOf(key)).toMatchObject({ state: 'waiting', attempts: 1, dueAt: addSeconds(it.clock.now, 5) })
  it.clock.advance(5)
  await drain.run()
  expect(await rowOf(key)).toMatchObject({ state: 'waiting', attempts: 2, dueAt: addSeconds(it.clock.now, 10) })
  it.clock.advance(10)
  await drain.run()
  expect(await rowOf(key)).toMatchObject({ state: 'dead', attempts: 3, lastError: '{"name":"TypeError"}' })
  expect(await countNotes(`gave up ${key}`)).toBe(1)
})

test('what could not be stored leaves nothing behind and is done again', async () => {
  const key = await put()
  let isBroken = true
  const drain = drainWith(
    noting({
      run:
        async (_, { checkId }) =>
        async tx => {
          await note(tx, checkId)
          if (isBroken) throw new Error('connection lost')
          return { to: 'done' }
        },
    }),
  )
  await drain.run()
  expect(await countNotes(key)).toBe(0)
  isBroken = false
  it.clock.advance(5)
  await drain.run()
  expect(await countNotes(key)).toBe(1)
})

test('a job that always takes its process down ends, too', async () => {
  const key = await put()
  for (let life = 0; life < 3; life++) {
    await takeDue(it.shop.db, 'slip.check', { now: it.clock.now, lockSeconds: 60, limit: 5 })
    it.clock.advance(61)
  }
  await drainWith(noting()).run()
  expect((await rowOf(key))!.state).toBe('dead')
  expect([await countNotes(key), await countNotes(`gave up ${key}`)]).toEqual([0, 1])
})

test('in safe mode no job is taken and none is lost, until it was compared and somebody said go', async () => {
  const key = await put()
  await orderSafeMode(it.db, 'Somchai', 'disk put back', it.clock.now)
  await drainWith(noting()).run()
  expect(await rowOf(key)).toMatchObject({ state: 'waiting', attempts: 0 })
  expect(await endSafeMode(it.db, 'Somchai', it.clock.now)).toBe(false)
  await saveCompared(it.db, it.clock.now)
  expect(await endSafeMode(it.db, 'Somchai', it.clock.now)).toBe(true)
  await drainWith(noting()).run()
  expect((await rowOf(key))!.state).toBe('done')
})
