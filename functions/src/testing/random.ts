import { randomInt } from 'node:crypto'
import { onTestFailed, test } from 'vitest'

/** Numbers in [0, 1) that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One run of a random test: the seed says what is drawn, the size how much is done. */
interface Draw {
  seed: number
  size: number
}

/** A run of a random test, and what it draws. */
export interface Random extends Draw {
  /** Whether it is as long as the test is made for: only then must it have met everything that is tried. */
  isWhole: boolean
  /** In [0, 1). */
  draw: () => number
  below: (limit: number) => number
  /** `undefined` of an empty list. */
  pick: <T>(list: readonly T[]) => T | undefined
  /** In an order that is drawn. */
  shuffle: <T>(list: readonly T[]) => T[]
  /** Notes what is done; the notes are printed, in order, when the run fails. */
  tell: (what: string) => void
}

/** How a random test is run. */
interface RandomTest {
  /** Of orders, steps or what else the test counts: how long a whole run is, as every night has one. */
  size: number
  /** Of a run on each push; without it a tenth of the whole. */
  quick?: number
  /** Those that failed once, and are run each time: with the size that they need, or as long as the fresh one. */
  seeds?: readonly (number | readonly [seed: number, size: number])[]
  /** Of a run of this size, in ms; of a longer one accordingly. */
  timeout?: number
}

/** How many of something a storm that draws nothing has: all of them every night, fewer on each push. */
export const manyOf = (whole: number, quick: number): number => (process.env.LONG ? whole : quick)

/** Far above what a run takes. */
const LIMIT_MS = 180_000

/**
 * Which runs a random test has: its seeds and a fresh one. `LONG=1` asks for whole runs, `SEED=7` for that one alone,
 * `SEEDS=500` for so many fresh ones, `SIZE=30` for runs of another size.
 */
export function drawsOf(
  { seeds = [], size, quick = Math.ceil(size / 10) }: RandomTest,
  { SEED, SEEDS, SIZE, LONG }: NodeJS.ProcessEnv = process.env,
  fresh: () => number = () => randomInt(2 ** 31),
): Draw[] {
  const asked = wholeNumber('SIZE', SIZE) ?? (LONG ? size : quick)
  if (SEED) return [{ seed: wholeNumber('SEED', SEED)!, size: asked }]
  const drawn = Array.from({ length: wholeNumber('SEEDS', SEEDS) ?? 1 }, () => ({ seed: fresh(), size: asked }))
  if (SEEDS) return drawn
  const known = seeds.map(each =>
    typeof each === 'number' ? { seed: each, size: asked } : { seed: each[0], size: each[1] },
  )
  return [...known, ...drawn]
}

/** A typo must not become a run of nothing. */
function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name}=${text} is no whole number`)
  return Number(text)
}

/**
 * A test that draws what it does. Its name says how its run is repeated: what a failing one did is printed, and its seed
 * is added to `seeds`. What people and servers do at the same moment is not drawn: only the test that says so repeats it.
 */
export function testAtRandom(name: string, how: RandomTest, run: (random: Random) => Promise<void>): void {
  const { timeout = LIMIT_MS } = how
  for (const draw of drawsOf(how)) {
    const title = `${name} (SEED=${draw.seed} SIZE=${draw.size})`
    const work = async () => {
      const story: string[] = []
      onTestFailed(() => console.error([`${title} failed. What it did:`, ...story].join('\n')))
      await run(openRandom(draw, how.size, what => story.push(`${story.length + 1}. ${what}`)))
    }
    test(title, work, timeout * Math.max(1, draw.size / how.size))
  }
}

/** What a run draws. @param wholeSize the size that the test is made for */
export function openRandom({ seed, size }: Draw, wholeSize: number, tell: Random['tell']): Random {
  const draw = randomFrom(seed)
  const below = (limit: number) => Math.floor(draw() * limit)
  const pick = <T>(list: readonly T[]) => list[below(list.length)]
  const shuffle = <T>(list: readonly T[]) =>
    list
      .map(each => [draw(), each] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, each]) => each)
  return { seed, size, isWhole: size >= wholeSize, draw, below, pick, shuffle, tell }
}
