import { within } from '../../asking/within.ts'
import { sqlState } from '../../database/database.ts'
import { whyUnreachable } from '../../database/reach.ts'
import type { Command } from '../operator.ts'
import { CHECK, type Check } from './checks.ts'
import { type Finding, ok, openPatient, type Patient, readPatient, skipped, wrong } from './patient.ts'

const LIMIT_MS = 20_000
const MISSING_RIGHT = '42501'

const WORD: Record<Finding['kind'], string> = { ok: 'ok', wrong: 'WRONG', note: 'note', skipped: '-' }

const show = (about: string, { kind, words }: Finding): string =>
  `${WORD[kind].padEnd(6)} ${about.padEnd(20)} ${words}`.trimEnd()

export const doctor: Command = {
  does: 'looks at everything that the shop needs, with the variables of the server; one line each',
  async run({ variables, say }) {
    const read = readPatient(variables)
    if ('flaws' in read) {
      for (const flaw of read.flaws) say(show('configuration', wrong(flaw)))
      say('The rest is looked at when the configuration can be read.')
      return false
    }
    say(show('configuration', ok(`NODE_ENV ${read.config.NODE_ENV}`)))
    const patient = openPatient(read.config)
    try {
      return await examine(patient, say)
    } finally {
      await patient.db.close()
    }
  },
}

/** Looks at everything and tells it in the table's order. Returns whether nothing is wrong. */
export async function examine(patient: Patient, say: (line: string) => void, limitMs = LIMIT_MS): Promise<boolean> {
  const reach = await ask(CHECK.reach, patient, limitMs)
  const isReached = reach.every(({ kind }) => kind !== 'wrong')
  const others = Object.values<Check>(CHECK).filter(check => check !== CHECK.reach)
  const found = await Promise.all(
    others.map(async check => {
      if (check.inDatabase && !isReached) return { check, findings: [skipped('the database can not be reached')] }
      return { check, findings: await ask(check, patient, limitMs) }
    }),
  )
  const all = [{ check: CHECK.reach as Check, findings: reach }, ...found]
  for (const { check, findings } of all) for (const finding of findings) say(show(check.about, finding))
  return all.every(({ findings }) => findings.every(({ kind }) => kind !== 'wrong'))
}

/** Asks one thing within its time; what it throws is a finding, too. */
async function ask(check: Check, patient: Patient, limitMs: number): Promise<Finding[]> {
  const late = () => wrong(`There was no answer within ${limitMs / 1000} s.`)
  try {
    return [await within(limitMs, Promise.resolve(check.run(patient)), late)].flat()
  } catch (error) {
    return [wrong(wordsOf(error, check))]
  }
}

function wordsOf(error: unknown, check: Check): string {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: unknown }
  const isOfDatabase = check === CHECK.reach || check.inDatabase
  const reason = isOfDatabase ? whyUnreachable(error) : whyUnanswered(cause)
  if (reason) return reason
  if (isOfDatabase && sqlState(error) === MISSING_RIGHT)
    return `The role of DATABASE_URL lacks a right (${message}): run \`migrate\` as the owner.`
  return message
}

/** Tells in words why a host gave no answer; null when the cause is another. */
function whyUnanswered(cause: unknown): string | null {
  const { code, hostname, message } = (cause ?? {}) as { code?: string; hostname?: string; message?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${hostname}: is its address right?`
  return code ? `There is no answer (${message ?? code}).` : null
}
