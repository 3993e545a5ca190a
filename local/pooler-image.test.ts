import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { read } from './house.ts'
import { projectRoot, waitFor } from './os-process.ts'
import { findPgbouncer, isWithoutPgbouncer } from './pooler.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'
import { findServerUser, makeServerDir } from './postgres-user.ts'

const PASSWORD = 'Rather-Long-Secret-1'

/** The command of the Dockerfile's last instruction in the stage of the pooler. */
function commandOf(dockerfile: string): string[] {
  const stage = dockerfile.split(/^FROM /m).find(text => / AS pooler\n/.test(text))
  return JSON.parse(/^CMD (.*)$/m.exec(stage ?? '')![1]!) as string[]
}

test.skipIf(isWithoutPgbouncer())(
  "the container's pooler lets the server in by its password, and nobody else",
  async () => {
    const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-pooler`)
    mkdirSync(dataDir, { recursive: true })
    const { url } = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
    const dir = mkdtempSync(join(tmpdir(), 'pooler-image-'))
    const user = findServerUser(dir)
    makeServerDir(user, dir)
    const port = await findFreePort()
    const users = join(dir, 'users.txt')
    const moved = (text: string) =>
      text
        .replaceAll('/tmp/users.txt', users)
        .replaceAll('/etc/pgbouncer/pgbouncer.ini', join(dir, 'pgbouncer.ini'))
        .replace('exec pgbouncer', `exec ${findPgbouncer()}`)
        .replace('listen_port = 6432', `listen_port = ${port}`)
        .replace('host=postgres port=5432', `host=127.0.0.1 port=${new URL(url).port}`)
    writeFileSync(join(dir, 'pgbouncer.ini'), moved(read('deploy/pgbouncer.ini')))
    const [program, ...args] = commandOf(read('Dockerfile')).map(moved)
    const pooler = spawn(program!, args, {
      ...user,
      cwd: '/',
      env: { PATH: process.env.PATH, SERVER_DATABASE_PASSWORD: PASSWORD },
      stdio: 'ignore',
    })
    try {
      const ownerUrl = await createDatabase(url, 'shop')
      await migrate(ownerUrl, { serverPassword: PASSWORD })
      const through = new URL(asApplication(ownerUrl))
      through.port = String(port)
      const ask = async (password: string) => {
        through.password = password
        const client = new pg.Client({ connectionString: through.href })
        await client.connect()
        try {
          return (await client.query<{ name: string }>('SELECT current_user AS name')).rows
        } finally {
          await client.end()
        }
      }
      expect(
        await waitFor(
          () =>
            ask(PASSWORD).then(
              () => true,
              () => false,
            ),
          20_000,
        ),
      ).toBe(true)
      expect(await ask(PASSWORD)).toEqual([{ name: 'shop_app' }])
      await expect(ask('something else')).rejects.toThrow(/password authentication failed|SASL/)
    } finally {
      const gone = once(pooler, 'exit')
      pooler.kill('SIGKILL')
      await gone
      await discardPostgres(dataDir)
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
