import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getMark, spawnNode, stopGroup, waitOn } from './os-process.ts'
import { findFreePort } from './ports.ts'

/** Firebase's tools ask for no sign-in when the project's name begins with "demo". */
export const projectId = 'demo-shop'

export interface FirebaseEmulators {
  process: ChildProcess
  /** Rejects with the emulators' own words when they can't start. */
  ready: Promise<void>
  /** What the emulators have printed. */
  getOutput(): string
  stop(): Promise<void>
}

export const emulatorHost = '127.0.0.1'
const graceMs = 10_000
const firebase = createRequire(import.meta.url).resolve('firebase-tools/lib/bin/firebase.js')

/**
 * Runs `firebase emulators:start` in `dir`. Its logs and its firebase.json, which is `config` with these `ports`, go there.
 * Somebody's sign-in at Google is not used.
 */
export async function startEmulators(options: {
  dir: string
  only: string[]
  ports: Record<string, number>
  config?: object
  flags?: string[]
  environment?: Record<string, string>
  /** Hears from time to time that they are not there yet; they are waited for as long as they live. */
  onLong?: (seconds: number) => void
}): Promise<FirebaseEmulators> {
  const { dir, only, ports, config = {}, flags = [], environment = {}, onLong = () => undefined } = options
  const [hub, logging] = [await findFreePort(), await findFreePort()]
  const emulators = Object.entries({ ...ports, hub, logging }).map(([name, port]) => [
    name,
    { host: emulatorHost, port },
  ])
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    join(dir, 'firebase.json'),
    JSON.stringify({ ...config, emulators: { ...Object.fromEntries(emulators), ui: { enabled: false } } }),
  )
  const child = spawnNode(
    [firebase, 'emulators:start', '--only', only.join(','), '--project', projectId, '--non-interactive', ...flags],
    { XDG_CONFIG_HOME: join(dir, 'config'), NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1', ...environment },
    dir,
  )
  const mark = getMark(child.pid!)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const requireReady = async () => {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    await waitOn(() => hasEnded() || output.includes('All emulators ready'), onLong)
    if (hasEnded()) throw new Error(`The Firebase emulators did not start:\n${output.trim()}`)
  }
  return {
    process: child,
    ready: requireReady(),
    getOutput: () => output,
    stop: () => stopGroup(child.pid!, mark, graceMs),
  }
}
