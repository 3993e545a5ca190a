// Vitest's global setup for tests against a real PostgreSQL: each project of a run gets a server with a migrated template.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
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

const parentDir = join(projectRoot, '.local', 'test-postgres')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await discardLeftovers()
  const dataDir = join(parentDir, `${process.pid}-${project.name}`)
  mkdirSync(dataDir, { recursive: true })
  const server = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
  const templateUrl = await createDatabase(server.url, 'shop_template')
  await migrate(templateUrl)
  project.provide('postgresUrl', templateUrl)
  return () => discardPostgres(dataDir)
}

/** Deletes what killed runs left behind. The name of a folder begins with the process id of its run. */
async function discardLeftovers(): Promise<void> {
  const names = existsSync(parentDir) ? readdirSync(parentDir) : []
  for (const name of names) {
    const [, pid] = /^(\d+)(-|$)/.exec(name) ?? []
    if (pid && getMark(Number(pid)) === undefined) await discardPostgres(join(parentDir, name))
  }
}
