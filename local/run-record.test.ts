import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getCommandLine, projectRoot, spawnNode, waitFor } from './os-process.ts'
import { openRunRecord } from './run-record.ts'

let dir: string
let file: string

beforeEach(() => {
  mkdirSync(join(projectRoot, '.local'), { recursive: true })
  dir = mkdtempSync(join(projectRoot, '.local', 'run-test-'))
  file = join(dir, 'run.json')
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

const startIdleChild = (): number => spawnNode(['-e', 'setInterval(() => {}, 1000)']).pid!

/** The record as a run leaves it that was killed: its owner's number belongs to nobody. */
function killOwner(): void {
  const run = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...run, owner: { ...run.owner, pid: 2 ** 22 + 1 } }))
}

test('a second stack is refused while the first one lives', async () => {
  const record = await openRunRecord(file)
  await expect(openRunRecord(file)).rejects.toThrow(`already running (process ${process.pid})`)
  record.close()
  await openRunRecord(file)
})

test('children of a killed run are stopped', async () => {
  const record = await openRunRecord(file)
  const pid = startIdleChild()
  record.addChild('api', pid)
  killOwner()
  await openRunRecord(file)
  expect(getCommandLine(pid)).toBeUndefined()
})

test("a stranger who got a dead child's number is left alone", async () => {
  const record = await openRunRecord(file)
  const pid = startIdleChild()
  record.addChild('api', pid)
  const run = JSON.parse(readFileSync(file, 'utf8'))
  run.children[0].mark = 'something else'
  writeFileSync(file, JSON.stringify(run))
  killOwner()
  await openRunRecord(file)
  expect(getCommandLine(pid)).toBeDefined()
  process.kill(pid, 'SIGKILL')
  await waitFor(() => getCommandLine(pid) === undefined, 5000)
})

test('a record cut short by a crash does not stop the start', async () => {
  writeFileSync(file, '{"owner": {"na')
  await expect(openRunRecord(file)).resolves.toBeDefined()
})
