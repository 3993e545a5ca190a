// What happens to the machines while people buy.
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { HaSite } from './site.ts'

export interface Fault {
  name: string
  /** Whether another database leads afterwards. */
  isFailover: boolean
  /** Does it. Returns what makes the machines whole again, once people can buy. */
  happen(site: HaSite): Promise<() => Promise<void> | void>
}

type Database = Cluster['databases'][number]
const others = ({ databases }: Cluster, name: Database) => databases.filter(each => each !== name)

const primaryLosesPower: Fault = {
  name: "the primary's machine loses its power",
  isFailover: true,
  async happen({ cluster }) {
    const leader = await cluster.leader()
    cluster.powerOff(leader)
    return () => cluster.powerOn(leader)
  },
}

const primaryIsCutOff: Fault = {
  name: "the primary's network is gone without a word",
  isFailover: true,
  async happen({ cluster }) {
    const { cut, mend } = cluster.machines[await cluster.leader()]
    cut()
    return mend
  },
}

const networkIsSplit: Fault = {
  name: 'the network is split: the primary with one server here, the others there',
  isFailover: true,
  async happen({ cluster }) {
    const leader = await cluster.leader()
    const far = [...others(cluster, leader).map(each => cluster.machines[each]), cluster.machines.app2]
    const mends = far.map(each => cluster.machines[leader].sever(each))
    return () => {
      for (const mend of mends) mend()
    }
  },
}

const primaryStandsStill: Fault = {
  name: 'Patroni and PostgreSQL of the primary stand still',
  isFailover: true,
  async happen({ cluster }) {
    const leader = await cluster.leader()
    cluster.machines[leader].signal('SIGSTOP')
    return () => cluster.machines[leader].signal('SIGCONT')
  },
}

const patroniDies: Fault = {
  name: 'Patroni of the primary dies and leaves PostgreSQL alone',
  isFailover: true,
  async happen({ cluster }) {
    const leader = await cluster.leader()
    const allow = cluster.forbid(leader, 'patroni')
    cluster.machines[leader].killProgram('/usr/bin/patroni')
    return allow
  },
}

const diskIsFull: Fault = {
  name: "the primary's disk is full for half a minute",
  isFailover: false,
  async happen({ cluster }) {
    const free = cluster.fillDisk(await cluster.leader())
    await delay(30_000)
    free()
    return () => {}
  },
}

export const plannedSwitch: Fault = {
  name: 'a planned switch',
  isFailover: true,
  async happen({ cluster }) {
    await cluster.handOver()
    return () => {}
  },
}

const postgresCrashes: Fault = {
  name: 'every process of PostgreSQL on the primary is killed',
  isFailover: false,
  async happen({ cluster }) {
    cluster.machines[await cluster.leader()].killProgram('postgres')
    return () => {}
  },
}

const etcdDies: Fault = {
  name: 'etcd of one machine is killed',
  isFailover: false,
  async happen({ cluster }) {
    const leader = await cluster.leader()
    const allow = cluster.forbid(leader, 'etcd')
    cluster.machines[leader].killProgram('/usr/bin/etcd')
    await delay(5000)
    return allow
  },
}

const etcdHasNoMajority: Fault = {
  name: 'etcd of two machines is killed',
  isFailover: false,
  async happen({ cluster }) {
    const two = others(cluster, await cluster.leader())
    const allow = two.map(each => cluster.forbid(each, 'etcd'))
    for (const each of two) cluster.machines[each].killProgram('/usr/bin/etcd')
    // Longer than the primary's lease.
    await delay(25_000)
    return () => {
      for (const each of allow) each()
    }
  },
}

const serverLosesPower: Fault = {
  name: "a server's machine loses its power",
  isFailover: false,
  async happen({ cluster }) {
    cluster.powerOff('app1')
    return () => cluster.powerOn('app1')
  },
}

const haproxyDies: Fault = {
  name: "a server's HAProxy is killed",
  isFailover: false,
  async happen({ cluster }) {
    cluster.machines.app1.killProgram('haproxy')
    return () => {}
  },
}

const standbyIsBuiltAnew: Fault = {
  name: 'a standby is built anew',
  isFailover: false,
  async happen({ cluster }) {
    const [one] = others(cluster, await cluster.leader())
    await cluster.rebuild(one!)
    return () => {}
  },
}

export const FAULTS: readonly Fault[] = [
  primaryLosesPower,
  haproxyDies,
  primaryIsCutOff,
  etcdDies,
  primaryStandsStill,
  plannedSwitch,
  networkIsSplit,
  serverLosesPower,
  patroniDies,
  diskIsFull,
  standbyIsBuiltAnew,
  primaryStandsStill,
  plannedSwitch,
  postgresCrashes,
  primaryLosesPower,
  etcdHasNoMajority,
  networkIsSplit,
  primaryIsCutOff,
  primaryLosesPower,
]
