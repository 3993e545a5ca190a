import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { getMark, stopGroup } from './os-process.ts'

interface Entry {
  name: string
  pid: number
  mark: string
}
interface Run {
  owner: Entry
  children: Entry[]
}

/** Remembers on disk which processes belong to the running stack, so that a later start can clean up after a crash. */
export interface RunRecord {
  addChild(name: string, pid: number): void
  /** Forgets the run; call when every child is gone. */
  close(): void
}

/**
 * Takes the stack for this process. Children that a crashed run left behind are stopped, exactly those: a process
 * counts as ours only while number and start time both agree. Throws when another stack is running.
 */
export async function openRunRecord(file: string): Promise<RunRecord> {
  const earlier = readRun(file)
  if (earlier && isThere(earlier.owner)) {
    const { pid } = earlier.owner
    throw new Error(`The stack is already running (process ${pid}). Stop it with Ctrl-C there, or with: kill ${pid}`)
  }
  await Promise.all((earlier?.children ?? []).map(child => stopGroup(child.pid, child.mark, 3000)))
  const run: Run = { owner: describe('stack', process.pid), children: [] }
  const save = () => writeFileSync(file, JSON.stringify(run, null, 2))
  mkdirSync(dirname(file), { recursive: true })
  save()
  return {
    addChild(name, pid) {
      run.children.push(describe(name, pid))
      save()
    },
    close: () => rmSync(file, { force: true }),
  }
}

function describe(name: string, pid: number): Entry {
  return { name, pid, mark: getMark(pid) ?? '' }
}

function isThere({ pid, mark }: Entry): boolean {
  return getMark(pid) === mark
}

/** A file that a crash cut short is as good as none. */
function readRun(file: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run
  } catch {
    return undefined
  }
}
