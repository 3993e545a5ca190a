import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from 'functions/src/database/database.ts'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { openServerRole } from 'functions/src/database/server-roles.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { read } from './house.ts'
import { projectRoot, waitFor } from './os-process.ts'
import { findPgbouncer, isWithoutPgbouncer } from './pooler.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'
import { findServerUser, makeServerDir } from './postgres-user.ts'

const PASSWORD = 'Rather-Long-Secret-1'
const OTHER = 'Another-Long-Secret-2'

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
      const ask = async (password: string, role = 'shop_app') => {
        Object.assign(through, { password, username: role })
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
      // rotate.md: the other role is made known to it while it works.
      const owner = openDatabase(ownerUrl, { connections: 1 })
      await openServerRole(owner, 'shop_app_b', OTHER)
      await owner.close()
      const [, script] = /shop exec -T pooler sh -c '(.+)' shop_app_b \$new$/m.exec(read('docs/operations/rotate.md'))!
      const told = moved(script!).replace('kill -HUP 1', `kill -HUP ${pooler.pid}`)
      expect(spawnSync('sh', ['-c', told, 'shop_app_b', OTHER], user).status).toBe(0)
      expect(
        await waitFor(
          () =>
            ask(OTHER, 'shop_app_b').then(
              () => true,
              () => false,
            ),
          20_000,
        ),
      ).toBe(true)
      expect(await ask(PASSWORD)).toEqual([{ name: 'shop_app' }])
      expect(await ask(OTHER, 'shop_app_b')).toEqual([{ name: 'shop_app_b' }])
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
