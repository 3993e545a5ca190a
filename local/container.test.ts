import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaddySites, installCaddy, startCaddy } from './caddy.ts'
import { read } from './house.ts'
import { listenTo, projectRoot, waitFor } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'

const run = promisify(execFile)
const START_MS = 60_000
const BUILD_DIR = '/shop'

interface Instruction {
  stage: string
  word: string
  text: string
}

/** The instructions of the Dockerfile, each with the name of its stage. */
const instructions = readDockerfile()

function readDockerfile(): Instruction[] {
  let stage = ''
  const lines = read('Dockerfile').split('\n')
  return lines
    .filter(line => /^[A-Z]/.test(line))
    .map(line => {
      const [, word, text] = /^(\w+) (.+)$/.exec(line)!
      if (word === 'FROM') stage = / AS (\w+)$/.exec(text!)![1]!
      return { stage, word: word!, text: text! }
    })
}

const textsOf = (stage: string, word: string): string[] =>
  instructions.filter(each => each.stage === stage && each.word === word).map(({ text }) => text)

/** The command of the server stage's one instruction of this kind, without the options that stand before it. */
const commandOf = (word: string): string[] => JSON.parse(/\[.*\]$/.exec(textsOf('server', word)[0]!)![0])

const EXPOSED = textsOf('server', 'EXPOSE')[0]!

const leftOut = read('.dockerignore').trim().split('\n')
/** A pattern that fits a folder also leaves out what is in it. */
const isLeftOut = (path: string): boolean =>
  path !== '.' && (leftOut.some(pattern => matchesGlob(path, pattern)) || isLeftOut(dirname(path)))

test('each COPY takes what is there: of the repository, or of what the build makes for Firebase too', () => {
  const { hosting, functions } = JSON.parse(read('firebase.json')) as {
    hosting: { target: string; public: string }[]
    functions: { source: string }[]
  }
  const copies = instructions.filter(({ word }) => word === 'COPY').map(({ text }) => text.split(' '))
  const built = copies.flatMap(([from, source, target]) => (from === '--from=build' ? [[source, target]] : []))
  expect(built).toEqual([
    [join(BUILD_DIR, functions[0]!.source), '.'],
    // Caddy serves the sites from these folders when it is told of no other.
    ...hosting.map(each => [join(BUILD_DIR, each.public), `/srv/${each.target}`]),
  ])
  expect(textsOf('build', 'WORKDIR')).toEqual([BUILD_DIR])
  const own = copies.filter(([from]) => !from!.startsWith('--')).map(([source]) => source!)
  expect(own).toContain('.')
  for (const source of own)
    expect([existsSync(join(projectRoot, source)), isLeftOut(source)], source).toEqual([true, false])
  const targets = [...read('deploy/compose.yaml').matchAll(/target: (\w+)/g)].map(([, target]) => target!)
  expect(targets).toContain('server')
  for (const target of targets) expect(textsOf(target, 'FROM')).toHaveLength(1)
})

test('secrets, installed packages and earlier builds stay out of the image; what it is built from goes in', () => {
  // What is no part of the repository is no part of an image, but for the values that the sites are built with.
  const notOurs = read('.gitignore')
    .trim()
    .split('\n')
    .filter(line => line !== 'deploy/.env')
  const examples = notOurs.map(line => line.replace(/\/$/, '').replace('*', 'x'))
  expect(examples).toContain('deploy/secrets.env')
  const deeper = examples.filter(path => !path.includes('/')).map(path => `functions/${path}/x`)
  for (const path of ['.git/config', ...examples, ...deeper]) expect(isLeftOut(path), path).toBe(true)
  const within = ['package-lock.json', 'deploy/.env', 'local/empty/package.json', 'functions/build.ts', 'firebase.json']
  expect(within.filter(isLeftOut)).toEqual([])
})

test('the server does not run as root, and owns the folder of uploads alone', () => {
  expect(textsOf('server', 'USER')).toEqual(['node'])
  expect(textsOf('server', 'RUN')).toEqual(['mkdir /files && chown node:node /files'])
  expect(read('deploy/compose.yaml')).toContain('FILES_DIR: /files')
  expect(read('deploy/Caddyfile')).toContain(`{$SERVER:server:${EXPOSED}}`)
})

const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-container`)
let folder: string
let app: string
let ownerUrl: string
beforeAll(async () => {
  installCaddy()
  folder = mkdtempSync(join(tmpdir(), 'container-'))
  app = join(folder, 'app')
  mkdirSync(dataDir, { recursive: true })
  const postgres = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
  ownerUrl = await createDatabase(postgres.url, 'shop')
  await buildApp()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await discardPostgres(dataDir)
})

/** The build stage without the sites, and the COPY of the server stage: away from everything that it was built from. */
async function buildApp(): Promise<void> {
  const dist = join(folder, 'shop/functions/dist')
  await run(process.execPath, [join(projectRoot, 'functions/build.ts'), dist])
  const [building, installing, ...more] = textsOf('build', 'RUN')
  expect([building, more]).toEqual(['npm run build', []])
  // How this machine reaches npm's packages is in its environment.
  await inside(installing!, join(folder, relative('/', BUILD_DIR)), process.env)
  renameSync(dist, app)
}

/** Nothing of the test's own environment but where programs are. */
const only = (given: Record<string, string | undefined>) => ({
  ...given,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
})

const inside = (command: string, cwd: string, given: Record<string, string | undefined>) =>
  run('sh', ['-c', command], { cwd, env: only(given) })

const configuration = () => ({
  ...Object.fromEntries(textsOf('server', 'ENV').map(text => text.split('='))),
  GCLOUD_PROJECT: 'the-shop',
  PROXIES_IN_FRONT: '1',
  STOREFRONT_URL: 'https://shop.example',
  ADMIN_URL: 'https://office.example',
  FILES_DIR: join(folder, 'files'),
  LINE_LOGIN_CHANNEL_ID: '1',
  LINE_LOGIN_CHANNEL_SECRET: 'secret',
  TOTP_KEY: 'a key of thirty-two characters..',
  PIN_KEYS: `v1:${'s'.repeat(32)}`,
})

/** What compose.yaml does before the server starts. */
async function migrate(): Promise<void> {
  const [, command] = /command: \[sh, -c, (.+)\]/.exec(read('deploy/compose.yaml'))!
  const given = { ...configuration(), DATABASE_URL: ownerUrl, SERVER_DATABASE_PASSWORD: 'a-long-enough-password' }
  await inside(command!, app, given)
}

/** A shop of one game and one picture. */
async function fillShop(): Promise<void> {
  mkdirSync(join(folder, 'files/public/games'), { recursive: true })
  writeFileSync(join(folder, 'files/public/games/a.webp'), 'a picture')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const insert = client.query(`
    INSERT INTO game (id, code, name, field_labels, position) VALUES (1, 'pubg', 'PUBG Mobile', '{ID,"","","",""}', 1);
    INSERT INTO package (id, game_id, name, position) VALUES (1, 1, '325 UC', 1);
    INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
      VALUES (1, 'bank', 14900, '2026-01-01', true);`)
  await insert.finally(() => client.end())
}

/** The exit code of the Dockerfile's own health check, for a server at this port. */
async function checkHealth(port: number): Promise<number> {
  const [program, ...args] = commandOf('HEALTHCHECK').map(word => word.replace(`:${EXPOSED}/`, `:${port}/`))
  expect(args.join(' ')).toContain(`:${port}/`)
  return run(program!, args, { env: only({}) }).then(
    () => 0,
    (error: { code: number }) => error.code,
  )
}

const running: ChildProcess[] = []
let caddy: CaddySites | undefined
afterAll(async () => {
  await caddy?.stop()
  for (const each of running) each.kill('SIGKILL')
})

test('the packed folder alone serves the shop behind Caddy, is healthy while it does, and ends well when told', async () => {
  await migrate()
  await fillShop()
  const port = await findFreePort()
  expect(await checkHealth(port)).toBe(1)

  const [program, ...args] = commandOf('CMD')
  const url = Object.assign(new URL(ownerUrl), { username: 'shop_app', password: 'a-long-enough-password' }).href
  const env = only({ ...configuration(), DATABASE_URL: url, PORT: String(port) })
  const server = spawn(program!, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(server)
  const getLog = listenTo(server)
  await waitFor(async () => server.exitCode !== null || (await checkHealth(port)) === 0, START_MS)
  expect(await checkHealth(port), getLog()).toBe(0)

  for (const site of ['storefront', 'admin']) {
    mkdirSync(join(folder, site))
    writeFileSync(join(folder, site, 'index.html'), `<p>${site}</p>`)
  }
  caddy = await startCaddy(folder, `127.0.0.1:${port}`)
  for (const origin of [caddy.storefront, caddy.admin]) {
    const games = await fetch(`${origin}/romons.game/api/games`)
    expect([games.status, await games.json()]).toMatchObject([200, [{ code: 'pubg', name: 'PUBG Mobile' }]])
    const picture = await fetch(`${origin}/files/games/a.webp`)
    expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/webp', 'a picture'])
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    expect((await fetch(`${origin}/openapi.json`)).status).toBe(200)
  }
  expect(await (await fetch(`${caddy.storefront}/terms`)).text()).toBe('<p>storefront</p>')
  expect(await (await fetch(`${caddy.admin}/management/order`)).text()).toBe('<p>admin</p>')

  const gone = once(server, 'close')
  server.kill('SIGTERM')
  expect(await gone, getLog()).toEqual([0, null])
  expect(await checkHealth(port)).toBe(1)
  expect((await fetch(`${caddy.storefront}/romons.game/api/games`)).status).toBe(502)
})
