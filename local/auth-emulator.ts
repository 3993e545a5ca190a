import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emulatorHost, startEmulators } from './firebase-emulators.ts'

export interface AuthEmulator {
  /** Value for FIREBASE_AUTH_EMULATOR_HOST. */
  host: string
  process: ChildProcess
  /** Rejects with the emulator's own words when it can't start. */
  ready: Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the Firebase Auth emulator on `port`. Its accounts are written into `dir` when it stops, also when our process
 * dies, and are read at the next start. Without `dir` they are lost with the process.
 */
export async function startAuthEmulator(options: {
  port: number
  dir?: string
  onLong?: (seconds: number) => void
}): Promise<AuthEmulator> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'auth-emulator-'))
  // The command finds the running emulator by a file in this folder. In a shared one it would find another shop's.
  const TMPDIR = join(dir, 'tmp')
  mkdirSync(TMPDIR, { recursive: true })
  const emulator = await startEmulators({
    dir,
    only: ['auth'],
    ports: { auth: options.port },
    flags: options.dir ? keepAccounts(join(options.dir, 'accounts')) : [],
    environment: { TMPDIR },
    onLong: options.onLong,
  })
  return {
    host: `${emulatorHost}:${options.port}`,
    process: emulator.process,
    ready: emulator.ready,
    async stop() {
      await emulator.stop()
      if (!options.dir) rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The emulator does not start when the folder to import is missing or incomplete, as a killed export leaves it. */
function keepAccounts(folder: string): string[] {
  const isWhole = existsSync(join(folder, 'firebase-export-metadata.json'))
  return [...(isWhole ? ['--import', folder] : []), '--export-on-exit', folder]
}
