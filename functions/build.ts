// Bundles the server into functions/dist or another folder: for Firebase Functions (index.js), as a standalone program
// (server.js), the operators' program with the migrations (ops.js), and the watcher (watcher.js). A package.json and a
// lock file name the packages that can't be bundled.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { listNeeded, readLockFile } from './lock-file.ts'
import { findMigrations, findRolesFile } from './src/database/migrations.ts'
import { DOCS_FILES, findDocsPackage } from './src/http/docs.ts'
import { FONT_FILES, FONT_NAMES, findFontFile } from './src/http/pdf.ts'
import { listGuideFiles, PACKED_FOLDER } from './src/reseller/docs/files.ts'

/**
 * These packages are installed beside the bundle, by `firebase deploy`. They hold native code, or Firebase's tools look
 * for them by name.
 */
const INSTALLED = ['@google-cloud/storage', '@node-rs/argon2', 'firebase-admin', 'firebase-functions', 'sharp']
/** firebase-functions does not load without it. */
const ALWAYS_INSTALLED = ['firebase-admin']
/** Other packages import these, but work without them. */
const OPTIONAL = ['@aws-sdk/*', 'pg-native']

const here = import.meta.dirname
const dist = process.argv[2] ?? join(here, 'dist')
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
  engines: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const common = {
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // The bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
} satisfies BuildOptions

rmSync(dist, { recursive: true, force: true })
const { metafile } = await build({
  ...common,
  // The other entry points start the threads from files of their own.
  entryPoints: {
    index: join(here, 'src/start/index.ts'),
    server: join(here, 'src/start/server.ts'),
    ops: join(here, 'src/start/ops.ts'),
    'qr-thread': join(here, 'src/upload/qr-thread.ts'),
    'statement-thread': join(here, 'src/statement/statement-thread.ts'),
  },
  // Code that is imported only when a setting asks for it goes into files of its own.
  splitting: true,
  external: [...INSTALLED, ...OPTIONAL],
  metafile: true,
})
// One file, which is copied to another machine and needs nothing there but Node.
await build({ ...common, entryPoints: { watcher: join(here, 'src/start/watcher.ts') } })
const dependencies = Object.fromEntries(listInstalled(metafile).map(name => [name, versionOf(name)]))
const packed = { name: 'functions', private: true, type: 'module', main: 'index.js', engines: manifest.engines }
// As in the project's package.json, an empty package replaces one that the server never uses.
const overrides = {
  'firebase-admin': {
    '@google-cloud/firestore': 'file:../../empty',
    '@google-cloud/storage': '$@google-cloud/storage',
  },
}
writeJson('package.json', { ...packed, dependencies, overrides })
cpSync(join(here, '../local/empty'), join(dist, 'empty'), { recursive: true })
writeJson('package-lock.json', cutLock(packed.name, dependencies))
cpSync(findMigrations(), join(dist, 'migrations'), {
  recursive: true,
  filter: path => !path.endsWith('_snapshot.json'),
})
copyFileSync(findRolesFile(), join(dist, 'roles.sql'))
mkdirSync(join(dist, 'docs'))
mkdirSync(join(dist, 'fonts'))
for (const name of FONT_NAMES) copyFileSync(findFontFile(name), join(dist, 'fonts', FONT_FILES[name]))
for (const file of DOCS_FILES) copyFileSync(join(findDocsPackage(), file), join(dist, 'docs', file))
for (const folder of ['examples', 'th']) mkdirSync(join(dist, PACKED_FOLDER, folder), { recursive: true })
for (const { name, path } of listGuideFiles()) copyFileSync(path, join(dist, PACKED_FOLDER, name))
const kilobytes = Math.round(Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0) / 1000)
console.log(
  `${relative(process.cwd(), dist)}: ${kilobytes} kB bundled; installed beside it: ${Object.keys(dependencies).join(', ')}`,
)

/** The packages that the bundle imports when it runs. */
function listInstalled({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap(output => output.imports.filter(each => each.external))
  const names = new Set(imports.map(each => packageOf(each.path)).filter(name => !isBuiltin(name)))
  const isOptional = (name: string) => OPTIONAL.includes(name) || name.startsWith('@aws-sdk/')
  return [...new Set([...ALWAYS_INSTALLED, ...names])].filter(name => !isOptional(name)).sort()
}

/** "@scope/name/file" -> "@scope/name". */
function packageOf(path: string): string {
  const depth = path.startsWith('@') ? 2 : 1
  return path.split('/').slice(0, depth).join('/')
}

function writeJson(name: string, value: object): void {
  writeFileSync(join(dist, name), `${JSON.stringify(value, null, 2)}\n`)
}

/** The part of the project's lock file that these packages need, so that a deployment installs what was tested. */
function cutLock(name: string, dependencies: Record<string, string>): object {
  const { lockfileVersion, packages } = readLockFile()
  const kept = Object.fromEntries(
    [...listNeeded(packages, Object.keys(dependencies))].sort().map(place => {
      const { dev: _, devOptional: __, ...locked } = packages[place]!
      return [place, locked.resolved === 'file:local/empty' ? { resolved: 'empty', link: true } : locked]
    }),
  )
  return { name, lockfileVersion, requires: true, packages: { '': { name, dependencies }, empty: {}, ...kept } }
}

function versionOf(name: string): string {
  const version = manifest.dependencies[name] ?? manifest.devDependencies[name]
  if (!version) throw new Error(`The bundle needs ${name}, which functions/package.json does not name`)
  return version
}
