// `npm run soak -- --minutes 30 --kills 20`: three servers under mixed load, of which two, the way to the supplier and
// PostgreSQL are killed by SIGKILL at moments drawn by lot. In the end everything that was acknowledged must be there.
// With few packages (`--packages 3`) their amounts run out and come back as soon as they may.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { describeCourse, type Figures, openFigures, printHeads } from './figures.ts'
import { startPeople } from './people.ts'
import { findLeaked, findLosses, settleAll } from './proof.ts'
import { PACKAGES } from './shop.ts'
import { type SoakSite, startSoakSite } from './site.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    kills: { type: 'string', default: '4' },
    packages: { type: 'string', default: String(PACKAGES) },
  },
})
const [minutes, kills] = [Number(values.minutes), Number(values.kills)]
if (!(minutes >= 1 && minutes <= 600 && kills >= 0 && kills <= minutes * 4))
  throw new Error('Usage: npm run soak -- --minutes 30 --kills 20 (at most four kills a minute)')

const isScarce = Number(values.packages) < PACKAGES

/** What is killed. Each stands in as often as its share. */
const KILLS: [string, (site: SoakSite) => Promise<void>][] = [
  ['server a', site => site.killServer('a')],
  ['session of PostgreSQL', site => site.killBackend()],
  ['way to the supplier', site => site.killRelay()],
  ['PostgreSQL', site => site.killCluster()],
  ['server b', site => site.killServer('b')],
  ['server a', site => site.killServer('a')],
  ['both servers', async site => void (await Promise.all([site.killServer('a'), site.killServer('b')]))],
]

/** The first kills come after half a minute, and the last ones leave time to recover. */
async function killAtRandom(site: SoakSite, figures: Figures, until: number): Promise<void> {
  const spare = 30_000
  const from = Date.now() + spare
  const moments = Array.from({ length: kills }, () => from + randomInt(Math.max(1, until - spare - from)))
  for (const [nth, moment] of moments.sort((a, b) => a - b).entries()) {
    await delay(Math.max(0, moment - Date.now()))
    const [name, kill] = KILLS[nth % KILLS.length]!
    figures.killed(name)
    await kill(site)
  }
}

const site = await startSoakSite(Number(values.packages))
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopped = true
    void site.stop().then(() => process.exit(130))
  })
try {
  const losses = await run()
  for (const loss of losses) console.log(`LOST: ${loss}`)
  console.log(losses.length === 0 ? 'Everything that was acknowledged is there.' : `${losses.length} losses.`)
  process.exitCode = losses.length === 0 ? 0 : 1
} finally {
  if (!isStopped) await site.stop()
}

async function run(): Promise<string[]> {
  const figures = openFigures()
  const end = Date.now() + minutes * 60_000
  printHeads()
  const people = startPeople(site, figures)
  const killing = killAtRandom(site, figures, end)
  for (let minute = 0; minute < minutes; minute++) {
    await delay(60_000)
    await figures.close(site)
  }
  await killing
  await people.stop()
  const { orders, paid, delivered } = people.acknowledged
  console.log(
    `${orders.size} orders acknowledged, ${paid.size} paid, ${delivered.size} delivered by staff, ${site.supplier.register.booked.size} bought at the supplier`,
  )
  console.log(describeCourse(figures.minutes))
  const stuck = await settleAll(site)
  const losses = await findLosses(site, people.acknowledged)
  await site.stopServers()
  const leaked = await findLeaked(site)
  const answers = [...figures.surprises].map(([what, n]) => ({
    what,
    n,
    isMeant: isScarce && /AMOUNTS_EXHAUSTED$/.test(what),
  }))
  for (const { what, n } of answers.filter(({ isMeant }) => isMeant))
    console.log(`${n} times, as so few packages must: ${what}`)
  const surprises = answers
    .filter(({ isMeant }) => !isMeant)
    .map(({ what, n }) => `${n} times an answer that no kill explains: ${what}`)
  return [...stuck, ...losses, ...leaked, ...surprises]
}
