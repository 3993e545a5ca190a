import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { installCaddy } from 'local/caddy.ts'
import { projectRoot } from 'local/os-process.ts'
import { findFreePort } from 'local/ports.ts'
import { createDatabase } from 'local/postgres.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { asApplication, migrate } from '../database/migrate.ts'
import { type PreviousRelease, packPreviousRelease, whyNoPreviousRelease } from '../testing/previous-release.ts'
import { variablesOf } from '../testing/server-process.ts'
import { startTraffic } from '../testing/traffic.ts'
import { standInForSystemd, type Units } from '../testing/units.ts'

const ROUNDS = 6
const whyNot = await whyNoPreviousRelease()
const home = mkdtempSync(join(tmpdir(), 'releases-'))
let release: PreviousRelease | undefined
let units: Units | undefined

beforeAll(async () => {
  if (whyNot) return
  installCaddy()
  release = await packPreviousRelease()
})
afterAll(async () => {
  await units?.stop()
  release?.remove()
  rmSync(home, { recursive: true, force: true })
})

/** A release as deploy/release.sh makes it, around a server that was packed already. */
function addRelease(name: string, serverDir: string): void {
  const folder = join(home, 'releases', name)
  mkdirSync(join(folder, 'storefront'), { recursive: true })
  mkdirSync(join(folder, 'admin'))
  symlinkSync(serverDir, join(folder, 'server'))
  symlinkSync(process.execPath, join(folder, 'node'))
  copyFileSync(join(projectRoot, 'deploy/Caddyfile'), join(folder, 'Caddyfile'))
  writeFileSync(join(folder, 'storefront/index.html'), name)
}

test('a release takes the place of another, and gives it back, while people buy: no call fails', async context => {
  if (!release) return context.skip(whyNot ?? undefined)
  const url = await createDatabase(inject('postgresUrl'), `switched_${randomUUID().replaceAll('-', '')}`)
  await release.prepare(url)
  const ports = [await findFreePort(), await findFreePort()]
  const shop = `http://127.0.0.1:${await findFreePort()}`
  const caddy = {
    SITES: join(home, 'current/release'),
    CURRENT: join(home, 'current'),
    SERVER: '{http.vars.server}',
    FIRST_PORT: String(ports[0]),
    SECOND_PORT: String(ports[1]),
    STOREFRONT_URL: shop,
    ADMIN_URL: `http://127.0.0.1:${await findFreePort()}`,
    CADDY_ADMIN: `127.0.0.1:${await findFreePort()}`,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  }
  const systemd = await standInForSystemd(home, { shop: variablesOf(asApplication(url)), caddy })
  units = systemd
  addRelease('v1', dirname(release.serverFile))
  addRelease('v2', dirname(inject('serverFile')))
  const env = { PATH: `${systemd.bin}:${process.env.PATH}`, SHOP_HOME: home, SHOP_PORTS: ports.join(' ') }
  const switchTo = (name = '', more: Record<string, string> = {}) =>
    promisify(execFile)(join(projectRoot, 'deploy/switch.sh'), name ? [name] : [], { env: { ...env, ...more } })
  const atWork = () => readlinkSync(join(home, 'current/release'))
  const page = async () => (await fetch(shop)).text()

  await switchTo('v1')
  await expect.poll(page).toBe('v1')
  const traffic = startTraffic(shop)
  await traffic.pass(ROUNDS)
  await migrate(url)
  await switchTo('v2')
  expect([atWork(), systemd.running(), await page()]).toEqual(['../releases/v2', ['caddy', `shop@${ports[1]}`], 'v2'])
  await traffic.pass(ROUNDS)

  // The same one anew, with what changed in its variables; then the way back.
  await switchTo()
  expect([atWork(), systemd.running()]).toEqual(['../releases/v2', ['caddy', `shop@${ports[0]}`]])
  await traffic.pass(ROUNDS)
  await switchTo('v1')
  expect([atWork(), systemd.running(), await page()]).toEqual(['../releases/v1', ['caddy', `shop@${ports[1]}`], 'v1'])
  await traffic.pass(ROUNDS)

  // One that does not start, and one that is not there, change nothing.
  addRelease('broken', home)
  await expect(switchTo('broken', { SHOP_READY_SECONDS: '3' })).rejects.toThrow('was not ready')
  await expect(switchTo('v9')).rejects.toThrow("no release 'v9'")
  expect([atWork(), systemd.running()]).toEqual(['../releases/v1', ['caddy', `shop@${ports[1]}`]])
  await traffic.pass(ROUNDS)
  expect(await traffic.stop()).toEqual([])
})
