// Whole shops for the journeys: one for each worker, with its own ports and folder, gone afterwards.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from 'local/os-process.ts'
import { findFreePorts, type Ports } from 'local/ports.ts'
import { discardPostgres } from 'local/postgres.ts'
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
  for (const shop of shops) {
    const own = await findFreePorts()
    ports.push(own)
    stacks.push(await startShop(`${shop}`, own))
  }
  await Promise.all(stacks.map(({ ready }) => ready))
  project.provide('shops', ports)
  return async () => {
    await Promise.all(stacks.map(stack => stack.stop()))
  }
}

function startShop(shop: string, ports: Ports): Promise<Stack> {
  const folder = join(localDir, shop)
  mkdirSync(folder, { recursive: true })
  return startStack({
    ports,
    localDir: folder,
    // Most of the time went into thousands of small files that each new browser asked for.
    built: true,
    onProgress: message => console.log(`Shop ${shop}: ${message}`),
    onDeath: message => console.error(`Shop ${shop}: ${message}`),
  })
}
