import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FakePatroni, startPatroni } from '../testing/patroni.ts'
import { createTestShop } from '../testing/shop.ts'
import { findChecks } from './checks.ts'
import { askPatroni, CLUSTER_FLAWS, flawsOfCluster, openPatroni } from './patroni.ts'

let leader: FakePatroni
let follower: FakePatroni
beforeEach(async () => {
  leader = await startPatroni('primary')
  follower = await startPatroni('replica')
})
afterEach(() => Promise.all([leader.stop(), follower.stop()]))

const urls = () => [leader.url, follower.url]
/** The flaws, each with the machines that it is about. */
const look = async () => {
  const flaws = flawsOfCluster(await askPatroni(urls()))
  return Object.fromEntries(CLUSTER_FLAWS.flatMap(name => (flaws[name].length > 0 ? [[name, flaws[name]]] : [])))
}

test('each trouble of a cluster is named, with its machines', async () => {
  expect(await look()).toEqual({})
  const both = [leader.host, follower.host]
  follower.told.position = 0
  leader.told.position = 65 * 2 ** 20
  expect(await look()).toEqual({ behind: [follower.host] })
  follower.told.position = leader.told.position
  follower.told.replicationState = 'in archive recovery'
  expect(await look()).toEqual({ notFollowing: [follower.host] })
  follower.told.state = 'start failed'
  expect(await look()).toEqual({ notFollowing: [follower.host] })
  Object.assign(follower.told, { state: 'running', replicationState: 'streaming' })
  // Without etcd the leader steps down, or goes on unlocked.
  for (const { told } of [leader, follower]) Object.assign(told, { isUnlocked: true, unseenSeconds: 45 })
  expect(await look()).toEqual({ noLeader: both, noMajority: both })
  for (const { told } of [leader, follower]) Object.assign(told, { isUnlocked: false, unseenSeconds: 3 })
  await follower.stop()
  expect(await look()).toEqual({ silent: [follower.host] })
})

test('the pulse is red by what Patroni says, and by a clock that is apart; a Patroni that hangs keeps nobody waiting', async () => {
  const it = await createTestShop({ PATRONI_URLS: urls().join() })
  try {
    const red = async () => {
      it.shop.patroni = openPatroni(urls())
      const found = await findChecks(it.shop, it.clock.now)
      const of = ['cluster', 'clockApart', 'database']
      return found.flatMap(({ name, isRed, facts }) =>
        isRed && of.includes(name) ? facts.filter(({ value, limit }) => value! > limit!).map(fact => fact.of) : [],
      )
    }
    expect(await red()).toEqual([])
    follower.told.aheadSeconds = 20
    expect(await red()).toEqual([follower.host])
    follower.told.aheadSeconds = 0
    leader.told.unseenSeconds = 60
    expect(await red()).toEqual(['noMajority'])
    leader.told.isSilent = true
    // Nothing is known of a Patroni yet, and nobody waits for the one that hangs; it is told once it is known.
    it.shop.patroni = openPatroni(urls())
    expect(await it.shop.patroni()).toEqual([])
    await expect.poll(async () => (await it.shop.patroni()).map(({ told }) => told === null)).toEqual([true, false])
  } finally {
    await it.db.close()
  }
})
