import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './os-process.ts'
import { isPublicHost, mayTryAgain, overdue, UNSTEADY, type Unsteady } from './unsteady.ts'

const today = '2026-11-27'
const entry = (file: string, until: string): Unsteady => ({ file, why: 'waits for a clock', until })
const list = [entry('a.test.ts', '2026-11-27'), entry('b.test.ts', '2026-11-26')]
const at = (env: NodeJS.ProcessEnv) => ({ today, env })

test('only a file that is named, and up to its last day, is tried again; once, however much of it failed', () => {
  expect(mayTryAgain(['a.test.ts', 'a.test.ts', 'c.test.ts'], list, at({ CI: 'true' }))).toEqual(['a.test.ts'])
  expect(mayTryAgain(['b.test.ts', 'c.test.ts'], list, at({}))).toEqual([])
  expect(mayTryAgain(['a.test.ts'], [], at({}))).toEqual([])
})

test('on a public host nothing is tried again; CI alone is no public host', () => {
  for (const name of ['GITHUB_ACTIONS', 'GITLAB_CI', 'BITBUCKET_BUILD_NUMBER']) {
    expect(isPublicHost({ CI: 'true', [name]: 'true' })).toBe(true)
    expect(mayTryAgain(['a.test.ts'], list, at({ [name]: '1' }))).toEqual([])
  }
  expect(isPublicHost({ CI: 'true' })).toBe(false)
})

test('an entry is overdue on the day after its last', () => {
  expect(overdue(list, today)).toEqual([list[1]])
})

test('each entry of the list has a reason, a file that is there and a last day that is not over', () => {
  const now = new Date().toISOString().slice(0, 10)
  expect(overdue(UNSTEADY, now)).toEqual([])
  for (const { file, why, until } of UNSTEADY) {
    expect(file).not.toMatch(/random|money/)
    expect(existsSync(join(projectRoot, file)), file).toBe(true)
    expect(why.length, file).toBeGreaterThan(20)
    expect(until, file).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
