import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The checkout's top folder. */
export const projectRoot = join(import.meta.dirname, '..')

/** The command line of a live process, or undefined when there is none. */
export function getCommandLine(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'command')
  // A zombie process has an empty command line; it counts as gone.
  return readProc(`${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined
}

/** The processes that a process has started; none where the system does not tell. */
export function findChildren(pid: number): number[] {
  if (!hasProc) return []
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return all.map(Number).filter(each => readProc(`${each}/stat`)?.split(') ').at(-1)?.split(' ')[1] === String(pid))
}

/**
 * When a process started; undefined when there is none with this id. Ids are given out again: only a process whose id and
 * mark both agree is the one that we started.
 */
export function getMark(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'lstart')
  // The name stands in parentheses and may contain anything. The start time is the 20th field after it.
  const fields = readProc(`${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  if (!fields || fields[0] === 'Z') return undefined
  return `${readProc('sys/kernel/random/boot_id')?.trim()} ${fields[19]}`
}

const hasProc = existsSync('/proc/self/stat')

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return undefined
  }
}

function ps(pid: number, field: string): string | undefined {
  return spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined
}

/** Asks until `check` answers something other than undefined or false; undefined when the time is over. */
export async function waitFor<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs: number,
): Promise<T | undefined> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await check()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) return undefined
    await delay(50)
  }
}

/** Asks until `check` answers, however long that takes; every so often `onLong` hears how many seconds it has been. */
export async function waitOn<T>(
  check: Parameters<typeof waitFor<T>>[0],
  onLong: (seconds: number) => void,
  everyMs = 15_000,
): Promise<T> {
  for (let waitedMs = everyMs; ; waitedMs += everyMs) {
    const answer = await waitFor(check, everyMs)
    if (answer !== undefined) return answer
    onLong(Math.round(waitedMs / 1000))
  }
}

/**
 * Runs a Node program as a child that ends with us, even when we are killed: `exit-with-parent.ts` notices the closed
 * channel. Ctrl-C in the terminal does not reach the child's own process group, so that we stop the children in order.
 */
export function spawnNode(
  args: string[],
  environment: Record<string, string | undefined> = {},
  cwd = projectRoot,
): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', watcher, ...args], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
}

/** Keeps what a child says; returns how to read it. */
export function listenTo(child: ChildProcess): () => string {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      said += part.toString()
    })
  return () => said
}

const watcher = join(import.meta.dirname, 'exit-with-parent.ts')

/** Ends a process with its group by SIGTERM, after `graceMs` by SIGKILL. Resolves when the process is gone. */
export async function stopGroup(pid: number, mark: string | undefined, graceMs: number): Promise<void> {
  const isThere = () => mark !== undefined && getMark(pid) === mark
  if (!isThere()) return
  signalGroup(pid, 'SIGTERM')
  if (await waitFor(() => !isThere(), graceMs)) return
  signalGroup(pid, 'SIGKILL')
  await waitFor(() => !isThere(), 2000)
}

const signalGroup = (pid: number, signal: NodeJS.Signals): void => signalProcess(-pid, signal)

/** Signals a process, or by a negative id its group, if it is still there. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended before the signal came.
  }
}
