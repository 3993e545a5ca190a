import { type Database, openDatabase } from '../database/database.ts'
import { Refusal } from '../database/refusal.ts'

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
  return value
}

/** Runs work with the database of DATABASE_URL. A command of an operator has no hurry, so there are no limits. */
export async function withDatabase<T>(operator: Operator, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(requireVariable(operator, 'DATABASE_URL'), { connections: 1, timeoutMs: { connect: 10_000 } })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
