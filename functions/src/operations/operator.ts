import { type Database, openDatabase } from '../database/database.ts'
import { flawOfUrl } from '../database/reach.ts'
import { Refusal } from '../database/refusal.ts'
import { environment } from '../environment/environment.ts'

/** What a command is given: its arguments, the variables it may read, and where it tells what it found. */
export interface Operator {
  args: readonly string[]
  variables: Record<string, string | undefined>
  say(line: string): void
}

/** A command of the operators' program. */
export interface Command {
  /** One line for the list of commands. */
  does: string
  /** The arguments, as the list of commands shows them. */
  takes?: string
  /** Returns whether all is well; false makes the program end with a failure. @throws Refusal */
  run(operator: Operator): Promise<boolean>
}

/** A blank variable counts as not set, because env files write unset variables so. @throws Refusal */
export function requireVariable({ variables }: Operator, name: string): string {
  const value = variables[name]?.trim()
  if (!value) throw new Refusal(`${name} must be set.`)
  const flaw = name === 'DATABASE_URL' ? flawOfUrl(value) : null
  if (flaw) throw new Refusal(`${name} ${flaw}.`)
  return value
}

/** Returns the authority that proves the database's server, if one is named. */
export const databaseCaOf = ({ variables }: Operator): string | undefined =>
  environment.shape.DATABASE_CA.parse(variables.DATABASE_CA?.trim() || undefined)

const CONNECT_MS = 10_000

/**
 * Runs work with the database of DATABASE_URL, which is the primary: every command writes. A command of an operator has no
 * hurry, so there are no limits.
 */
export async function withDatabase<T>(operator: Operator, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(requireVariable(operator, 'DATABASE_URL'), {
    connections: 1,
    ca: databaseCaOf(operator),
    timeoutMs: { connect: CONNECT_MS },
    mustWrite: true,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
