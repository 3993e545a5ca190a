import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The checkout's top folder. */
export const projectRoot = join(import.meta.dirname, '..')

/** The command line of a live process, or undefined when there is none. */
export function getCommandLine(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'command')
  // A zombie's command line is empty: it holds nothing any more, so it counts as gone.
  return readProc(`${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || undefined
}

/**
 * A mark that no other process ever has together with this number: when it started. Undefined when there is no such
 * process. It keeps us from touching a stranger that was given the number of a dead process of ours.
 */
export function getMark(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'lstart')
  // After the name, which is in parentheses and may hold anything: state, …, start time as the 20th field.
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

/**
 * Runs a Node program as a child that ends with us, even when we are killed: `exit-with-parent.ts` notices the closed
 * channel. The child leads a process group of its own, so that Ctrl-C reaches it only through us, in our order.
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

const watcher = join(import.meta.dirname, 'exit-with-parent.ts')

/** Ends the process group of the process with this mark, politely, then by force. Resolves when it is gone. */
export async function stopGroup(pid: number, mark: string | undefined, graceMs: number): Promise<void> {
  const isThere = () => mark !== undefined && getMark(pid) === mark
  if (!isThere()) return
  signalGroup(pid, 'SIGTERM')
  if (await waitFor(() => !isThere(), graceMs)) return
  signalGroup(pid, 'SIGKILL')
  await waitFor(() => !isThere(), 2000)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Gone between the look and the signal.
  }
}
