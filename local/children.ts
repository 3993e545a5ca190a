import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { getMark, stopGroup } from './os-process.ts'
import type { RunRecord } from './run-record.ts'

/** The stack's child processes: their output is printed with their name, and the end of any one is reported. */
export interface Children {
  add(name: string, child: ChildProcess): void
  /** Ends all of them together. */
  stopAll(): Promise<void>
}

const graceMs = 4000

/** `onDeath` hears of a child that ended without being asked to. */
export function superviseChildren(record: RunRecord, onDeath: (message: string) => void): Children {
  const running: { pid: number; mark: string | undefined }[] = []
  let isStopping = false
  return {
    add(name, child) {
      const { pid } = child
      if (pid === undefined) {
        child.once('error', error => onDeath(`${name} could not be started: ${error.message}`))
        return
      }
      running.push({ pid, mark: getMark(pid) })
      record.addChild(name, pid)
      printOutput(name, child)
      child.once('exit', (code, signal) => {
        if (!isStopping) onDeath(`${name} ended by itself (${signal ?? `exit code ${code}`})`)
      })
    },
    async stopAll() {
      isStopping = true
      await Promise.all(running.map(({ pid, mark }) => stopGroup(pid, mark, graceMs)))
    },
  }
}

function printOutput(name: string, child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', line => {
      if (line.trim()) console.log(`${name.padEnd(10)} ${line}`)
    })
  }
}
