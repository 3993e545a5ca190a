import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Page } from 'playwright-core'
import { installChromium } from '../../chromium.ts'
import { projectRoot, waitFor } from '../../os-process.ts'
import { createCertificate } from '../../x509.ts'
import { fillIn } from '../checkout.ts'
import { names, project, told, toldSecrets } from '../cloud.ts'
import { countSteps, endWith } from '../steps.ts'
import {
  deliver,
  fillShop,
  openWalker,
  order,
  reportPaid,
  seeDelivered,
  signIn,
  takeMoney,
  type Walker,
} from '../walk.ts'
import { ADDRESS, installDebian, type Machine, makeNetwork, startMachine } from './machine.ts'
import { bucket, type Outside, openOutside, PORTS, pingUrl, readVersion, repository } from './outside.ts'
import { readAsked, readBlocks, write } from './page.ts'

const dir = join(projectRoot, '.local', 'one-machine')
const owner = { email: 'owner@kram.example', password: 'a long secret of the owner' }
const version = readVersion()
const SOURCE = '/srv/shop/source'
/** What the machine's log says beside answered calls. */
const LAST_WORDS = `journalctl --no-pager -n 400 | grep -v '"severity":"INFO"' | tail -n 40`
const SILENT_MS = 2000
const ARCHIVED_MS = 30_000

/** What a person writes in place of the page's <words>. */
const words: Record<string, string> = {
  'the address of this repository': repository,
  'the newest version of CHANGELOG.md, e.g. v1.3.0': version,
  'their address': owner.email,
}

/** What a person fills in by hand in step 4: what Google, LINE, the bucket's company and the watcher told them. */
const byHand: Record<string, Record<string, string>> = {
  'deploy/.env': told,
  'deploy/secrets.env': toldSecrets,
  'deploy/backup.env': {
    BACKUP_S3_ENDPOINT: bucket.endpoint,
    BACKUP_S3_REGION: bucket.region,
    BACKUP_S3_BUCKET: bucket.name,
    BACKUP_S3_KEY: bucket.key,
    BACKUP_S3_SECRET: bucket.secret,
    BACKUP_PING_URL: pingUrl,
  },
}
const FILES = [...Object.keys(byHand), 'deploy/database.env']

/** All in which the walk differs from somebody's own. What stands in for Google, LINE and the bucket is outside. */
const elsewhere: Record<string, string> = {
  'gcloud config set project': 'the account and its key file are made by the stand-in for Google',
}
const DIFFERENCES = [
  'Names lead to stand-ins by /etc/hosts, and their authority is trusted: by Node, too, through NODE_EXTRA_CA_CERTS.',
  "nodejs.org's archive is made of the Node and npm that run here.",
  "Let's Encrypt is not asked: both certificates lie where Caddy keeps them.",
  'Swap can not be had in a machine of this kind, and the block goes on without.',
  'The memory that units may use is not bounded, where this machine has no cgroups of the second kind for it.',
]

const steps = countSteps()
const undo: (() => Promise<void>)[] = []
let walker: Walker | undefined
let machine: Machine | undefined

/** Of a run that failed. */
async function tell(): Promise<void> {
  for (const complaint of walker?.complaints ?? []) console.log(complaint)
  await walker?.shoot(join(dir, 'failed'))
  console.log(await machine?.run(LAST_WORDS).catch(String))
}
await endWith({ steps, undo, tell }, rehearse)

async function rehearse(): Promise<void> {
  process.env.CHROMIUM_PATH = installChromium()
  await steps.take('an empty Debian is at hand', () => installDebian(dir))
  makeNetwork(undo)
  const outside = await steps.take('Google, LINE, a bucket and the packages answer', () =>
    openOutside(dir, version, undo),
  )
  const shop = await steps.take('the machine starts', () =>
    startMachine(dir, outside.internet.authority, outside.names, undo),
  )
  machine = shop
  for (const difference of DIFFERENCES) console.log(`  unlike yours: ${difference}`)
  const blocks = readBlocks()
  const wayBack = blocks.findIndex(({ section }) => section.startsWith('Backups'))
  bringKey(shop, outside)
  for (const { commands } of blocks.slice(0, wayBack)) await follow(shop, outside, commands)
  await steps.take('nobody outside reaches the database or the server past Caddy', requireClosed)
  await steps.take('the bucket has a full copy, and the watcher was called', () => requireSaved(shop, outside))
  walker = await openWalker(outside)
  undo.push(walker.stop)
  const admin = await walker.open()
  await steps.take('the first admin signs in', () => signIn(admin, owner.email, owner.password))
  await steps.take('an account, a game, a package and its price are added', () => fillShop(admin))
  const guest = await walker.open()
  await buy(guest, admin)
  const later = await walker.open()
  await restore(shop, outside, blocks.slice(wayBack), later)
  await steps.take('the order is there', async () => {
    await guest.reload()
    await guest.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
  })
  await buy(await walker.open(), admin)
}

/** As the page says of what Google's console made. */
function bringKey(shop: Machine, { google }: Outside): void {
  writeFileSync(shop.path('/root/service-account.json'), google.keyFile)
}

async function follow(shop: Machine, outside: Outside, commands: string): Promise<void> {
  const [beginning] = commands.split('\n').slice(1)
  const why = Object.entries(elsewhere).find(([words]) => beginning?.startsWith(words))?.[1]
  if (why) return console.log(`  unlike yours: ${why}`)
  const name = commands.trim().replaceAll(/\n/g, '; ').slice(0, 100)
  const said = await steps.take(name, () => shop.type(write(commands, words)))
  if (commands.includes('apt-get install -y caddy')) await keepCertificates(shop, outside)
  if (commands.includes('BACKUP_PASSPHRASE=')) await steps.take('what is asked for is filled in', () => fillAll(shop))
  const code = /[?&]oobCode=([\w-]+)/.exec(said)?.[1]
  if (code) await steps.take('the first admin sets a password', () => setPassword(outside, code))
  if (/ doctor$|backup.sh info$/m.test(commands)) console.log(said)
}

/** Where Caddy would have put what it fetched. */
async function keepCertificates(shop: Machine, { internet }: Outside): Promise<void> {
  const home = '/var/lib/caddy/.local/share/caddy/certificates/acme-v02.api.letsencrypt.org-directory'
  for (const name of [names.storefront, names.admin]) {
    const { key, cert } = createCertificate(name, [name], internet.signer)
    const folder = shop.path(join(home, name))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.key`), key)
    writeFileSync(join(folder, `${name}.crt`), cert + internet.authority)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ sans: [name], issuer_data: {} }))
  }
  await shop.run('chown -R caddy: /var/lib/caddy')
}

/** What the page's table asks for and nothing else; afterwards nothing may be open. */
function fillAll(shop: Machine): void {
  const asked = readAsked()
  for (const [file, values] of Object.entries(byHand)) {
    if (asked[file]?.toSorted().join() !== Object.keys(values).toSorted().join())
      throw new Error(`Of ${file} the page asks for ${asked[file]}, and it needs ${Object.keys(values)}.`)
    fillIn(shop.path(join(SOURCE, file)), values)
  }
  for (const file of FILES) {
    const set = parseEnv(readFileSync(shop.path(join(SOURCE, file)), 'utf8'))
    const open = Object.keys(set).filter(name => !set[name])
    if (open.length > 0) throw new Error(`${file}: the page says of nobody who sets ${open.join(', ')}.`)
  }
}

/** What Firebase's own page does, to which the printed address leads. */
async function setPassword({ google }: Outside, oobCode: string): Promise<void> {
  const url = `https://identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=${project.apiKey}`
  const body = JSON.stringify({ oobCode, newPassword: owner.password })
  const headers = { 'content-type': 'application/json' }
  const reply = await google.toolkit.fetch(new Request(url, { method: 'POST', headers, body }))
  if (!reply.ok) throw new Error(await reply.text())
}

async function requireClosed(): Promise<void> {
  const reaches = (port: number) =>
    new Promise<boolean>(resolve => {
      const socket = connect({ host: ADDRESS, port, timeout: SILENT_MS })
      const end = (isOpen: boolean) => {
        socket.destroy()
        resolve(isOpen)
      }
      socket
        .once('connect', () => end(true))
        .once('error', () => end(false))
        .once('timeout', () => end(false))
    })
  const open = await Promise.all(PORTS.map(async port => [port, await reaches(port)] as const))
  const found = open.filter(([, isOpen]) => isOpen).map(([port]) => port)
  if (found.join() !== '443') throw new Error(`From outside are reached: ${found.join(', ') || 'none'}`)
}

async function requireSaved(shop: Machine, outside: Outside): Promise<void> {
  const said = await shop.run(`${SOURCE}/deploy/backup.sh info`)
  if (!/full backup: [\s\S]+ shop /.test(said)) throw new Error(said)
  if (outside.pings() === 0) throw new Error('The watcher of backups was not called.')
}

/** A guest buys, staff see the money and deliver. */
async function buy(guest: Page, admin: Page): Promise<void> {
  await steps.take('a guest orders', async () => {
    await guest.goto(`https://${names.storefront}/game/neon-quest`)
    await order(guest)
  })
  const orderNo = await steps.take('says that it is paid', () => reportPaid(guest))
  await steps.take('staff find the money', () => takeMoney(admin, orderNo))
  await steps.take('the order is delivered', () => deliver(admin, orderNo))
  await steps.take("and the guest's page says so", () => seeDelivered(guest))
}

/** The way back to a moment; what was ordered after it is gone, and the shop trades once somebody says go. */
async function restore(
  shop: Machine,
  outside: Outside,
  blocks: ReturnType<typeof readBlocks>,
  later: Page,
): Promise<void> {
  const ask = (query: string) => shop.run(`su postgres -c "psql -qAtd shop -c '${query}'"`)
  const moment = (await ask('SELECT now()')).trim()
  words['the moment, e.g. 2026-11-23 22:47:53+07'] = moment
  const before = await ask('SELECT count(*) FROM orders')
  await delay(SILENT_MS)
  await later.goto(`https://${names.storefront}/game/neon-quest`)
  await steps.take('another guest orders after the moment', () => order(later))
  for (const { commands } of blocks) await follow(shop, outside, commands)
  await steps.take('the server answers again, in safe mode', async () => {
    const isReady = () =>
      shop.run('curl -fsS http://127.0.0.1:$(readlink /srv/shop/current)/ready').then(
        () => true,
        () => false,
      )
    if (!(await waitFor(isReady, ARCHIVED_MS))) throw new Error('It is not ready.')
    // It ends with a fault while the mode is on.
    const said = await shop.run(`${SOURCE}/deploy/ops.sh safe-mode || true`)
    if (!said.includes('Safe mode is on')) throw new Error(said)
  })
  await steps.take('what came after the moment is gone, and nothing else', async () => {
    const now = await ask('SELECT count(*) FROM orders')
    if (now !== before) throw new Error(`${before.trim()} orders before, ${now.trim()} now`)
  })
  await steps.take('the shop trades again', async () => {
    const ops = `${SOURCE}/deploy/ops.sh`
    await shop.run(`${ops} after-restore\n${ops} after-restore --go --by 'the owner'\n${ops} ledger-check`)
    const said = await shop.run(`${ops} safe-mode`)
    if (!said.includes('Safe mode is off')) throw new Error(said)
  })
}
