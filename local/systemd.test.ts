import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installDebianPackage } from './debian.ts'
import { read } from './house.ts'
import { projectRoot } from './os-process.ts'

const units = globSync('deploy/systemd/*.{service,timer}', { cwd: projectRoot })
const isThere = () => spawnSync('systemd-analyze', ['--version']).status === 0
if (!isThere()) installDebianPackage('systemd')
/** Of 100: what systemd itself calls "OK". */
const MOST_EXPOSED = '20'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'units-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(!isThere())('systemd understands each unit', () => {
  expect(units.length).toBeGreaterThan(0)
  for (const each of units) {
    const name = basename(each).replace('@.', '@8787.')
    writeFileSync(join(folder, name), read(each).replaceAll(/\/srv\/shop\/\S*\/(node|backup\.sh)/g, '/bin/sh'))
    const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
      encoding: 'utf8',
    })
    expect([status, `${stdout}${stderr}`], each).toEqual([0, ''])
  }
})

test.skipIf(!isThere())('the server may do little beside its work', () => {
  const args = [
    'security',
    '--offline=true',
    `--threshold=${MOST_EXPOSED}`,
    join(projectRoot, 'deploy/systemd/shop@.service'),
  ]
  const { stdout, status } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect(status, stdout.split('\n').slice(-3).join('\n')).toBe(0)
})
