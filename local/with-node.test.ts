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
if [ "$1" = --version ]; then echo "\${FAKE_NPM_VERSION:-11.0.0}"; exit; fi
echo "$*" >>calls
case "$*" in *--prefix*)
  bin=$6/node_modules/\${7%@*}/bin
  mkdir -p $bin && ln -s "$REAL_NODE" $bin/node
  exit ;;
esac
[ "$1" = ci ] && rm -rf node_modules
mkdir -p node_modules/a
case "$NPM_DOES" in
  fail) echo "getaddrinfo ENOTFOUND" >&2; exit 1 ;;
  hang) echo $$ >npm.pid; exec sleep 60 ;;
esac
`
/** Answers as if it were of another version, and says so instead of running anything. */
const FAKE_NODE = `#!/usr/bin/env bash
version="'$FAKE_VERSION'"
case "$1" in
  --version) echo "v$FAKE_VERSION" ;;
  -e | -p) exec "$REAL_NODE" "$1" "\${2//process.versions.node/$version}" ;;
  *) echo "on the machine's Node" ;;
esac
`
const FIRST_START = 'ci --no-save --omit=dev --loglevel=error'

let dir: string

beforeEach(() => {
  mkdirSync(join(projectRoot, '.local'), { recursive: true })
  dir = mkdtempSync(join(projectRoot, '.local', 'with-node-test-'))
  for (const folder of ['bin', 'local']) mkdirSync(join(dir, folder))
  for (const file of ['local/with-node.sh', '.nvmrc']) cpSync(join(projectRoot, file), join(dir, file))
  writeFileSync(join(dir, 'package-lock.json'), '{}')
  symlinkSync(process.execPath, join(dir, 'bin/node'))
  addProgram('npm', FAKE_NPM)
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('starting installs what starting needs, once', async () => {
  expect(await run('--start')).toMatchObject({ code: 0, out: expect.stringMatching(/runs\n$/) })
  expect(calls()).toEqual([FIRST_START])
  expect(await run('--start')).toEqual({ code: 0, out: 'runs\n' })
  expect(calls()).toEqual([])
})

test('checks add the rest beside what a running shop has open', async () => {
  await run('--start')
  writeFileSync(join(dir, 'node_modules/a/open.js'), '')
  calls()
  expect(await run()).toMatchObject({ code: 0 })
  expect(calls()).toEqual(['install --no-save --include=dev --loglevel=error'])
  expect(existsSync(join(dir, 'node_modules/a/open.js'))).toBe(true)
  expect(await run('--start')).toEqual({ code: 0, out: 'runs\n' })
  expect(await run()).toEqual({ code: 0, out: 'runs\n' })
  expect(calls()).toEqual([])
})

test('a changed lock file is followed, and keeps what was installed for checks', async () => {
  await run()
  calls()
  writeFileSync(join(dir, 'package-lock.json'), '{"version":"2"}')
  expect(await run('--start')).toMatchObject({ code: 0 })
  expect(calls()).toEqual(['install --no-save --include=dev --loglevel=error'])
  expect(await run()).toEqual({ code: 0, out: 'runs\n' })
})

test('a killed install is done again from the beginning', async () => {
  const killed = start(['--start'], { NPM_DOES: 'hang' })
  await waitFor(() => existsSync(join(dir, 'npm.pid')), 20_000)
  process.kill(-killed.pid!, 'SIGKILL')
  await once(killed, 'exit')
  calls()
  expect(await run('--start')).toMatchObject({ code: 0, out: expect.stringMatching(/runs\n$/) })
  expect(calls()).toEqual([FIRST_START])
})

test('an install that fails says so, runs nothing and is done again', async () => {
  const { code, out } = await run('--start', { NPM_DOES: 'fail' })
  expect(code).toBe(1)
  expect(out).toContain('Is there a network?')
  expect(out).not.toContain('runs')
  calls()
  await run('--start')
  expect(calls()).toEqual([FIRST_START])
})

test('a Node that is too old is named', async () => {
  const { code, out } = await run('--start', useNode('18.20.4'))
  expect({ code, out }).toEqual({ code: 1, out: 'This project needs Node 20.19 or later and npm; found: v18.20.4\n' })
})

test('an npm that is too old is named, as Debian has one', async () => {
  const { code, out } = await run('--start', { FAKE_NPM_VERSION: '9.2.0' })
  expect(code).toBe(1)
  expect(out).toContain('needs npm 10 or later; found: 9.2.0')
})

test('only a Node that runs no TypeScript is replaced, once, by the one of .nvmrc', async () => {
  const version = readFileSync(join(dir, '.nvmrc'), 'utf8').trim()
  expect(await run('--start', useNode('20.19.0'))).toMatchObject({ out: expect.stringMatching(/runs\n$/) })
  const platform = `${process.platform}-${process.arch}`.replace('darwin-arm64', 'bin-darwin-arm64')
  expect(calls()[1]).toContain(`--prefix .local/node-${version} node-${platform}@${version}`)
  expect(await run('--start', useNode('20.19.0'))).toEqual({ code: 0, out: 'runs\n' })
  expect(calls()).toEqual([])
  expect(await run('--start', useNode('24.1.0'))).toEqual({ code: 0, out: "on the machine's Node\n" })
})

function addProgram(name: string, content: string): void {
  rmSync(join(dir, 'bin', name), { force: true })
  writeFileSync(join(dir, 'bin', name), content)
  chmodSync(join(dir, 'bin', name), 0o755)
}

function useNode(version: string): { FAKE_VERSION: string } {
  addProgram('node', FAKE_NODE)
  return { FAKE_VERSION: version }
}

function start(flags: string[], environment: Record<string, string>): ChildProcess {
  const PATH = `${join(dir, 'bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH, REAL_NODE: process.execPath, ...environment }
  const script = [join(dir, 'local/with-node.sh'), ...flags, '-e', 'console.log("runs")']
  return spawn('bash', script, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(flag?: '--start', environment: Record<string, string> = {}): Promise<{ code: number; out: string }> {
  const child = start(flag ? [flag] : [], environment)
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, out }
}

/** What npm was asked since the last look. */
function calls(): string[] {
  const file = join(dir, 'calls')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  rmSync(file, { force: true })
  return lines
}
