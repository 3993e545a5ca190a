import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { getMark, stopGroup } from './os-process.ts'
import type { RunRecord } from './run-record.ts'

/** The stack's child processes: their output is printed with their name, and the end of any one is reported. */
export interface Children {
  add(name: string, child: ChildProcess): void
  /** The same for one that speaks much and keeps a log of its own. */
  addSilent(name: string, child: ChildProcess): void
  /** Ends all of them together. */
  stopAll(): Promise<void>
}

/** The Auth emulator writes its accounts down meanwhile. */
const graceMs = 10_000

/** `onDeath` hears of a child that ended without being asked to. */
export function superviseChildren(record: RunRecord, onDeath: (message: string) => void): Children {
  const running: { pid: number; mark: string | undefined }[] = []
  let isStopping = false
  const hold = (name: string, child: ChildProcess) => {
    if (child.pid === undefined) return
    running.push({ pid: child.pid, mark: getMark(child.pid) })
    record.addChild(name, child.pid)
  }
  const addSilent = (name: string, child: ChildProcess) => {
    hold(name, child)
    child.once('error', error => onDeath(`${name} could not be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      if (!isStopping) onDeath(`${name} ended by itself (${signal ?? `exit code ${code}`})`)
    })
  }
  return {
    add(name, child) {
      printOutput(name, child, () => isStopping)
      addSilent(name, child)
    },
    addSilent,
    async stopAll() {
      isStopping = true
      await Promise.all(running.map(({ pid, mark }) => stopGroup(pid, mark, graceMs)))
    },
  }
}

/** What a part says once everything is being ended is about its own end, and is left out. */
function printOutput(name: string, child: ChildProcess, isStopping: () => boolean): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', line => {
      if (line.trim() && !isStopping()) console.log(`${name.padEnd(10)} ${line}`)
    })
  }
}
