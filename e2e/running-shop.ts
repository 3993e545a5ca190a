// Whole shops for the journeys: one for each worker, with its own ports and folder, gone afterwards.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from 'local/os-process.ts'
import { findFreePorts, type Ports } from 'local/ports.ts'
import { discardPostgres } from 'local/postgres.ts'
import { buildSites, copySites } from 'local/sites.ts'
import { type Stack, startStack } from 'local/stack.ts'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Ports of the running shops: that of worker 1, then that of worker 2. */
    shops: Ports[]
  }
}

const localDir = join(projectRoot, '.local', 'e2e')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Math.min(project.vitest.config.maxWorkers, project.vitest.state.getPaths().length)
  const shops = Array.from({ length: workers }, (_, index) => index + 1)
  for (const shop of shops) await discardPostgres(join(localDir, `${shop}`, 'postgres'))
  rmSync(localDir, { recursive: true, force: true })
  const stacks: Stack[] = []
  const ports: Ports[] = []
  for (const _ of shops) ports.push(await findFreePorts())
  // From their sources each new browser would ask for thousands of small files.
  const first = buildSites(join(localDir, 'sites'), ports[0]!)
  for (const [index, own] of ports.entries()) {
    const folder = join(localDir, `${shops[index]}`)
    const built = first.then(sites => copySites(sites, ports[0]!, join(folder, 'sites'), own))
    stacks.push(await startShop(`${shops[index]}`, folder, own, built))
  }
  await Promise.all(stacks.map(({ ready }) => ready))
  project.provide('shops', ports)
  return async () => {
    await Promise.all(stacks.map(stack => stack.stop()))
  }
}

function startShop(shop: string, folder: string, ports: Ports, built: Promise<string>): Promise<Stack> {
  mkdirSync(folder, { recursive: true })
  return startStack({
    ports,
    localDir: folder,
    built,
    forgets: true,
    onProgress: message => console.log(`Shop ${shop}: ${message}`),
    onDeath: message => console.error(`Shop ${shop}: ${message}`),
  })
}
