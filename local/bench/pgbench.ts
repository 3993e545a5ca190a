import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { BenchSite } from './site.ts'

export interface Transactions {
  perSecond: number
  /** Processor time that PostgreSQL spent on each; NaN where the system does not tell. */
  databaseMs: number
  tool: string
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

/** How often per second a pgbench script runs through; without pgbench the same statements are sent from here. */
export async function measureTransactions(options: Options): Promise<Transactions> {
  const isInstalled = spawnSync('pgbench', ['--version']).status === 0
  const { site, seconds } = options
  const beforeMs = site.getDatabaseMs()
  const count = await (isInstalled ? runPgbench(options) : runLoop(options))
  return {
    perSecond: count / seconds,
    databaseMs: (site.getDatabaseMs() - beforeMs) / count,
    tool: isInstalled ? '' : '(pgbench is not installed: the same statements sent by Node)',
  }
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

interface Step {
  name: string
  text: string
  variables: string[]
}

/** Knows as much of pgbench's language as our scripts use: `\set name random(from, to)` and one statement per line. */
async function runLoop({ site, clients, seconds, script }: Options): Promise<number> {
  const lines = script.split('\n').filter(Boolean)
  const ranges = lines.flatMap(line => {
    const [, name, from, to] = /^\\set (\w+) random\((\d+), (\d+)\)$/.exec(line) ?? []
    return name ? [{ name, from: Number(from), to: Number(to) }] : []
  })
  const steps = lines.filter(line => !line.startsWith('\\')).map((line, index) => parseStep(line, `step_${index}`))
  const end = performance.now() + seconds * 1000
  let done = 0
  const client = async () => {
    const connection = new pg.Client({ connectionString: site.databaseUrl })
    await connection.connect()
    while (performance.now() < end) {
      const values = new Map(
        ranges.map(({ name, from, to }) => [name, from + Math.floor(Math.random() * (to - from + 1))]),
      )
      for (const { name, text, variables } of steps) {
        await connection.query({ name, text, values: variables.map(variable => values.get(variable)) })
      }
      done++
    }
    await connection.end()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done
}

function parseStep(line: string, name: string): Step {
  const variables: string[] = []
  const text = line.replace(/(?<!:):(\w+)/g, (_, variable: string) => {
    variables.push(variable)
    return `$${variables.length}::bigint`
  })
  return { name, text, variables }
}
