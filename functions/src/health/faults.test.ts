import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lineAway, signingKeysAway, slipProviderLies } from '../testing/faults/outside.ts'
import { openScene, type Scene } from '../testing/faults/scene.ts'
import { bucketDown, connectionsUsedUp, databaseDiskFull, databaseKilled, diskFull } from '../testing/faults/stores.ts'
import { ALL_FAULTS, type FaultName, faultTable, type Seen } from '../testing/faults/table.ts'
import { clockAhead, clockBehind, outboxStopped, schedulerStopped } from '../testing/faults/time.ts'

const PAGE = new URL('../../../docs/operations/faults.md', import.meta.url)
const MARKS = ['<!-- faults -->\n', '\n<!-- /faults -->'] as const

/** How each fault of the table happens. */
const HAPPENS = {
  databaseKilled,
  connectionsUsedUp,
  databaseDiskFull,
  diskFull,
  bucketDown,
  outboxStopped,
  schedulerStopped,
  clockAhead,
  clockBehind,
  signingKeysAway,
  lineAway,
  slipProviderLies,
} satisfies Record<FaultName, (scene: Scene) => Promise<Seen>>

let scene: Scene
beforeEach(() => {
  scene = openScene()
})
afterEach(() => scene.close())

test.each(ALL_FAULTS)('%s', async (name, { codes, red, redAfter, greenAfter }) => {
  expect(await HAPPENS[name](scene)).toEqual({ codes, red, redAfter, greenAfter })
  if (redAfter !== null) expect(redAfter).toBeLessThanOrEqual(300)
})

test('the tests that are named beside each fault are there', () => {
  const missing = ALL_FAULTS.flatMap(([name, { also }]) =>
    also
      .filter(([file, begins]) => {
        const path = new URL(`../${file}`, import.meta.url)
        return !existsSync(path) || !readFileSync(path, 'utf8').includes(`'${begins}`)
      })
      .map(([file, begins]) => `${name}: ${file} ${begins}`),
  )
  expect(missing).toEqual([])
})

test('docs/operations/faults.md tells what is tested; WRITE_DOCS=1 writes it', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(MARKS[0]), page.indexOf(MARKS[1])]
  expect(from).toBeGreaterThan(0)
  expect(to).toBeGreaterThan(from)
  const written = page.slice(0, from + MARKS[0].length) + faultTable() + page.slice(to)
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, written)
  else expect(page).toBe(written)
})
