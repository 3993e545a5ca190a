import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batching.ts'

/** Answers each letter with its capital; `trips` are the batches, in their order. */
function capitals(answer: (asks: string[], trip: number) => Promise<void> | void, keysOf?: (ask: string) => string[]) {
  const trips: string[] = []
  const send = async (asks: string[]) => {
    await answer(asks, trips.push(asks.join('')))
    return asks.map(ask => ask.toUpperCase())
  }
  return { trips, ask: batched({ send, most: 4, keysOf }) }
}

const askAll = (ask: (letter: string) => Promise<string>, letters: string) =>
  Promise.all([...letters].map(letter => ask(letter).catch((error: Error) => error.message)))

/** What PostgreSQL says. */
const refusal = (code: string) => Object.assign(new Error(code), { code })

test('who comes alone goes at once; who comes meanwhile goes together, no more than fit, each with their own answer', async () => {
  const { ask, trips } = capitals(() => delay(2))
  expect(await askAll(ask, 'abcdefg')).toEqual([...'ABCDEFG'])
  expect(trips).toEqual(['a', 'bcde', 'fg'])
})

test('two that could be in each other’s way never travel together, and none overtakes the one it shares something with', async () => {
  // Capital or not, a letter is the same buyer.
  const { ask, trips } = capitals(
    () => delay(2),
    letter => [letter.toLowerCase()],
  )
  await askAll(ask, 'xaAbAa')
  expect(trips).toEqual(['x', 'ab', 'A', 'A', 'a'])
})

test('when a batch fails each is tried alone, and only the one to blame is told', async () => {
  const { ask, trips } = capitals(asks => {
    if (asks.includes('c')) throw refusal('23514')
  })
  expect(await askAll(ask, 'abcd')).toEqual(['A', 'B', '23514', 'D'])
  expect(trips).toEqual(['a', 'bcd', 'b', 'c', 'd'])
})

test.each(['55P03', '40P01'])('so it is when one waited for a lock: %s', async code => {
  const { ask } = capitals(asks => {
    if (asks.includes('b')) throw refusal(code)
  })
  expect(await askAll(ask, 'abc')).toEqual(['A', code, 'C'])
})

test.each(['57014', '08006', 'ECONNREFUSED'])(
  'when the database is not there, all are told at once: %s',
  async code => {
    const { ask, trips } = capitals((_, trip) => {
      if (trip === 2) throw refusal(code)
    })
    expect(await askAll(ask, 'abc')).toEqual(['A', code, code])
    expect(trips).toEqual(['a', 'bc'])
  },
)

test('a batch that hangs holds back nobody but those in it', async () => {
  let release = () => {}
  const hanging = new Promise<void>(resolve => {
    release = resolve
  })
  const { ask } = capitals((_, trip) => (trip === 1 ? hanging : undefined))
  const first = ask('a')
  expect(await askAll(ask, 'bc')).toEqual(['B', 'C'])
  expect(await ask('d')).toBe('D')
  release()
  expect(await first).toBe('A')
})
