// What it costs an order that a standby must have it, too: the same buyers, by turns with and without.
import { setTimeout as delay } from 'node:timers/promises'
import type { Answers } from '../../soak/figures.ts'
import { startPeople } from '../../soak/people.ts'
import { hastyBuyers } from './buyers.ts'
import type { Cluster } from './cluster.ts'
import { BUYERS, type HaSite } from './site.ts'

const ROUNDS = 3
const SECONDS = 12
/** The first seconds after a change are not counted. */
const SETTLE_MS = 3000
const NO_REST_MS = 2

interface Way {
  name: string
  /** Brings it about. Returns what ends it. */
  begin(cluster: Cluster): Promise<() => unknown>
}

const setSynchronous = ({ patronictl }: Cluster, isOn: boolean) =>
  patronictl('edit-config', 'shop', '--force', '--set', `synchronous_mode=${isOn}`)

const standbysOf = async (cluster: Cluster) => {
  const leader = await cluster.leader()
  return cluster.databases.filter(name => name !== leader)
}

const WAYS: readonly Way[] = [
  {
    name: 'two machines have it before it is acknowledged',
    async begin(cluster) {
      await setSynchronous(cluster, true)
      await cluster.whole()
      return () => setSynchronous(cluster, false)
    },
  },
  {
    name: 'a standby has it later',
    async begin() {
      return () => {}
    },
  },
  {
    name: 'one machine alone',
    async begin(cluster) {
      const standbys = await standbysOf(cluster)
      const allow = standbys.map(name => cluster.forbid(name, 'patroni'))
      for (const name of standbys)
        for (const program of ['/usr/bin/patroni', 'postgres']) cluster.machines[name].killProgram(program)
      return () => {
        for (const each of allow) each()
      }
    },
  },
]

/** Prints for each way how many orders a second were acknowledged, and how long one took. */
export async function measureCost(shop: HaSite): Promise<void> {
  const measured = WAYS.map(() => ({ perSecond: [] as number[], tookMs: [] as number[] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [nth, way] of WAYS.entries()) {
      const end = await way.begin(shop.cluster)
      await delay(SETTLE_MS)
      const { perSecond, tookMs } = await sell(shop)
      await end()
      measured[nth]!.perSecond.push(perSecond)
      measured[nth]!.tookMs.push(tookMs)
    }
  for (const [nth, { name }] of WAYS.entries()) {
    const [perSecond, tookMs] = [median(measured[nth]!.perSecond), median(measured[nth]!.tookMs)]
    console.log(`  ${name}: ${perSecond.toFixed(0)} orders a second by ${BUYERS} buyers, ${tookMs.toFixed(1)} ms each`)
  }
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!

async function sell(shop: HaSite): Promise<{ perSecond: number; tookMs: number }> {
  const took: number[] = []
  const faults: string[] = []
  const answers: Answers = {
    answered: (_, tookMs) => void took.push(tookMs),
    failed: (_, error) => void faults.push(error.code),
    refused: (_, error) => void faults.push(String(error)),
  }
  const people = startPeople(shop, answers, { buyer: hastyBuyers(BUYERS, NO_REST_MS) })
  await delay(SECONDS * 1000)
  await people.stop()
  if (faults.length > 0 || took.length === 0)
    throw new Error(`${took.length} orders, and ${faults.length} faults: ${faults.slice(0, 3).join(', ')}`)
  return { perSecond: took.length / SECONDS, tookMs: median(took) }
}
