import { execFile } from 'node:child_process'
import { chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { discardPostgres, findNativeDir, type PostgresServer, startPostgres } from './postgres.ts'
import { findServerPlace, makeServerDir, type ServerPlace } from './postgres-user.ts'

const run = promisify(execFile)

/**
 * Starts a streaming replica of a running server: a copy of its files, and from then on its log. The programs at hand have
 * no pg_basebackup, so the copy is made as that makes it. `stop` also deletes the copy.
 */
export async function startReplica(
  primary: Pick<PostgresServer, 'url' | 'dataDir'>,
  options: { port: number; dataDir: string },
): Promise<PostgresServer> {
  const place = findServerPlace(findNativeDir(), options.dataDir)
  const slot = `replica_${options.port}`
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    // The slot keeps the log until the replica has it; `stop` gives it back.
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot])
    await client.query(`SELECT pg_backup_start('replica', true)`)
    rmSync(place.dataDir, { recursive: true, force: true })
    await copyData(place, primary.dataDir)
    const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)')
    const { port } = new URL(primary.url)
    const files = {
      backup_label: rows[0]!.label,
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\nprimary_slot_name = '${slot}'\n`,
    }
    for (const [name, text] of Object.entries(files)) writeServerFile(place, name, text)
  } finally {
    await client.end()
  }
  const server = await startPostgres(options)
  return {
    ...server,
    async stop() {
      await discardPostgres(options.dataDir)
      const owner = new pg.Client({ connectionString: primary.url })
      await owner.connect()
      await owner.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
        slot,
      ])
      await owner.end()
    },
  }
}

function writeServerFile({ user, dataDir }: ServerPlace, name: string, text: string): void {
  const path = join(dataDir, name)
  writeFileSync(path, text, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
}

/** Copies everything but the log and what belongs to the running server. Files that go away meanwhile are not needed. */
async function copyData(place: ServerPlace, from: string): Promise<void> {
  makeServerDir(place.user, place.dataDir)
  await run('cp', ['-a', `${from}/.`, place.dataDir], { ...place.user, cwd: '/' }).catch((error: unknown) => {
    const lines = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
    if (lines.some(line => !line.includes('No such file or directory'))) throw error
  })
  for (const name of ['postmaster.pid', 'postmaster.opts', 'server.log', 'backup_label'])
    rmSync(join(place.dataDir, name), { force: true })
  for (const folder of ['pg_wal', 'pg_replslot'])
    for (const name of readdirSync(join(place.dataDir, folder)))
      if (name !== 'archive_status' && name !== 'summaries')
        rmSync(join(place.dataDir, folder, name), { recursive: true, force: true })
}
