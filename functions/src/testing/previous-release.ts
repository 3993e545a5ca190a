import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from 'local/os-process.ts'
import previous from '../../previous-release.json' with { type: 'json' }

const run = promisify(execFile)
/** What the server is built from. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'functions',
  'shared',
  'local/empty',
  'examples',
]
const SEED = `import { openDatabase } from './functions/src/database/database.ts'
  import { seedFixture } from './functions/src/testing/fixture.ts'
  import { addWallet } from './functions/src/testing/wallet.ts'
  const db = openDatabase(process.argv[1])
  await seedFixture(db, new Date())
  await addWallet(db, { uid: 'agent', balanceSatang: 100_000_000, pin: '1234', now: new Date() })
  await db.close()`

/** The server of the previous release, packed from its own sources with the packages that are installed here. */
export interface PreviousRelease {
  serverFile: string
  /** Gives an empty database that release's schema, its fixture shop, and a reseller with a wallet. */
  prepare: (databaseUrl: string) => Promise<void>
  remove: () => void
}

/** Tells why the previous release can't be built here; null when it can. */
export async function whyNoPreviousRelease(): Promise<string | null> {
  try {
    await run('git', ['cat-file', '-e', `${previous.commit}^{commit}`], { cwd: projectRoot })
    return null
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    return `git does not have the previous release ${previous.commit} here: ${stderr.trim() || message}`
  }
}

export async function packPreviousRelease(): Promise<PreviousRelease> {
  const parentDir = join(projectRoot, '.local', 'test-server')
  mkdirSync(parentDir, { recursive: true })
  const folder = mkdtempSync(join(parentDir, 'previous-'))
  const sources = join(folder, 'sources.tar')
  await run('git', ['archive', `--output=${sources}`, previous.commit, ...SOURCES], { cwd: projectRoot })
  await run('tar', ['-xf', sources, '-C', folder])
  // Other packages are found further up; this one would be today's there.
  mkdirSync(join(folder, 'node_modules/@shop'), { recursive: true })
  symlinkSync(join(folder, 'shared'), join(folder, 'node_modules/@shop/shared'), 'junction')
  symlinkSync(join(projectRoot, 'functions/node_modules'), join(folder, 'functions/node_modules'), 'junction')
  const node = (...args: string[]) =>
    run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd: folder })
  await node('functions/build.ts')
  const dist = join(folder, 'functions/dist')
  return {
    serverFile: join(dist, 'server.js'),
    async prepare(databaseUrl) {
      await run(process.execPath, [join(dist, 'ops.js'), 'migrate'], {
        env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
      })
      await node('--input-type=module', '--eval', SEED, databaseUrl)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
