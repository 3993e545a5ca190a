import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from 'local/ports.ts'
import { discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import pg from 'pg'

/** A server that archives what it writes, so that its base copy can be rolled forward to any moment. */
export interface ArchivedPostgres {
  url: string
  /** Copies the data while the server works, as pg_basebackup does. */
  copyBase(): Promise<void>
  /** Sees to it that all that was written until now is in the archive. */
  archiveAll(): Promise<void>
  /** Stops the server and deletes its data. The archive and the copy stay. */
  destroy(): Promise<void>
  /** Starts another server from the base copy, rolled forward to a moment of the first one's clock. */
  restoreTo(moment: string): Promise<PostgresServer>
  /** Removes everything. */
  stop(): Promise<void>
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'shop-restore-'))
  // The server's user is another one than root.
  chmodSync(dir, 0o777)
  const [archive, base] = [join(dir, 'archive'), join(dir, 'base')]
  execFileSync('mkdir', ['-m', '777', archive])
  const settings = ['archive_mode=on', `archive_command='cp %p ${archive}/%f'`]
  const server = await startPostgres({
    port: await findFreePort(),
    dataDir: join(dir, 'first'),
    durable: false,
    settings,
  })
  const started = [server]

  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  return {
    url: server.url,
    copyBase: () =>
      withClient(async client => {
        await client.query(`SELECT pg_backup_start('drill', true)`)
        execFileSync('cp', ['-a', server.dataDir, base])
        const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(true)')
        rmSync(join(base, 'postmaster.pid'), { force: true })
        // What was in its log comes from the archive.
        execFileSync('find', [join(base, 'pg_wal'), '-type', 'f', '-delete'])
        writeFileSync(join(base, 'backup_label'), rows[0]!.labelfile)
      }),
    archiveAll: () =>
      withClient(async client => {
        const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file')
        for (;;) {
          const done = await client.query('SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1', [rows[0]!.file])
          if (done.rowCount) return
        }
      }),
    async destroy() {
      await server.stop()
      await discardPostgres(join(dir, 'first'))
    },
    async restoreTo(moment) {
      const recovery = [
        `restore_command = 'cp ${archive}/%f "%p"'`,
        `recovery_target_time = '${moment}'`,
        `recovery_target_action = 'promote'`,
      ]
      writeFileSync(join(base, 'postgresql.auto.conf'), `${recovery.join('\n')}\n`)
      writeFileSync(join(base, 'recovery.signal'), '')
      execFileSync('chown', ['-R', `--reference=${base}`, base])
      const restored = await startPostgres({ port: await findFreePort(), dataDir: base, durable: false })
      started.push(restored)
      return restored
    },
    async stop() {
      for (const each of started) await each.stop()
      for (const each of ['first', 'base']) await discardPostgres(join(dir, each))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
