import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchSite } from './site.ts'

export interface Transactions {
  perSecond: number
  /** Processor time that PostgreSQL spent on each; NaN where the system does not tell. */
  databaseMs: number
}

interface Options {
  site: Pick<BenchSite, 'databaseUrl' | 'getDatabaseMs'>
  clients: number
  seconds: number
  script: string
}

const run = promisify(execFile)

/** JSON for a script: pgbench takes `:name` for a variable, in a string too. */
export const pgbenchJson = (value: object): string => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')

/** How often per second a pgbench script runs through; null where pgbench is not installed. */
export async function measureTransactions(options: Options): Promise<Transactions | null> {
  if (spawnSync('pgbench', ['--version']).status !== 0) return null
  const { site, seconds } = options
  const beforeMs = site.getDatabaseMs()
  const count = await runPgbench(options)
  return { perSecond: count / seconds, databaseMs: (site.getDatabaseMs() - beforeMs) / count }
}

async function runPgbench({ site, clients, seconds, script }: Options): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    const file = join(dir, 'script.sql')
    writeFileSync(file, script)
    const flags = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', file]
    const { stdout } = await run('pgbench', [...flags, site.databaseUrl])
    const count = Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1])
    if (!count) throw new Error(`pgbench said nothing of its transactions:\n${stdout}`)
    return count
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
