// `npm test`: every check, row by row. The last line counts them; the exit code is 0 only when nothing failed.
//   npm test -- tests --shard 1/3    one part alone (code, tests, server, journeys), and of its test files a third
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
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
    startTime: number
    endTime: number
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
/** What a machine of several can be given alone. */
const PARTS = ['code', 'tests', 'server', 'journeys'] as const
type Part = (typeof PARTS)[number]
interface Step {
  name: string
  parts: readonly Part[]
  command: string[]
  /** What it needs beside the variables of this process. */
  environment?: Record<string, string>
  /** How many checks the step made; without it the step itself is one. */
  count?: (output: string) => Counts | undefined
}

const reportFile = join(projectRoot, '.local', 'vitest.json')
const { CI, LONG } = process.env
const { parts, shard } = readArguments(process.argv.slice(2))

/** Those of a row run side by side; the later rows have what the earlier ones made. */
const rows: Step[][] = [
  [
    // What an earlier run left behind may hide that an importer no longer fits: a file that became another one's re-export.
    // It saves most of the time all the same; a push and the night check all of it.
    { name: 'types', parts: ['code'], command: ['tsc', '-b', '--checkers', '1', ...(CI || LONG ? ['--force'] : [])] },
    { name: 'lint', parts: ['code'], command: ['biome', 'check', '--error-on-warnings'] },
    { name: 'unused files, exports and dependencies', parts: ['code'], command: ['knip', '--no-config-hints'] },
    buildOf('the storefront', 'liff-app'),
    buildOf('the admin site', 'admin-web'),
    { name: 'package of the server', parts: ['server', 'journeys'], command: ['node', 'functions/build.ts'] },
  ],
  [vitest('unit, API and app tests', 'tests')],
  [
    {
      name: 'packed server in the Firebase emulators',
      parts: ['server'],
      command: ['node', 'local/smoke.ts'],
      count: readLastLine,
    },
    {
      name: 'rehearsal of putting it online',
      parts: ['server'],
      command: ['node', 'local/rehearse.ts'],
      count: readLastLine,
    },
  ],
  [vitest('journeys in Chromium', 'journeys', '--config', 'e2e/vitest.config.ts')],
]
const asked = rows.map(row => row.filter(step => step.parts.some(part => parts.includes(part))))

const total: Counts = { passed: 0, failed: 0 }
const failedSteps: string[] = []
const failedTests: string[] = []
const unsteadyTests: string[] = []
/** Of all test files, with the seconds that each took. */
const files: { name: string; seconds: number }[] = []
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
for (const row of asked) {
  rmSync(reportFile, { force: true })
  await Promise.all(row.map(step => runStep(step, row.length > 1)))
}
console.log('\nThe slowest test files:')
for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`)
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
  if (count === readVitestReport) files.push(...readTimes())
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
  return { name: `build of ${name}`, parts: ['server', 'journeys'], command, environment: DEVELOPMENT_VARIABLES }
}

function vitest(name: string, part: Part, ...options: string[]): Step {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const share = shard ? [`--shard=${shard}`] : []
  return {
    name,
    parts: [part],
    command: ['vitest', 'run', ...options, ...share, ...reporters],
    count: readVitestReport,
  }
}

function readArguments(given: string[]): { parts: readonly Part[]; shard: string | undefined } {
  const isPart = (name: string | undefined): name is Part => PARTS.some(part => part === name)
  const { values, positionals } = parseArgs({
    args: given,
    options: { shard: { type: 'string' } },
    allowPositionals: true,
  })
  if (!positionals.every(isPart))
    throw new Error(`The parts are ${PARTS.join(', ')}, and not ${positionals.join(', ')}.`)
  return { parts: positionals.length > 0 ? positionals : PARTS, shard: values.shard }
}

function readTimes(): typeof files {
  return (readReport()?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: relative(projectRoot, name),
    seconds: (endTime - startTime) / 1000,
  }))
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
