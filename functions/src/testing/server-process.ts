import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from 'local/ports.ts'
import { inject } from 'vitest'
import { UNLIMITED } from './shop.ts'

/** Far above what it takes: a busy machine starts several at once. */
const READY_SECONDS = 150

/** The packed server in a process of its own, to be stopped or killed and started again. */
export interface ServerProcess {
  url: string
  /** What it has written to its log. */
  output: () => string
  /** SIGTERM, as a platform stops it; resolves with the exit code. */
  stop: () => Promise<number | null>
  /** SIGKILL, as a crash; resolves when the process is gone. */
  kill: () => Promise<void>
}

/** What a server of tests is told. */
export const variablesOf = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  GCLOUD_PROJECT: 'demo-shop',
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  ...UNLIMITED,
})

export async function startServerProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
  serverFile = inject('serverFile'),
): Promise<ServerProcess> {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverFile], {
    env: { ...process.env, ...variablesOf(databaseUrl), PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const url = `http://127.0.0.1:${port}`
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = once(child, 'close')
    child.kill(signal)
    await gone
    return child.exitCode
  }
  await waitUntilReady(url, child).catch((error: Error) => {
    throw new Error(`${error.message}:\n${output}`)
  })
  return { url, output: () => output, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_SECONDS * 1000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    const ready = await fetch(`${url}/healthz`).then(
      reply => reply.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`the server was not ready after ${READY_SECONDS} s`)
}
