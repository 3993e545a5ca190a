import type { Satang } from '@shop/shared/money.ts'
import type { SlipProviderName } from '@shop/shared/provider-names.ts'
import type { SlipAnswer } from '@shop/shared/slipcheck/reply.ts'
import { askJson, type JsonReply } from '../http/ask-json.ts'

export interface SlipQuestion {
  /** The mini QR, word for word. */
  qrText: string
  amountSatang: Satang
}

/** An answer with what is kept of how it came. */
export interface AskedSlip {
  answer: SlipAnswer
  /** null when no reply came. */
  httpStatus: number | null
  /** The provider's own code. */
  code: string | null
  /** The reply as JSON; null when it was none. */
  raw: unknown
}

/** Somebody whom banks tell about transfers. */
export interface SlipProvider {
  name: SlipProviderName
  /** Never throws: whatever goes wrong on the way is an answer. */
  ask(question: SlipQuestion): Promise<AskedSlip>
}

/** How a provider's own replies are read; what every provider has in common is settled before. */
type ReadReply = (reply: JsonReply) => { answer: SlipAnswer | null; code: string | null }

/**
 * Asks over HTTP and reads the reply.
 * @param read its answer is null for a reply that the provider's documents don't know
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

/** The names that are told, each once. */
export const namesOf = (...told: (string | null | undefined)[]): string[] => [
  ...new Set(told.map(name => name?.trim() ?? '').filter(name => name !== '')),
]

const ACCOUNT_TYPES = ['BANKAC']
const PROXY_TYPES = ['MSISDN', 'NATID', 'EWALLETID']

/** What stands for an account only hides it ("TOKEN", "DUMMY"): no number to compare. */
export const accountOf = (type: string | null | undefined, value: string | null | undefined): string | null =>
  (ACCOUNT_TYPES.includes(type ?? '') && value) || null

export const proxyOf = (type: string | null | undefined, value: string | null | undefined): string | null =>
  (PROXY_TYPES.includes(type ?? '') && value) || null
