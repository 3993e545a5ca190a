import { createFirebaseIdentity, type IdentityProvider } from '../../account/identity-provider.ts'
import { type Config, ConfigurationError, readConfig } from '../../config/config.ts'
import { openServices, type Services } from '../../config/outside.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { type Files, openFiles } from '../../upload/files.ts'

/** An installation that is looked at: its configuration, and what it would work with. */
export interface Patient {
  config: Config
  db: Database
  /** What the pool said of the limits of its connections; empty when they hold. */
  limits: readonly string[]
  identityProvider: IdentityProvider
  services: Services
  openFiles(): Promise<Files>
  now(): Date
}

/** What a check found. A `note` is for the operator to know; only what is `wrong` makes the command fail. */
export interface Finding {
  kind: 'ok' | 'wrong' | 'note' | 'skipped'
  words: string
}

export const ok = (words = ''): Finding => ({ kind: 'ok', words })
export const wrong = (words: string): Finding => ({ kind: 'wrong', words })
export const note = (words: string): Finding => ({ kind: 'note', words })
export const skipped = (words: string): Finding => ({ kind: 'skipped', words })

/** What is wrong, each as a finding of its own; or that all is well. */
export const allOf = (flaws: readonly string[], well = ''): Finding[] =>
  flaws.length > 0 ? flaws.map(wrong) : [ok(well)]

export type Variables = Record<string, string | undefined>

/** Returns what the configuration names, or the flaws that keep it from being read. */
export function readPatient(variables: Variables): { config: Config } | { flaws: readonly string[] } {
  try {
    // A platform's own PORT may be no number, and no command listens.
    return { config: readConfig({ ...variables, PORT: undefined }) }
  } catch (error) {
    if (error instanceof ConfigurationError) return { flaws: error.flaws }
    throw error
  }
}

/** Opens what the server would work with; nothing is asked yet. */
export function openPatient(config: Config): Patient {
  const limits: string[] = []
  const now = () => new Date()
  const db = openDatabase(config.DATABASE_URL, {
    connections: 2,
    ca: config.DATABASE_CA,
    namedStatements: 'off',
    timeoutMs: {
      connect: config.DATABASE_CONNECT_TIMEOUT_MS,
      statement: config.DATABASE_STATEMENT_TIMEOUT_MS,
      lock: config.DATABASE_LOCK_TIMEOUT_MS,
      idleInTransaction: config.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    onUnlimited: message => limits.push(message),
  })
  return {
    config,
    db,
    limits,
    identityProvider: createFirebaseIdentity({
      projectId: config.GCLOUD_PROJECT,
      emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
    }),
    services: openServices(config, now),
    openFiles: () => openFiles({ folder: config.FILES_DIR, bucket: config.FILES_BUCKET }),
    now,
  }
}
