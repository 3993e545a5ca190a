import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectId } from './auth-emulator.ts'
import { getMark, projectRoot, stopGroup, waitFor } from './os-process.ts'
import { findFreePort } from './ports.ts'

export interface FirebaseEmulators {
  /** Origins of the two hosting sites, `http://host:port`. */
  storefront: string
  admin: string
  /** Value for FIREBASE_AUTH_EMULATOR_HOST. */
  authHost: string
  /** What the emulators have printed. */
  getOutput(): string
  stop(): Promise<void>
}

type FirebaseConfig = { functions: { source: string; predeploy?: string[] }[] } & Record<string, unknown>

const host = '127.0.0.1'
const graceMs = 8000

/**
 * Starts the functions, hosting and Auth emulators on what the builds have made. `environment` is the server's
 * configuration, handed over as production does: in a `.env` file beside the packed code. Everything is copied into
 * `dir` first, so that only what would be uploaded is there.
 */
export async function startFirebaseEmulators(options: {
  dir: string
  environment: Record<string, string>
  timeoutMs: number
}): Promise<FirebaseEmulators> {
  const ports = await choosePorts()
  prepareProject(options.dir, options.environment, ports)
  const child = launch(options.dir)
  const mark = getMark(child.pid!)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const stop = () => stopGroup(child.pid!, mark, graceMs)
  const isUp = await waitFor(() => child.exitCode !== null || output.includes('All emulators ready'), options.timeoutMs)
  if (!isUp || child.exitCode !== null) {
    await stop()
    throw new Error(`The Firebase emulators did not start:\n${output}`)
  }
  return {
    storefront: findOrigin(output, 'storefront'),
    admin: findOrigin(output, 'admin'),
    authHost: `${host}:${ports.auth}`,
    getOutput: () => output,
    stop,
  }
}

async function choosePorts() {
  const [auth, functions, hosting, hub, logging, eventarc, tasks] = await Promise.all(
    Array.from({ length: 7 }, findFreePort),
  )
  return { auth, functions, hosting, hub, logging, eventarc, tasks }
}

function prepareProject(dir: string, environment: Record<string, string>, ports: Record<string, number | undefined>) {
  const config = JSON.parse(readFileSync(join(projectRoot, 'firebase.json'), 'utf8')) as FirebaseConfig
  const copied = ['liff-app/dist', 'admin-web/dist', ...config.functions.map(each => each.source)]
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  for (const folder of copied) cpSync(join(projectRoot, folder), join(dir, folder), { recursive: true })
  cpSync(join(projectRoot, '.firebaserc'), join(dir, '.firebaserc'))
  const emulators = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { host, port }]))
  writeFileSync(
    join(dir, 'firebase.json'),
    JSON.stringify({ ...config, emulators: { ...emulators, ui: { enabled: false } } }),
  )
  // The first site takes the port, the next ones those after it.
  const served = { ...environment, STOREFRONT_URL: `http://${host}:${ports.hosting}` }
  const lines = Object.entries(served).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  for (const { source } of config.functions) writeFileSync(join(dir, source, '.env'), `${lines.join('\n')}\n`)
}

/** Run from the copy, where its logs belong, and without anybody's Google sign-in. Ends when we do. */
function launch(dir: string): ChildProcess {
  const cli = join(projectRoot, 'node_modules/firebase-tools/lib/bin/firebase.js')
  const watcher = join(import.meta.dirname, 'exit-with-parent.ts')
  const flags = ['--only', 'functions,hosting,auth', '--project', projectId, '--non-interactive']
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', watcher, cli, 'emulators:start', ...flags],
    {
      cwd: dir,
      env: { ...process.env, XDG_CONFIG_HOME: join(dir, 'config'), NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    },
  )
}

function findOrigin(output: string, target: string): string {
  const origin = new RegExp(`hosting\\[[^\\]]*${target}\\]: Local server: (http://\\S+)`).exec(output)?.[1]
  if (!origin) throw new Error(`The hosting emulator serves no "${target}":\n${output}`)
  return origin
}
