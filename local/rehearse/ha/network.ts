// Machines of one network, as namespaces of this one: each has its own address and loopback, and can be cut off without a
// word, as a switch does it. Needs the rights of root.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { signalProcess } from '../../os-process.ts'

const BRIDGE = 'shopha'
const NAMESPACE = 'shop-ha-'
/** Where everybody else is: buyers, banks, suppliers. */
export const OUTSIDE = '10.77.0.1'
export const NETWORK = '10.77.0.0/24'

export interface Machine {
  name: string
  address: string
  /** Runs a program on the machine; what it says goes to the file `log`. */
  start(command: readonly string[], options: { environment?: Record<string, string>; log: string }): ChildProcess
  /** Ends every process on it by SIGKILL, as a power cut does. */
  kill(): void
  /** Ends those whose command line contains a text. Returns how many there were. */
  killProgram(text: string): number
  /** Sends all of its processes a signal. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Nothing reaches it or leaves it any more, and nobody is told. */
  cut(): void
  mend(): void
  /** Nothing passes between it and another one. Returns how to mend that. */
  sever(from: Machine): () => void
}

export function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  return stdout
}

const outerOf = (namespace: string) => namespace.replace(NAMESPACE, 'ha-')

/** What an earlier run left behind, too. */
export function removeNetwork(): void {
  const names = ip('netns', 'list')
    .split('\n')
    .map(line => line.split(' ')[0]!)
    .filter(name => name.startsWith(NAMESPACE))
  for (const name of names) {
    killAll(name)
    // It would go with its namespace, but later.
    spawnSync('ip', ['link', 'del', outerOf(name)])
    ip('netns', 'del', name)
  }
  spawnSync('ip', ['link', 'del', BRIDGE])
}

const pidsOf = (namespace: string): number[] => ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)

function killAll(namespace: string): void {
  // Processes that start while others are killed are caught by the next look.
  for (let pids = pidsOf(namespace); pids.length > 0; pids = pidsOf(namespace))
    for (const pid of pids) signalProcess(pid, 'SIGKILL')
}

/** Makes a network with machines of these names, whose addresses end in these numbers. */
export function makeNetwork<Name extends string>(ends: Record<Name, number>): Record<Name, Machine> {
  removeNetwork()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  const made = Object.entries<number>(ends).map(([name, end]) => [name, makeMachine(name, `10.77.0.${end}`)])
  return Object.fromEntries(made)
}

/** Those who buy are elsewhere in life: here they share the processors, and must not take the machines' time. */
const MACHINE_NICE = '-10'

function makeMachine(name: string, address: string): Machine {
  const namespace = NAMESPACE + name
  const [outer, inner] = [outerOf(namespace), `in-${name}`]
  ip('netns', 'add', namespace)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner)
  ip('link', 'set', inner, 'netns', namespace)
  ip('link', 'set', outer, 'master', BRIDGE, 'up')
  for (const args of [
    ['addr', 'add', `${address}/24`, 'dev', inner],
    ['link', 'set', inner, 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    ip('-n', namespace, ...args)
  return {
    name,
    address,
    start([program, ...args], { environment, log }) {
      const child = spawn('nice', ['-n', MACHINE_NICE, 'ip', 'netns', 'exec', namespace, program!, ...args], {
        env: { PATH: '/usr/sbin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...environment },
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => appendFileSync(log, part))
      return child
    },
    kill: () => killAll(namespace),
    killProgram(text) {
      const all = pidsOf(namespace).filter(pid =>
        spawnSync('ps', ['-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.includes(text),
      )
      for (const pid of all) signalProcess(pid, 'SIGKILL')
      return all.length
    },
    signal(signal) {
      for (const pid of pidsOf(namespace)) signalProcess(pid, signal)
    },
    sever(from) {
      const ways = [
        [namespace, from.address],
        [NAMESPACE + from.name, address],
      ] as const
      for (const [of, to] of ways) ip('-n', of, 'route', 'add', 'blackhole', to)
      return () => {
        for (const [of, to] of ways) ip('-n', of, 'route', 'del', 'blackhole', to)
      }
    },
    // The other end of the cable is pulled, so that the machine itself sees its own card up.
    cut: () => void ip('link', 'set', outer, 'nomaster'),
    mend: () => void ip('link', 'set', outer, 'master', BRIDGE),
  }
}
