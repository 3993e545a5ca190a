import { ConfigurationError } from '../config/config.ts'
import { whyUnreachable } from '../database/reach.ts'
import { Refusal } from '../database/refusal.ts'
import { ledgerCheck, salesCheck, supplierCheck } from './check-commands.ts'
import { databaseRole } from './database-role.ts'
import { doctor } from './doctor/doctor.ts'
import { endAdmin } from './end-admin.ts'
import { eraseAgain } from './erase-again.ts'
import { firstAdmin } from './first-admin.ts'
import { firstData } from './first-data.ts'
import { keys } from './keys.ts'
import { migrateCommand } from './migrate-command.ts'
import type { Command, Operator } from './operator.ts'
import { reseal } from './reseal.ts'
import { afterRestore, safeModeCommand } from './restore-commands.ts'
import { backedUp, forget } from './sign-commands.ts'

/** The commands of the operators' program, in the order in which an installation needs them. */
const COMMAND = {
  migrate: migrateCommand,
  'first-data': firstData,
  'first-admin': firstAdmin,
  'end-admin': endAdmin,
  doctor,
  'ledger-check': ledgerCheck,
  'sales-check': salesCheck,
  'supplier-check': supplierCheck,
  'backed-up': backedUp,
  forget,
  keys,
  reseal,
  'database-role': databaseRole,
  'safe-mode': safeModeCommand,
  'after-restore': afterRestore,
  'erase-again': eraseAgain,
} as const satisfies Record<string, Command>

const isCommand = (name: string): name is keyof typeof COMMAND => Object.hasOwn(COMMAND, name)

function usage(): string {
  const lines = Object.entries<Command>(COMMAND).map(
    ([name, { takes, does }]) => `  ${[name, takes].filter(Boolean).join(' ').padEnd(31)} ${does}`,
  )
  return `Commands:\n${lines.join('\n')}`
}

/** The exit codes of the program. */
const EXIT = { well: 0, failed: 1, misused: 2 } as const

/** Runs the command that the first argument names and returns the exit code. */
export async function runCommand([name = '', ...args]: readonly string[], io: Omit<Operator, 'args'>): Promise<number> {
  if (!isCommand(name)) {
    io.say(name && !name.startsWith('-') ? `There is no command ${name}.\n${usage()}` : usage())
    return EXIT.misused
  }
  try {
    return (await COMMAND[name].run({ ...io, args })) ? EXIT.well : EXIT.failed
  } catch (error) {
    io.say(`${name}: ${wordsOf(error)}`)
    return EXIT.failed
  }
}

/** What an operator can act on is a sentence; anything else is a fault of ours, whose place is shown. */
function wordsOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof ConfigurationError) return error.flaws.join('\n')
  const { message = String(error), stack = message } = error as Partial<Error>
  return whyUnreachable(error) ?? stack
}
