// The folder in which the shop is installed: a copy of what is committed or about to be, and the commands of deploy.md.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listenTo, projectRoot } from '../os-process.ts'

/** Copies the repository's files into the empty `dir`; what npm would install is the repository's own. */
export function copyRepository(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
  })
  for (const file of list.toString().split('\0').filter(Boolean)) {
    const from = join(projectRoot, file)
    // Taken away, and not yet committed.
    if (!existsSync(from)) continue
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    cpSync(from, join(dir, file))
  }
  const { workspaces } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { workspaces: string[] }
  for (const folder of ['.', ...workspaces]) {
    const installed = join(projectRoot, folder, 'node_modules')
    if (existsSync(installed)) symlinkSync(installed, join(dir, folder, 'node_modules'))
  }
}

/** What a page tells to do: commands to run as they stand, or the upload, which the rehearsal does in its own way. */
export type Block = { commands: string } | 'deploy'

const BLOCK = /^```sh(| rehearsed)\n([\s\S]*?)^```$/gm
const UPLOAD = 'npx firebase deploy\n'

/** The blocks of a page that are marked "sh rehearsed", and where it uploads, in their order. */
export function readBlocks(page: string): Block[] {
  return [...readFileSync(page, 'utf8').matchAll(BLOCK)].flatMap(([, mark, commands = '']): Block[] => {
    if (commands === UPLOAD) return ['deploy']
    return mark ? [{ commands }] : []
  })
}

/** Runs commands as they stand, in `dir`; rejects with what they said when one of them fails. Returns what they said. */
export async function runCommands(commands: string, dir: string, environment: Record<string, string>): Promise<string> {
  // What a person at a terminal has: not the variables of the run of all checks.
  const { PATH, HOME, CHROMIUM_PATH, TMPDIR } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: dir,
    env: { PATH, HOME, CHROMIUM_PATH, TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const getOutput = listenTo(child)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`ended with ${code}\n${commands}\n${getOutput()}`)
  return getOutput()
}

/** Fills in a file of deploy/ as a person would: the line of each name, whether it is commented out or not. */
export function fillIn(file: string, values: Record<string, string>): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findIndex(line => line.replace(/^# /, '').startsWith(`${name}=`))
    if (at < 0) throw new Error(`${file} does not know ${name}`)
    lines[at] = `${name}=${value}`
  }
  writeFileSync(file, lines.join('\n'))
}
