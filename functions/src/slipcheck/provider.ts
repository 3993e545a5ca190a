import type { Satang } from '@shop/shared/money.ts'
import type { SlipAnswer } from '@shop/shared/slipcheck/reply.ts'

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
  name: 'slipok' | 'easyslip'
  /** Never throws: whatever goes wrong on the way is an answer. */
  ask(question: SlipQuestion): Promise<AskedSlip>
}

interface JsonReply {
  status: number
  /** undefined when it is no JSON. */
  body: unknown
  retryAfterSeconds: number | null
}

/** Posts JSON; null when no whole reply came in time. A redirect is none: it would take the key elsewhere. */
async function postJson(url: string, headers: Record<string, string>, body: object, timeoutMs: number) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
    return { status: response.status, body: parseJson(text), retryAfterSeconds: seconds >= 0 ? seconds : null }
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
  const reply = await postJson(call.url, call.headers, call.body, call.timeoutMs)
  const silent = { answer: { kind: 'unreachable', retryAfterSeconds: reply?.retryAfterSeconds ?? null } } as const
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
