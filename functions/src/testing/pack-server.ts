// Vitest's global setup for tests that start servers as processes: the server is packed once, as for production.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed server, which starts in a third of the time that its hundreds of source files take. */
    serverFile: string
  }
}

const functions = join(import.meta.dirname, '../..')
/** Inside the project, where the packages are found that a bundle cannot hold. */
const parentDir = join(functions, '../.local/test-server')

export default async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(parentDir, { recursive: true })
  const folder = mkdtempSync(join(parentDir, 'packed-'))
  const args = ['--disable-warning=ExperimentalWarning', join(functions, 'build.ts'), folder]
  await promisify(execFile)(process.execPath, args)
  project.provide('serverFile', join(folder, 'server.js'))
  return () => rmSync(folder, { recursive: true, force: true })
}
