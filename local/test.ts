// `npm test`: every check, row by row. The last line counts them; the exit code is 0 only when nothing failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { installChromium } from './chromium.ts'
import { projectRoot } from './os-process.ts'
import { installPgbouncer } from './pooler.ts'
import { mayTryAgain, UNSTEADY } from './unsteady.ts'

interface Counts {
  passed: number
  failed: number
}
/** Of Vitest's JSON report, what is read here. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
interface Step {
  name: string
  command: string[]
  /** What it needs beside the variables of this process. */
  environment?: Record<string, string>
  /** How many checks the step made; without it the step itself is one. */
  count?: (output: string) => Counts | undefined
}

const reportFile = join(projectRoot, '.local', 'vitest.json')

/** Those of a row run side by side; the later rows have what the earlier ones made. */
const rows: Step[][] = [
  [
    // What an earlier run left behind may hide that an importer no longer fits: a file that became another one's re-export.
    { name: 'types', command: ['tsc', '-b', '--force'] },
    { name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
    { name: 'unused files, exports and dependencies', command: ['knip', '--no-config-hints'] },
    buildOf('the storefront', 'liff-app'),
    buildOf('the admin site', 'admin-web'),
    { name: 'package of the server', command: ['node', 'functions/build.ts'] },
  ],
  [vitest('unit, API and app tests')],
  [
    { name: 'packed server in the Firebase emulators', command: ['node', 'local/smoke.ts'], count: readLastLine },
    { name: 'rehearsal of putting it online', command: ['node', 'local/rehearse.ts'], count: readLastLine },
  ],
  [vitest('journeys in Chromium', '--config', 'e2e/vitest.config.ts')],
]

const total: Counts = { passed: 0, failed: 0 }
const failedSteps: string[] = []
const failedTests: string[] = []
const unsteadyTests: string[] = []
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
for (const name of unsteadyTests) console.log(`Unsteady, passed at its second try: ${name}`)
if (unsteadyTests.length > 0)
  console.log('This run needed the list of local/unsteady.ts; on a public host it would have failed.')
for (const name of failedTests) console.log(`Failed: ${name}`)
if (failedSteps.length > 0) console.log(`Failed: ${failedSteps.join(', ')}`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

async function runStep({ name, command, environment, count }: Step, hasCompany: boolean): Promise<void> {
  const title = `\n── ${name}`
  if (!hasCompany) console.log(title)
  const began = performance.now()
  const show = hasCompany ? () => undefined : (part: Buffer) => process.stdout.write(part)
  const { isOk, output } = await run(command, show, environment)
  if (hasCompany) console.log(`${title}\n${output.trimEnd()}`)
  let counts = count?.(output) ?? { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 }
  // A step that fails as a whole (a crash after its last test, say) must not hide behind its counts.
  if (!isOk && counts.failed === 0) counts.failed = 1
  else if (!isOk && count === readVitestReport) counts = await tryAgain(name, command, counts)
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
  environment?: Record<string, string>,
): Promise<{ isOk: boolean; output: string }> {
  return new Promise(resolve => {
    const env = { ...environment, ...process.env }
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

function buildOf(name: string, folder: string): Step {
  const command = ['vite', 'build', folder, '--logLevel', 'warn']
  return { name: `build of ${name}`, command, environment: DEVELOPMENT_VARIABLES }
}

function vitest(name: string, ...options: string[]): Step {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  return { name, command: ['vitest', 'run', ...options, ...reporters], count: readVitestReport }
}

function readReport(): Report | undefined {
  return existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as Report) : undefined
}

function readVitestReport(): Counts | undefined {
  const report = readReport()
  return report && { passed: report.numPassedTests, failed: report.numFailedTests }
}

/**
 * The files that `unsteady.ts` names are tried once more, each alone; what passes then is named at the end. All else that
 * failed has failed.
 */
async function tryAgain(name: string, command: string[], first: Counts): Promise<Counts> {
  const failed = readFailures()
  const today = new Date().toISOString().slice(0, 10)
  const files = mayTryAgain(
    failed.map(({ file }) => file),
    UNSTEADY,
    { today, env: process.env },
  )
  const again = failed.filter(({ file }) => files.includes(file))
  failedTests.push(...failed.filter(({ file }) => !files.includes(file)).map(describeFailure))
  if (again.length === 0) return first
  console.log(`\n── ${name}, once more alone: ${files.join(', ')}`)
  rmSync(reportFile, { force: true })
  const { isOk } = await run([...command, '--maxWorkers=1', ...files], part => process.stdout.write(part))
  let still = isOk ? [] : readFailures()
  if (!isOk && still.length === 0) still = again
  failedTests.push(...still.map(describeFailure))
  const passed = again.map(nameOf).filter(test => !still.map(nameOf).includes(test))
  unsteadyTests.push(...passed)
  const failedNow = failed.length - again.length + still.length
  return { passed: first.passed + passed.length, failed: failedNow }
}

/** A failed test as the last lines name it: who sees nothing but the end learns what it said, too. */
function describeFailure(failure: Failure): string {
  const why = failure.why.split('\n').slice(0, 12)
  return [nameOf(failure), ...why.map(line => `    ${line}`)].join('\n')
}

function nameOf({ file, test }: Failure): string {
  return `${file}: ${test}`
}

interface Failure {
  file: string
  test: string
  /** What it said, in its first lines. */
  why: string
}

function readFailures(): Failure[] {
  const files = readReport()?.testResults.filter(({ status }) => status === 'failed') ?? []
  return files.flatMap(({ name, message, assertionResults }) => {
    const file = relative(projectRoot, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0) return [{ file, test: 'the file as a whole', why: message }]
    return failed.map(({ fullName, failureMessages }) => ({ file, test: fullName, why: failureMessages.join('\n') }))
  })
}

/** Counts of a program that ends in "N passed, M failed". */
function readLastLine(output: string): Counts | undefined {
  const match = /(\d+) passed, (\d+) failed\s*$/.exec(output)
  return match ? { passed: Number(match[1]), failed: Number(match[2]) } : undefined
}
