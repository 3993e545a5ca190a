import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const serverFile = fileURLToPath(new URL('../server.ts', import.meta.url))
const READY_SECONDS = 30

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

/** The real server in a process of its own, to be killed and started again. */
export interface ServerProcess {
  url: string
  /** SIGKILL, as a crash; resolves when the process is gone. */
  kill: () => Promise<void>
}

export async function startServerProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverFile], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      GCLOUD_PROJECT: 'demo-shop',
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
      RATE_LIMIT_ORDERS_PER_CALLER: '1000000',
      RATE_LIMIT_ORDERS_PER_ADDRESS: '1000000',
      RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS: '1000000',
      RATE_LIMIT_GUEST_ORDERS_PER_ADDRESS_AND_HOUR: '1000000',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  return {
    url,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
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
