import { AppError } from '@shop/shared/errors.ts'
import { Refusal } from '../database/refusal.ts'
import { currentRequestId } from './request-id.ts'

type Severity = 'INFO' | 'WARNING' | 'ERROR'
export type LogFields = Record<string, unknown>

/** The control characters that JSON does not escape. */
const CONTROL = /[\u007f-\u009f\u2028\u2029]/g
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Writes one line of JSON in the form that Cloud Logging reads. `message` is a fixed text, and `fields` must not hold
 * anything that came from people either (paths, names, ids, tokens). The line names the request that it is about.
 */
export function log(severity: Severity, message: string, fields: LogFields = {}): void {
  const requestId = currentRequestId() ?? undefined
  const line = JSON.stringify({ severity, message, requestId, ...fields }).replace(CONTROL, escaped)
  const stream = severity === 'INFO' ? process.stdout : process.stderr
  stream.write(`${line}\n`)
}

/** The driver's facts about a failed statement that hold no parameters; its `message` and `detail` quote them. */
const PLAIN_FACTS = ['code', 'syscall', 'severity', 'table', 'column', 'constraint', 'routine', 'statement'] as const

/** These messages are fixed texts of ours. Those of the configuration name variables and never hold their values. */
const OUR_MESSAGES = /^(invariant broken|configuration): /

/**
 * Returns what is safe to log about an error. Libraries quote people's input in their messages, so only our own fixed
 * messages are kept; the stack's frames show where it happened.
 */
export function factsOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { name: typeof error }
  const plain = error as unknown as Record<string, unknown>
  const facts: LogFields = { name: error.name }
  for (const key of PLAIN_FACTS) if (typeof plain[key] === 'string') facts[key] = plain[key]
  // A refusal is a sentence for operators: it names roles and migrations, never people.
  if (OUR_MESSAGES.test(error.message) || error instanceof Refusal) facts.message = error.message
  if (Array.isArray(plain.issues)) facts.issues = plain.issues.slice(0, 10).map(issueOf)
  if (!(error instanceof AppError)) facts.stack = framesOf(error)
  if (error.cause !== undefined) facts.cause = factsOf(error.cause)
  return facts
}

/** Returns the place and kind of a schema's complaint. */
function issueOf(issue: unknown): string {
  const { path = [], code = '' } = (issue ?? {}) as { path?: unknown[]; code?: string }
  return `${path.map(String).join('.')} ${code}`
}

function framesOf({ stack = '', message }: Error): string[] {
  const frames = message ? stack.slice(stack.lastIndexOf(message) + message.length) : stack
  return frames
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('at '))
    .slice(0, 8)
}
