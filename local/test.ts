// `npm test`: every check, row by row. The last line counts them; the exit code is 0 only when nothing failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { installChromium } from './chromium.ts'
import { projectRoot } from './os-process.ts'
import { installPgbouncer } from './pooler.ts'

interface Counts {
  passed: number
  failed: number
}
interface Step {
  name: string
  command: string[]
  /** How many checks the step made; without it the step itself is one. */
  count?: (output: string) => Counts | undefined
}

const reportFile = join(projectRoot, '.local', 'vitest.json')

/** Those of a row run side by side; the later rows have what the earlier ones made. */
const rows: Step[][] = [
  [
    { name: 'types', command: ['tsc', '-b'] },
    { name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
    { name: 'unused files, exports and dependencies', command: ['knip', '--no-config-hints'] },
    { name: 'build of the storefront', command: ['vite', 'build', 'liff-app', '--logLevel', 'warn'] },
    { name: 'build of the admin site', command: ['vite', 'build', 'admin-web', '--logLevel', 'warn'] },
    { name: 'package of the server', command: ['node', 'functions/build.ts'] },
  ],
  [
    {
      name: 'unit, API and app tests',
      command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
      count: readVitestReport,
    },
  ],
  [{ name: 'packed server in the Firebase emulators', command: ['node', 'local/smoke.ts'], count: readLastLine }],
  [
    {
      name: 'journeys in Chromium',
      command: [
        'vitest',
        'run',
        '--config',
        'e2e/vitest.config.ts',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${reportFile}`,
      ],
      count: readVitestReport,
    },
  ],
]

const total: Counts = { passed: 0, failed: 0 }
const failedSteps: string[] = []
const setChromium = () => {
  process.env.CHROMIUM_PATH = installChromium()
}
for (const install of [setChromium, installPgbouncer])
  try {
    install()
  } catch (error) {
    // The steps that need it will fail; the others are still worth knowing.
    console.log(error instanceof Error ? error.message : error)
  }
mkdirSync(join(projectRoot, '.local'), { recursive: true })
for (const row of rows) {
  rmSync(reportFile, { force: true })
  await Promise.all(row.map(step => runStep(step, row.length > 1)))
}
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

async function runStep({ name, command, count }: Step, hasCompany: boolean): Promise<void> {
  const title = `\n── ${name}`
  if (!hasCompany) console.log(title)
  const began = performance.now()
  const { isOk, output } = await run(command, hasCompany ? () => undefined : part => process.stdout.write(part))
  if (hasCompany) console.log(`${title}\n${output.trimEnd()}`)
  const counts = count?.(output) ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 }
  // A step that fails as a whole (a crash after its last test, say) must not hide behind its counts.
  if (!isOk && counts.failed === 0) counts.failed = 1
  total.passed += counts.passed
  total.failed += counts.failed
  if (counts.failed > 0) failedSteps.push(name)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${counts.failed === 0 ? '✓' : '✗'} ${name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`,
  )
}

/** Runs one of the project's tools. */
function run(
  [program, ...args]: string[],
  onOutput: (part: Buffer) => void,
): Promise<{ isOk: boolean; output: string }> {
  return new Promise(resolve => {
    const env = { ...DEVELOPMENT_VARIABLES, ...process.env }
    const child = spawn(program!, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        onOutput(chunk)
      })
    }
    child.once('error', error => resolve({ isOk: false, output: error.message }))
    child.once('close', code => resolve({ isOk: code === 0, output }))
  })
}

function readVitestReport(): Counts | undefined {
  if (!existsSync(reportFile)) return undefined
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as { numPassedTests: number; numFailedTests: number }
  return { passed: report.numPassedTests, failed: report.numFailedTests }
}

/** Counts of a program that ends in "N passed, M failed". */
function readLastLine(output: string): Counts | undefined {
  const match = /(\d+) passed, (\d+) failed\s*$/.exec(output)
  return match ? { passed: Number(match[1]), failed: Number(match[2]) } : undefined
}
