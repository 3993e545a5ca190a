// How the house is built, as one table, and its files with what they import. `house.test.ts` holds them together.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { projectRoot } from './os-process.ts'

/**
 * The floors of each package, from the ground up. A room is a folder of `src`, a folder of such a folder or a root file
 * named here, or `.` for the other root files. A room imports from the floors below it; rooms of one floor do not need
 * each other, so that no circle can be.
 */
export const FLOORS: Record<string, readonly (readonly string[])[]> = {
  shared: [
    ['.'],
    ['settings', 'upload', 'catalogue', 'account', 'transfer', 'privacy'],
    ['agent', 'slipcheck', 'supplier', 'gateway', 'dashboard'],
    ['wallet', 'cost'],
    ['order'],
    ['statement', 'voucher', 'reseller'],
    ['credit', 'webhook'],
    // Tells what was done to any of the things below.
    ['audit', 'backlog', 'health', 'restore'],
    ['value', 'chat'],
    // What it brings, those below say.
    ['mail'],
  ],
  functions: [
    // What is made once, and how somebody outside is asked.
    ['shop', 'asking'],
    ['database'],
    ['http', 'transfer'],
    // Who somebody is, then how their call is answered; all that people can do stands on both.
    ['account'],
    ['environment'],
    ['call'],
    ['metrics'],
    ['audit', 'outbox'],
    ['value'],
    ['settings', 'upload', 'mail'],
    ['catalogue', 'access'],
    ['agent', 'slipcheck', 'dashboard', 'webhook'],
    ['supplier', 'gateway'],
    ['pulse'],
    ['wallet', 'voucher'],
    ['order'],
    ['order/placing'],
    ['order/paying'],
    ['order/delivering'],
    ['order/correcting'],
    ['order/finding', 'cost'],
    ['statement', 'reseller'],
    ['backlog', 'restore', 'credit'],
    ['chat'],
    ['jobs'],
    ['health'],
    ['privacy', 'config'],
    ['operations', 'watcher'],
    // Joins them all, and runs.
    ['start'],
  ],
  'liff-app': [
    ['unanswered.ts'],
    ['ui'],
    ['.'],
    ['settings'],
    ['upload', 'transfer'],
    ['gateway'],
    ['account'],
    ['wallet', 'voucher'],
    ['orders', 'reseller'],
    ['buying'],
    ['catalogue'],
    ['frame'],
    ['routes.tsx'],
    ['main.tsx'],
  ],
  'admin-web': [
    ['ui'],
    ['.'],
    ['account'],
    ['upload', 'slipcheck', 'supplier', 'audit', 'chat', 'reseller'],
    ['voucher'],
    ['catalogue', 'order', 'wallet', 'agent'],
    ['statement', 'dashboard', 'value', 'cost'],
    ['settings', 'backlog', 'health', 'privacy'],
    ['restore'],
    ['frame'],
    ['routes.tsx'],
    ['site.tsx'],
    ['main.tsx'],
  ],
}

/** Which packages' product code a package's product code may import. */
export const GROUNDS: Record<string, readonly string[]> = {
  shared: [],
  web: ['shared'],
  functions: ['shared'],
  'liff-app': ['shared', 'web'],
  'admin-web': ['shared', 'web'],
}

/** Rooms that are not named after a noun of the shop. */
export const NOT_NOUNS = [
  'ui',
  'frame',
  'operations',
  'watcher',
  'start',
  'config',
  'jobs',
  'pulse',
  'environment',
  'call',
  'database',
  'http',
  'asking',
  'shop',
  'metrics',
  'outbox',
  'testing',
  'buying',
  'orders',
]

export interface HouseFile {
  /** From the project's root, e.g. "shared/src/money.ts". */
  path: string
  package: string
  /** A room of FLOORS; '' for a file outside `src`. */
  room: string
  isForTests: boolean
  lines: number
  /** Files of the project that it imports, types too. */
  imports: string[]
}

const PACKAGES = (JSON.parse(read('package.json')) as { workspaces: string[] }).workspaces
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom '([^'\n]+)'|\bimport\(\s*'([^'\n]+)'|(?:^|\n)import '([^'\n]+)'/g
const FOR_TESTS = /\.test\.tsx?$|\/testing(\/|\.tsx?$)|\/test-setup\.ts$|^(e2e|local)\//

/** Every source file that people write. */
export function readHouse(): HouseFile[] {
  const skipped = new Set(['node_modules', 'dist', 'migrations', 'schema.d.ts'])
  const paths = PACKAGES.flatMap(name =>
    globSync(`${name}/**/*.{ts,tsx,css}`, { cwd: projectRoot, exclude: path => skipped.has(basename(path)) }),
  ).sort()
  const known = new Set(paths)
  return paths.map(path => {
    const text = read(path)
    const specifiers = [...text.matchAll(IMPORT)].map(([, from, loaded, bare]) => (from ?? loaded ?? bare)!)
    return {
      path,
      package: path.split('/')[0]!,
      room: roomOf(path),
      isForTests: FOR_TESTS.test(path),
      lines: text.trimEnd().split('\n').length,
      imports: [...new Set(specifiers.map(specifier => resolve(path, specifier)))].filter(found => known.has(found)),
    }
  })
}

function roomOf(path: string): string {
  const [name, src, room, ...inside] = path.split('/') as [string, string, string, ...string[]]
  if (src !== 'src') return ''
  const named = FLOORS[name]?.flat() ?? []
  if (inside.length === 0) return named.includes(room) ? room : '.'
  const hasRooms = inside.length > 1 && named.some(each => each.startsWith(`${room}/`))
  return hasRooms ? `${room}/${inside[0]}` : room
}

/** The number of a room's floor; undefined when no floor names the room. */
export function floorOf(file: Pick<HouseFile, 'package' | 'room'>): number | undefined {
  const floor = FLOORS[file.package]?.findIndex(rooms => rooms.includes(file.room)) ?? -1
  return floor < 0 ? undefined : floor
}

/** "../money.ts" and "@shop/shared/money.ts" -> "shared/src/money.ts". */
export function resolve(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(dirname(importer), specifier)
  const entrance = ENTRANCES.find(({ name }) => specifier.startsWith(`${name}/`))
  return entrance ? entrance.folder + specifier.slice(entrance.name.length) : specifier
}

/** What other packages write to reach a package, and the folder it stands for. */
const ENTRANCES = PACKAGES.map(folder => {
  const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as { name: string; exports?: { './*': string } }
  return { name, folder: posix.join(folder, dirname(exports?.['./*'] ?? './*')) }
})

export function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8')
}
