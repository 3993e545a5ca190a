// What `firebase deploy` makes of the built folder: functions at their own names, and two sites in front of them.
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { installCaddy, startCaddy } from '../caddy.ts'
import { getMark, listenTo, spawnNode, stopGroup, waitFor } from '../os-process.ts'
import { findFreePort } from '../ports.ts'
import { type Cloud, names, project } from './cloud.ts'
import { ANSWERING } from './functions-log.ts'
import { createSite, passOn, type SiteConfig } from './hosting.ts'

export interface Deployment {
  /** What the functions have logged. */
  getLog(): string
  stop(): Promise<void>
}

const START_MS = 120_000
const STOP_MS = 5000

/** Makes the names of the shop answer, so that what starts from now on finds them. */
export async function nameShop({ internet }: Cloud, shopDir: string): Promise<number> {
  const port = await findFreePort()
  const { hosting } = JSON.parse(readFileSync(join(shopDir, 'firebase.json'), 'utf8')) as { hosting: SiteConfig[] }
  for (const site of hosting) {
    const name = { storefront: names.storefront, admin: names.admin }[site.target]
    if (!name) throw new Error(`firebase.json has a site that nobody rehearses: ${site.target}`)
    internet.answer(createSite(site, shopDir, port), name)
  }
  internet.answer((request, response) => passOn(request, response, { port, path: request.url ?? '/' }), names.functions)
  return port
}

/**
 * What deploy.md says of one machine: the packed server as a program, and Caddy in front of it. From now on the shop's
 * names lead there.
 */
export async function startOneMachine(cloud: Cloud, shopDir: string): Promise<Deployment> {
  const folder = join(shopDir, '../caddy')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  symlinkSync(join(shopDir, 'liff-app/dist'), join(folder, 'storefront'))
  symlinkSync(join(shopDir, 'admin-web/dist'), join(folder, 'admin'))
  installCaddy()
  const port = await findFreePort()
  const caddy = await startCaddy(folder, `127.0.0.1:${port}`, names)
  for (const site of ['storefront', 'admin'] as const)
    cloud.internet.answer(
      (request, response) => passOn(request, response, { port: caddy.ports[site], path: request.url ?? '/' }),
      names[site],
    )
  const read = (file: string) => parseEnv(readFileSync(join(shopDir, 'deploy', file), 'utf8'))
  const given = { ...read('.env'), ...read('secrets.env'), ...cloud.environment }
  const server = spawnNode(
    ['server.js'],
    { ...given, NODE_ENV: 'production', PORT: String(port), FIREBASE_AUTH_EMULATOR_HOST: undefined },
    join(shopDir, 'functions/dist'),
  )
  return supervise(server, 'API listening', caddy.stop)
}

/** Starts the packed functions with the variables and the secret of deploy/, in production and without an emulator. */
export async function startFunctions(cloud: Cloud, shopDir: string, port: number): Promise<Deployment> {
  const read = (file: string) => readFileSync(join(shopDir, 'deploy', file), 'utf8')
  const child = spawnNode(
    [join(import.meta.dirname, 'functions-host.ts'), join(shopDir, 'functions/dist'), String(port)],
    {
      ...parseEnv(read('.env')),
      SHOP_SECRETS: read('secrets.env'),
      ...cloud.environment,
      // The platform's own words.
      NODE_ENV: 'production',
      GCLOUD_PROJECT: project.projectId,
      K_SERVICE: 'api',
      FUNCTION_TARGET: 'api',
      FIREBASE_AUTH_EMULATOR_HOST: undefined,
    },
    shopDir,
  )
  return supervise(child, ANSWERING)
}

/** Waits until a program says that it is up. Whatever stands in front of it ends first. */
async function supervise(child: ChildProcess, word: string, stopFront?: () => Promise<void>): Promise<Deployment> {
  const mark = getMark(child.pid!)
  const getLog = listenTo(child)
  const stop = async () => {
    await stopFront?.()
    await stopGroup(child.pid!, mark, STOP_MS)
  }
  const isUp = await waitFor(() => child.exitCode !== null || getLog().includes(word), START_MS)
  if (isUp && child.exitCode === null) return { getLog, stop }
  await stop()
  throw new Error(`The packed server did not start:\n${getLog()}`)
}
