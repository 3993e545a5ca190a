import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEPLOY_PARAMS } from 'functions/src/config/deploy-params.ts'
import { emulatorHost, type FirebaseEmulators, startEmulators } from './firebase-emulators.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'

export interface PackedSite extends Pick<FirebaseEmulators, 'getOutput' | 'stop'> {
  /** Origins of the two hosting sites, `http://host:port`. */
  storefront: string
  admin: string
  /** Value for FIREBASE_AUTH_EMULATOR_HOST. */
  authHost: string
}

type FirebaseConfig = { functions: { source: string }[] } & Record<string, unknown>

/**
 * Starts the functions, hosting and Auth emulators on what the builds have made. The server's configuration is handed
 * over as in production: `environment` in deploy/.env, `secrets` in the one secret. Everything is copied into `dir`
 * first, so that only what would be uploaded is there.
 */
export async function startPackedSite(
  dir: string,
  environment: Record<string, string>,
  secrets: Record<string, string>,
): Promise<PackedSite> {
  const config = JSON.parse(readFileSync(join(projectRoot, 'firebase.json'), 'utf8')) as FirebaseConfig
  const ports = {
    functions: await findFreePort(),
    hosting: await findFreePort(),
    auth: await findFreePort(),
    eventarc: await findFreePort(),
    tasks: await findFreePort(),
  }
  copyProject(dir, config)
  // The first site takes the port, the next ones those after it.
  const served = { ...deployParams, ...environment, STOREFRONT_URL: `http://${emulatorHost}:${ports.hosting}` }
  mkdirSync(join(dir, 'deploy'))
  writeFileSync(join(dir, 'deploy', '.env'), envFile(served))
  for (const { source } of config.functions)
    writeFileSync(join(dir, source, '.secret.local'), envFile({ SHOP_SECRETS: envFile(secrets) }))
  const emulators = await startEmulators({ dir, only: ['functions', 'hosting', 'auth'], ports, config })
  try {
    await emulators.ready
    return {
      storefront: findOrigin(emulators.getOutput(), 'storefront'),
      admin: findOrigin(emulators.getOutput(), 'admin'),
      authHost: `${emulatorHost}:${ports.auth}`,
      getOutput: emulators.getOutput,
      stop: emulators.stop,
    }
  } catch (error) {
    await emulators.stop()
    throw error
  }
}

/** Firebase's tools ask for those that are not written. */
const deployParams = Object.fromEntries(
  Object.entries(DEPLOY_PARAMS).map(([name, { default: standard }]) => [name, String(standard)]),
)

/** Quoted as JSON: `\n` within quotes is a new line there, too. */
const envFile = (variables: Record<string, string>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('')

function copyProject(dir: string, { functions }: FirebaseConfig): void {
  const copied = ['liff-app/dist', 'admin-web/dist', ...functions.map(each => each.source)]
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  for (const folder of copied) cpSync(join(projectRoot, folder), join(dir, folder), { recursive: true })
  cpSync(join(projectRoot, '.firebaserc'), join(dir, '.firebaserc'))
}

function findOrigin(output: string, target: string): string {
  const origin = new RegExp(`hosting\\[[^\\]]*${target}\\]: Local server: (http://\\S+)`).exec(output)?.[1]
  if (!origin) throw new Error(`The hosting emulator serves no "${target}":\n${output}`)
  return origin
}
