// Who is outside of the machine: Google and LINE as in every rehearsal, the packages of Debian and npm, the repository, the
// bucket, and the watcher of backups. Each is found at its own name; of any other name the machine does not know where it is.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { request as askPlainly, type RequestListener } from 'node:http'
import { request as askSecurely } from 'node:https'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { passOn } from '../../listen.ts'
import { projectRoot } from '../../os-process.ts'
import { startS3 } from '../../s3.ts'
import { createAuthority, createCertificate } from '../../x509.ts'
import { copyRepository } from '../checkout.ts'
import { enterInternet, names, openWorld, type World } from '../cloud.ts'
import { ADDRESS, OUTSIDE } from './machine.ts'

const places = { code: 'code.example', bucket: 's3.bucket.example', watcher: 'watcher.example' }
export const repository = `https://${places.code}/shop`
export const pingUrl = `https://${places.watcher}/ping`
export const bucket = {
  endpoint: places.bucket,
  region: 'here',
  name: 'shop-backups',
  key: 'a-key',
  secret: 'a-secret',
}

/** Where something answers on the machine: Caddy, and what only the machine itself may reach. */
export const PORTS = [443, 5432, 8787, 8788, 2019]

export interface Outside extends World {
  /** All names that are found here. */
  names: string[]
  /** How often the watcher of backups was called. */
  pings(): number
}

export async function openOutside(dir: string, version: string, undo: (() => Promise<void>)[]): Promise<Outside> {
  const world = await openWorld(undo)
  const { internet } = world
  const own = createAuthority('bucket')
  const s3 = await startS3(bucket.name, bucket.key, createCertificate('s3', [bucket.endpoint], own))
  undo.push(s3.stop)
  let pings = 0
  internet.answer((_, response) => {
    pings++
    response.end()
  }, places.watcher)
  internet.answer(leadTo({ host: '127.0.0.1', port: s3.port, ca: own.cert }), places.bucket)
  internet.answer(leadTo({ host: ADDRESS, port: 443, ca: internet.authority }), names.storefront, names.admin)
  const folders = { repository: join(dir, 'repository'), node: join(dir, 'node') }
  undo.push(async () => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  })
  internet.answer(serveRepository(folders.repository, version), places.code)
  // What installs packages here knows where they are; the machine is a Debian and an npm as anybody's.
  const registry = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()).hostname
  internet.answer(leadTo({}), registry)
  internet.answerPlain(leadTo({ isPlain: true }), ...debianNames(dir))
  internet.answer(serveNode(folders.node), 'nodejs.org')
  const ports = Object.entries(internet.places()).map(([name, port]) => [Number(name.split(':')[1]), port] as const)
  for (const [asked, port] of new Map(ports)) {
    const door = await openDoor(asked, port)
    undo.push(async () => void door.close())
  }
  await enterInternet(internet, [
    `${registry}:443`,
    ...debianNames(dir).map(name => `${name}:80`),
    ...PORTS.map(port => `${ADDRESS}:${port}`),
  ])
  return { ...world, names: Object.keys(internet.places()).map(name => name.split(':')[0]!), pings: () => pings }
}

/** The machine comes to us by address and port, as the internet's cables lead it. */
async function openDoor(asked: number, port: number): Promise<Server> {
  const door = createServer(socket => passOn(socket, port))
  await once(door.listen(asked, OUTSIDE), 'listening')
  return door
}

function debianNames(dir: string): string[] {
  const list = readFileSync(join(dir, 'trixie/etc/apt/sources.list'), 'utf8')
  return [...list.matchAll(/https?:\/\/([^/\s]+)/g)].map(([, name]) => name!)
}

interface Way {
  host?: string
  port?: number
  ca?: string
  isPlain?: boolean
}

/** Passes calls on to whoever has the name, or to another address in its place. */
function leadTo({ isPlain = false, ...to }: Way): RequestListener {
  const ask = isPlain ? askPlainly : askSecurely
  return (request, response) => {
    const { method, url, headers } = request
    const name = headers.host!.replace(/:\d+$/, '')
    const onward = ask({ host: name, servername: name, ...to, method, path: url, headers }, reply => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }
}

/** What is committed or about to be, under the name of a version. */
function serveRepository(folder: string, version: string): RequestListener {
  copyRepository(folder)
  const own = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@kram.example']
  const git = (...args: string[]) => execFileSync('git', [...own, ...args], { cwd: folder })
  git('init', '-q', '-b', 'main')
  git('add', '--all', '--', '.', ':(exclude,glob)**/node_modules')
  git('commit', '-q', '-m', version)
  git('tag', version)
  // For a server that only hands out files.
  git('gc', '-q')
  git('update-server-info')
  return (request, response) => {
    const file = join(folder, '.git', new URL(request.url!, repository).pathname.replace('/shop', ''))
    if (!existsSync(file)) return response.writeHead(404).end()
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  }
}

/** The archive that the page fetches, made of the Node and npm that run here. */
function serveNode(folder: string): RequestListener {
  const version = `v${readFileSync(join(projectRoot, '.nvmrc'), 'utf8').trim()}`
  const [name, file] = [`node-${version}-linux-x64`, join(folder, 'node.tar.gz')]
  const own = join(folder, name)
  rmSync(folder, { recursive: true, force: true })
  for (const each of ['bin', 'lib/node_modules']) mkdirSync(join(own, each), { recursive: true })
  copyFileSync(process.execPath, join(own, 'bin/node'))
  const npm = dirname(dirname(execFileSync('sh', ['-c', 'realpath "$(command -v npm)"'], { encoding: 'utf8' }).trim()))
  cpSync(npm, join(own, 'lib/node_modules/npm'), { recursive: true })
  for (const each of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${each}-cli.js`, join(own, 'bin', each))
  execFileSync('tar', ['-C', folder, '-cf', file, '-I', 'gzip -1', name])
  return (request, response) => {
    if (request.url !== `/dist/${version}/${name}.tar.gz`) return response.writeHead(404).end()
    createReadStream(file).pipe(response)
  }
}

/** The newest version that CHANGELOG.md names. */
export function readVersion(): string {
  return /^## (v[\d.]+)/m.exec(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'))![1]!
}
