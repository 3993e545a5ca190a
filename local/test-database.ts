// Vitest's global setup for tests against a real PostgreSQL: each project of a run gets a server with a migrated template.
import { existsSync, mkdirSync, readdirSync, statfsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { migrate } from 'functions/src/database/migrate.ts'
import type { TestProject } from 'vitest/node'
import { getMark, projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated, empty template: copy it for each test file, never write to it. */
    postgresUrl: string
  }
}

const ON_DISK = join(projectRoot, '.local', 'test-postgres')
/** Each copy of the template is a thousand small files, for which some disks need a fifth of a second and memory a fiftieth. */
const IN_MEMORY = join('/dev/shm', `topup-shop-tests-${userInfo().uid}`)
/** Far more than the databases need that are there at one moment. */
const ROOM_BYTES = 4 * 1024 ** 3

function findParentDir(): string {
  if (!existsSync('/dev/shm')) return ON_DISK
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : ON_DISK
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await discardLeftovers()
  const dataDir = join(findParentDir(), `${process.pid}-${project.name}`)
  mkdirSync(dataDir, { recursive: true })
  const server = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
  const templateUrl = await createDatabase(server.url, 'shop_template')
  await migrate(templateUrl)
  project.provide('postgresUrl', templateUrl)
  return () => discardPostgres(dataDir)
}

/** Deletes what killed runs left behind. The name of a folder begins with the process id of its run. */
async function discardLeftovers(): Promise<void> {
  for (const parentDir of [ON_DISK, IN_MEMORY].filter(existsSync))
    for (const name of readdirSync(parentDir)) {
      const [, pid] = /^(\d+)(-|$)/.exec(name) ?? []
      if (pid && getMark(Number(pid)) === undefined) await discardPostgres(join(parentDir, name))
    }
}
