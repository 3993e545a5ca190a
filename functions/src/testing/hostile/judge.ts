import { ERROR_CODES } from '@shop/shared/errors.ts'
import { type Action, type Caller, can } from '@shop/shared/permissions.ts'
import { errorsOf } from '../../call/endpoint-errors.ts'
import type { Answer, HostileRequest } from './requests.ts'

/** What no reply may hold, what none but staff may read, and whose money it is: who keeps the books reads that, too. */
export interface Secrets {
  always: readonly string[]
  ofOthers: readonly string[]
  names: readonly string[]
}

/** Inner workings: stacks, statements, hashes. */
const INSIDE = /node_modules|\bat .+\.ts:\d+|\$argon2|SELECT .+ FROM|INSERT INTO|violates|syntax error/

/** What an answer does wrong; null when nothing. */
export function faultOf(request: HostileRequest, answer: Answer, secrets: Secrets): string | null {
  const { status, text } = answer
  if (status >= 500) return `answered ${status}`
  const found = secretIn(text, request, secrets)
  if (found) return `told ${found}`
  if (status >= 400 && !isWellShaped(request, answer)) return `answered ${status} in another shape`
  const unlisted = unlistedCodeOf(request, answer)
  if (unlisted) return `answered ${unlisted}, which is none of its errors`
  if (status === 429 && !answer.headers['retry-after']) return 'answered 429 without Retry-After'
  if (request.isToEndpoint && status < 400 && !mayCall(request)) return `answered ${status} to whom it is not for`
  return null
}

function secretIn(text: string, { visitor }: HostileRequest, { always, ofOthers, names }: Secrets): string | null {
  const caller = (visitor.caller ?? 'guest') as Caller
  const hidden = [
    ...always,
    ...(can(caller, 'order.work') ? [] : ofOthers),
    ...(can(caller, 'order.look') ? [] : names),
  ]
  return hidden.find(secret => text.includes(secret)) ?? INSIDE.exec(text)?.[0] ?? null
}

function mayCall({ visitor, endpoint }: HostileRequest): boolean {
  return visitor.caller !== null && can(visitor.caller as Caller, endpoint.allow as Action)
}

/** The code of a refusal that the endpoint does not say it may answer. */
function unlistedCodeOf({ endpoint, isToEndpoint, method }: HostileRequest, { status, text }: Answer): string | null {
  if (!isToEndpoint || status < 400 || method === 'HEAD' || text === '') return null
  const { code } = refusalIn(text)
  return code && !(errorsOf(endpoint) as ReadonlySet<string>).has(code) ? code : null
}

function refusalIn(text: string): { code?: string; message?: string } {
  const { error, ...plain } = JSON.parse(text) as { error?: { details: object } }
  return error?.details ?? plain
}

function isWellShaped({ method }: HostileRequest, { status, headers, text }: Answer): boolean {
  // What Node's own parser refuses has no body.
  if (method === 'HEAD' || (text === '' && [400, 431].includes(status))) return true
  if (!String(headers['content-type']).startsWith('application/json')) return false
  const { code, message } = refusalIn(text)
  return (ERROR_CODES as string[]).includes(code ?? '') && typeof message === 'string' && message !== ''
}
