import type { Satang } from '@shop/shared/money.ts'
import type { SlipProviderName } from '@shop/shared/provider-names.ts'
import type { SlipAnswer } from '@shop/shared/slipcheck/reply.ts'
import type { Access } from '../asking/choice.ts'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { askJson, type JsonReply } from '../http/ask-json.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when slips are not checked. */
    slipProvider: SlipProvider | null
  }
}

export interface SlipQuestion {
  /** The exact text of the mini QR. */
  qrText: string
  amountSatang: Satang
}

/** An answer with the reply that it was read from. */
export interface AskedSlip {
  answer: SlipAnswer
  /** null when no reply came. */
  httpStatus: number | null
  /** The provider's own code. */
  code: string | null
  /** The reply as JSON; null when it was not JSON. */
  raw: unknown
}

/** What a provider says of the shop's own account there, without a slip. */
export type ProviderStanding =
  /** `left` is the number of questions that remain; null when the provider does not say. */
  { kind: 'ok'; left: number | null } | { kind: 'refused'; httpStatus: number } | { kind: 'silent' }

/** A service that learns about transfers from banks. */
export interface SlipProvider {
  name: SlipProviderName
  /** Asks about a slip. Never throws: every failure on the way is an answer. */
  ask(question: SlipQuestion): Promise<AskedSlip>
  /** Asks whether the keys are right, which costs no question. Never throws. */
  standing(): Promise<ProviderStanding>
}

const verdictOn = (kind: (SlipAnswer | ProviderStanding)['kind']): KeyVerdict =>
  kind === 'refused' ? 'refused' : kind === 'unreachable' || kind === 'silent' ? null : 'accepted'

/** Asks with each of several keys until the provider takes one; a question that it refuses costs nothing. */
export function withAnyKey<Keys extends Readonly<Record<string, string>>>(
  keys: readonly Keys[],
  make: (keys: Keys) => SlipProvider,
  onAccepted?: Access<string>['onAccepted'],
): SlipProvider {
  const clients = keys.map(each => ({ keys: each, ...make(each) }))
  const asking = askWithAny(clients, client => onAccepted?.(client.keys))
  return {
    name: clients[0]!.name,
    ask: question =>
      asking(
        client => client.ask(question),
        ({ answer }) => verdictOn(answer.kind),
      ),
    standing: () =>
      asking(
        client => client.standing(),
        ({ kind }) => verdictOn(kind),
      ),
  }
}

/** Reads a provider's own replies; failures that all providers share are handled before. */
type ReadReply = (reply: JsonReply) => { answer: SlipAnswer | null; code: string | null }

/**
 * Asks over HTTP and reads the reply. @param read returns a null answer for a reply that the provider's documentation
 * does not describe
 */
export async function askByPost(
  call: { url: string; headers: Record<string, string>; body: object; timeoutMs: number },
  read: ReadReply,
): Promise<AskedSlip> {
  const reply = await askJson(call.url, { json: call.body, headers: call.headers, timeoutMs: call.timeoutMs })
  const seconds = Number.parseInt(reply?.headers.get('retry-after') ?? '', 10)
  const silent = { answer: { kind: 'unreachable', retryAfterSeconds: seconds >= 0 ? seconds : null } } as const
  if (!reply) return { ...silent, httpStatus: null, code: null, raw: null }
  const kept = { httpStatus: reply.status, raw: reply.body ?? null }
  if (typeof reply.body !== 'object' || reply.body === null) return { ...silent, ...kept, code: null }
  const { answer, code } = read(reply)
  const isOverloaded = reply.status >= 500 || reply.status === 429
  if (answer) return { answer, ...kept, code }
  return { ...(isOverloaded ? silent : { answer: { kind: 'unknown' } as const }), ...kept, code }
}

/** @param leftIn returns the remaining questions that a good reply names */
export async function readStanding(
  call: { url: string; headers: Record<string, string>; timeoutMs: number },
  leftIn: (body: unknown) => number | null,
): Promise<ProviderStanding> {
  const reply = await askJson(call.url, call)
  if (!reply || reply.status >= 500 || reply.status === 429) return { kind: 'silent' }
  return reply.status === 200 ? { kind: 'ok', left: leftIn(reply.body) } : { kind: 'refused', httpStatus: reply.status }
}

/** Returns the given names, each once. */
export const namesOf = (...told: (string | null | undefined)[]): string[] => [
  ...new Set(told.map(name => name?.trim() ?? '').filter(name => name !== '')),
]

const ACCOUNT_TYPES = ['BANKAC']
const PROXY_TYPES = ['MSISDN', 'NATID', 'EWALLETID']

/** A text in place of an account ("TOKEN", "DUMMY") only hides it, so there is no number to compare. */
export const accountOf = (type: string | null | undefined, value: string | null | undefined): string | null =>
  (ACCOUNT_TYPES.includes(type ?? '') && value) || null

export const proxyOf = (type: string | null | undefined, value: string | null | undefined): string | null =>
  (PROXY_TYPES.includes(type ?? '') && value) || null
