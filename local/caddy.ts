import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { installDebianPackage } from './debian.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'

export interface CaddySites {
  storefront: string
  admin: string
  ports: { storefront: number; admin: number }
  stop(): Promise<void>
}

const READY_MS = 30_000

const isThere = () => spawnSync('caddy', ['version']).status === 0

/** Installs Caddy on Debian, where it is missing and may be. */
export function installCaddy(): void {
  if (!isThere()) installDebianPackage('caddy')
  if (!isThere()) throw new Error('No Caddy was found, so nothing is tested behind it. Install caddy.')
}

const HERE = '127.0.0.1'

/**
 * Serves both sites by deploy/Caddyfile from `folder` (storefront/ and admin/), and the API from `server` (host:port).
 * `names` are what the sites are called by, where not by this machine's address. `check` is what Caddy asks of several
 * servers.
 */
export async function startCaddy(
  folder: string,
  server: string,
  names = { storefront: HERE, admin: HERE },
  check = '',
): Promise<CaddySites> {
  const ports = { storefront: await findFreePort(), admin: await findFreePort() }
  const caddy = spawn('caddy', ['run', '--config', join(projectRoot, 'deploy/Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      ...process.env,
      CADDY_ADMIN: 'off',
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      STOREFRONT_URL: `http://${names.storefront}:${ports.storefront}`,
      ADMIN_URL: `http://${names.admin}:${ports.admin}`,
      SITES: folder,
      SERVER: server,
      CHECK: check,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  caddy.stderr.on('data', (part: Buffer) => {
    said += part.toString()
  })
  const [storefront, admin] = [`http://${HERE}:${ports.storefront}`, `http://${HERE}:${ports.admin}`]
  const end = AbortSignal.timeout(READY_MS)
  while (!(await answers(storefront))) {
    if (end.aborted || caddy.exitCode !== null) throw new Error(`Caddy did not start:\n${said}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { storefront, admin, ports, stop: () => stop(caddy) }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

async function stop(caddy: ChildProcess): Promise<void> {
  const gone = once(caddy, 'close')
  caddy.kill()
  await gone
}
