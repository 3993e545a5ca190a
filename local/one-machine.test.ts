import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from './house.ts'
import { projectRoot } from './os-process.ts'

// docs/operations/one-machine.md stands alone: whoever follows it from above needs to know nothing else.

const page = read('docs/operations/one-machine.md')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(({ 1: commands, index }) => ({
  commands: commands!,
  index,
}))
/** What the files that the page makes hold, once it has made them. */
const OF_FILES = /^\. deploy\/database\.env$/m
const examples = ['database', 'backup'].map(name => read(`deploy/${name}.example`)).join('\n')

test('each block is a script', () => {
  expect(blocks.length).toBeGreaterThan(10)
  for (const { commands } of blocks) {
    // What a person writes in its place is one word.
    const filled = commands.replaceAll(/<[^>\n]+>/g, 'value')
    const { stderr, status } = spawnSync('bash', ['-n'], { input: filled, encoding: 'utf8' })
    expect([status, stderr], commands).toEqual([0, ''])
  }
})

test('each variable of a block has got its value before, on this page', () => {
  for (const { commands, index } of blocks) {
    const before = page.slice(0, index) + commands
    for (const [, name] of commands.matchAll(/\$\{?([A-Z][A-Z_]+)/g)) {
      const isSet = new RegExp(`(^|\\s)(export )?${name}=`, 'm').test(before)
      const isOfFile = OF_FILES.test(before) && new RegExp(`^${name}=`, 'm').test(examples)
      expect(isSet || isOfFile, `${name} in\n${commands}`).toBe(true)
    }
  }
})

test('each file of deploy/ that a block names is there, or made by the page', () => {
  for (const { commands } of blocks)
    for (const [, name] of commands.matchAll(/(?<![\w/])deploy\/([\w.-]+)/g)) {
      const isMade = page.includes(`> deploy/${name}`) || new RegExp(`^install .* deploy/${name}\\b`, 'm').test(page)
      expect(existsSync(join(projectRoot, 'deploy', name!)) || isMade, `deploy/${name}`).toBe(true)
    }
})
