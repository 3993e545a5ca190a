// The whole shop for the journeys: its own ports and folder, gone afterwards.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from 'local/os-process.ts'
import { findFreePort, type Ports } from 'local/ports.ts'
import { discardPostgres } from 'local/postgres.ts'
import { startStack } from 'local/stack.ts'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Ports of the running shop. */
    ports: Ports
  }
}

const localDir = join(projectRoot, '.local', 'e2e')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await discardPostgres(join(localDir, 'postgres'))
  rmSync(localDir, { recursive: true, force: true })
  mkdirSync(localDir, { recursive: true })
  const ports: Ports = {
    storefront: await findFreePort(),
    admin: await findFreePort(),
    api: await findFreePort(),
    authEmulator: await findFreePort(),
    lineEmulator: await findFreePort(),
    lineEmulatorTls: await findFreePort(),
    postgres: await findFreePort(),
    playerLookup: await findFreePort(),
    qms: await findFreePort(),
    slipProvider: await findFreePort(),
    supplier: await findFreePort(),
    mailInbox: await findFreePort(),
    smtp: await findFreePort(),
  }
  const stack = await startStack({
    ports,
    localDir,
    // Most of the time went into thousands of small files that each new browser asked for.
    built: true,
    onProgress: message => console.log(message),
    onDeath: message => console.error(message),
  })
  await stack.ready
  project.provide('ports', ports)
  return () => stack.stop()
}
