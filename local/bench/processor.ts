import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of a process, in milliseconds; Linux counts in hundredths of a second. NaN where it does not tell. */
export function getProcessMs(pid: number): number {
  const [user, system] = timesOf(pid)
  return user! + system!
}

/** The same for a process and all its descendants, including those that have ended. */
export function getTreeMs(pid: number): number {
  const children = new Map<number, number[]>()
  for (const name of listProcesses()) {
    const parent = parentOf(Number(name))
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const sum = (root: number): number => {
    const own = timesOf(root).reduce((a, b) => a + b)
    // A process that ended after the listing is counted by its parent next time.
    return (children.get(root) ?? []).map(sum).reduce((a, b) => a + (Number.isNaN(b) ? 0 : b), own)
  }
  return sum(pid)
}

const listProcesses = (): string[] => {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** The fields of /proc/<pid>/stat after the name, which stands in parentheses and may contain anything. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return []
  }
}

const parentOf = (pid: number): number => Number(statOf(pid)[1])

/** User and system time of a process, then of its ended children. */
const timesOf = (pid: number): number[] => {
  const fields = statOf(pid)
  return [11, 12, 13, 14].map(at => Number(fields[at]) * 10)
}
