// `npm run rehearse -- ha`: docs/operations/high-availability.md on machines of this one. While people buy, pay by slip, by
// line and by gateway, and the supplier delivers, machines are lost, one after the other; in the end everything that was
// acknowledged must be there, once. `--faults 3-5` does these alone, `--faults 1-0` none.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findSafeMode } from 'functions/src/outbox/safe-mode.ts'
import { waitFor } from '../../os-process.ts'
import { PEOPLE, startPeople } from '../../soak/people.ts'
import { findLosses, settleAll } from '../../soak/proof.ts'
import { countSteps } from '../steps.ts'
import { type Ear, hastyBuyers, openEar, type Seen } from './buyers.ts'
import { measureCost } from './cost.ts'
import { FAULTS, type Fault, plannedSwitch } from './faults.ts'
import { BUYERS, type HaSite, startHaSite } from './site.ts'

/** Before a fault each server has seen the database for so long, and buyers are at ease. */
const REST_MS = 4000
/** So many orders that a fault is felt at once, and so few that the machines of this one have time for it. */
const HASTE_MS = 200
/** So long a machine that is back gets to follow by itself. */
const FOLLOW_MS = 120_000
/** Nobody waits longer for an acknowledged purchase. */
const WORST_SECONDS = 60
const MEDIAN_SECONDS = 30
const SWITCH_SECONDS = 5

const { values } = parseArgs({ args: process.argv.slice(3), options: { faults: { type: 'string' } } })
const [first, last] = (values.faults ?? `1-${FAULTS.length}`).split('-').map(Number)
const faults = FAULTS.slice(first! - 1, last)

interface Happened {
  fault: Fault
  seen: Seen
}

const steps = countSteps()
let site: HaSite | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site?.stop().then(() => process.exit(130)))
try {
  site = await steps.take('three databases, two servers, Caddy: all by the files of deploy/ha', startHaSite)
  await rehearse(site)
} catch (error) {
  if (steps.failed === 0) steps.failed = 1
  console.log(error instanceof Error ? error.stack : error)
  if (site) await tellState(site)
} finally {
  await site?.stop()
}
console.log(`${steps.passed} passed, ${steps.failed} failed`)
process.exit(steps.failed === 0 ? 0 : 1)

async function rehearse(shop: HaSite): Promise<void> {
  const ear = openEar()
  const people = startPeople(shop, ear, { ...PEOPLE, buyer: hastyBuyers(BUYERS, HASTE_MS) })
  const happened: Happened[] = []
  await delay(2 * REST_MS)
  ear.take()
  for (const fault of faults) happened.push(await steps.take(fault.name, () => live(shop, fault, ear)))
  await people.stop()
  const { orders, paid, delivered } = people.acknowledged
  console.log(`${orders.size} orders acknowledged, ${paid.size} paid, ${delivered.size} delivered by staff`)
  await steps.take('what is left is done', async () => requireNone(await settleAll(shop)))
  await steps.take('all that was acknowledged is there, once, and the books are right', async () =>
    requireNone(await findLosses(shop, people.acknowledged)),
  )
  await steps.take('nobody was kept waiting for long', () => requireShort(happened))
  await steps.take('what it costs an order that two machines must have it', () => measureCost(shop))
}

/** What each part says of itself at the end of a run that failed. */
async function tellState({ servers, live, cluster }: HaSite): Promise<void> {
  const ways = [...Object.values(servers), live()[0]!.origin]
  for (const way of ways.flatMap(origin => ['/live', '/ready', '/romons.game/api/games'].map(path => origin + path)))
    console.log(
      way,
      await fetch(way, { signal: AbortSignal.timeout(20_000) }).then(
        async reply => `${reply.status} ${(await reply.text()).slice(0, 200)}`,
        (error: Error) => `${error.message} ${error.cause ?? ''}`,
      ),
    )
  console.log(JSON.stringify(await cluster.members()))
}

function requireNone(faults: string[]): void {
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'))
}

/** One fault from its beginning until the machines are whole again. */
async function live({ cluster, db, ...shop }: HaSite, fault: Fault, ear: Ear): Promise<Happened> {
  const before = await cluster.leader()
  const mend = await fault.happen({ cluster, db, ...shop })
  // What is sold before the fault is felt does not count.
  await delay(REST_MS)
  const leader = await waitFor(async () => {
    const now = await cluster.leader()
    return (!fault.isFailover || now !== before) && now
  }, WORST_SECONDS * 1000)
  await waitUntilSold(ear)
  await mend()
  await cluster.whole(FOLLOW_MS).catch(async () => {
    console.log(`  built anew by hand: ${(await cluster.rebuildStrays()).join(', ') || 'nobody'}`)
    await cluster.whole()
  })
  await delay(REST_MS)
  const mode = await findSafeMode(db)
  if (mode.isOn) throw new Error(`The shop closed: ${JSON.stringify(mode)}`)
  const seen = ear.take()
  console.log(`  ${before} -> ${leader ?? 'nobody'}; ${sentenceOf(seen)}`)
  if (!leader) throw new Error('No other database took over.')
  return { fault, seen }
}

/** Somebody buys from now on. */
async function waitUntilSold(ear: Ear): Promise<void> {
  const began = performance.now()
  if (!(await waitFor(() => ear.soldSince(began), WORST_SECONDS * 1000))) throw new Error('Nobody could buy any more.')
}

function sentenceOf({ gapSeconds, waits, longestSeconds, refused }: Seen): string {
  const said = [...refused].map(([code, n]) => `${n} ${code}`).join(', ') || 'nothing was refused'
  return `no purchase for ${gapSeconds.toFixed(1)} s; ${waits.length} calls made again, ${Math.max(0, ...waits).toFixed(1)} s at most; one call took ${longestSeconds.toFixed(1)} s at most; ${said}`
}

function requireShort(happened: readonly Happened[]): void {
  const failovers = happened.filter(({ fault }) => fault.isFailover && fault !== plannedSwitch)
  const gaps = failovers.map(({ seen }) => Math.max(seen.gapSeconds, ...seen.waits)).sort((a, b) => a - b)
  const [median, worst] = [gaps[Math.floor(gaps.length / 2)] ?? 0, gaps.at(-1) ?? 0]
  const planned = happened.filter(({ fault }) => fault === plannedSwitch).map(({ seen }) => seen.gapSeconds)
  console.log(
    `${failovers.length} failovers: buyers waited ${median.toFixed(1)} s at the median, ${worst.toFixed(1)} s at worst; planned switches ${planned.map(gap => `${gap.toFixed(1)} s`).join(', ')}`,
  )
  const late = [
    ...(median > MEDIAN_SECONDS ? [`the median is above ${MEDIAN_SECONDS} s`] : []),
    ...(worst > WORST_SECONDS ? [`the worst is above ${WORST_SECONDS} s`] : []),
    ...planned.filter(gap => gap > SWITCH_SECONDS).map(gap => `a planned switch took ${gap.toFixed(1)} s`),
  ]
  requireNone(late)
}
