import { createHmac, timingSafeEqual } from 'node:crypto'
import { addSeconds } from '@shop/shared/time.ts'
import type * as z from 'zod'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { askJson, type JsonReply, readJson } from '../http/ask-json.ts'
import type { GatewayFailure } from './provider.ts'

/** What the clients of all gateways are made from. */
export interface GatewayOptions<SecretKey extends string, WebhookSecret extends string> {
  baseUrl: string
  /** The newest first; several while one takes the place of another. */
  keys: readonly Readonly<Record<SecretKey | WebhookSecret, string>>[]
  timeoutMs: number
  now: () => Date
  /** Called with the key that a call or a webhook was accepted with. */
  onAccepted?: (keys: Readonly<Record<string, string>>) => Promise<void>
}

/** How a gateway's secret keys begin. */
export interface KeyStarts {
  live: string
  test: string
}
/** Whether a key moves real money. */
export const isLiveKey = (key: string, { live, test }: KeyStarts): boolean =>
  key.startsWith(live) && !key.startsWith(test)

type Answered<T> = { kind: 'ok'; value: T } | GatewayFailure

/** A call to a gateway; `form` makes it a POST. */
export interface GatewayCall {
  path: string
  form?: Record<string, string>
  headers?: Record<string, string>
}

export type AskGateway = <T>(call: GatewayCall, schema: z.ZodType<T>) => Promise<Answered<T>>

const retryAtOf = ({ headers }: JsonReply, now: Date): Date | null => {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return seconds >= 0 ? addSeconds(now, seconds) : null
}

const isGood = ({ status }: JsonReply): boolean => status >= 200 && status < 300

/** The statuses that say for sure that nothing was done. */
const REFUSED = [400, 402, 422]

/** An error counts as the gateway's only when it reads like one: what stands in between has pages of its own. */
function failureOf(reply: JsonReply | null, error: z.ZodType<string | null>, now: Date): GatewayFailure {
  if (!reply) return { kind: 'silent' }
  if (reply.status === 429) return { kind: 'busy', retryAt: retryAtOf(reply, now) }
  const told = error.safeParse(reply.body)
  if (!told.success) return { kind: 'silent' }
  if (reply.status === 401 || reply.status === 403) return { kind: 'barred', code: told.data }
  if (reply.status === 404) return { kind: 'missing' }
  return REFUSED.includes(reply.status) ? { kind: 'refused', code: told.data } : { kind: 'silent' }
}

/** A call with a key that is not known does nothing, so that the same may be asked with another. */
function judgeKey(reply: JsonReply | null): KeyVerdict {
  if (reply?.status === 401) return 'refused'
  return reply && isGood(reply) ? 'accepted' : null
}

/**
 * Makes what asks a gateway with any of its keys. @param authorize returns the headers of every call with a key
 * @param error reads the code of an error, null for one without a code; it fails for what is no error of the gateway
 */
export function createAsking<Name extends string>(
  { baseUrl, keys, timeoutMs, now, onAccepted }: GatewayOptions<Name, never>,
  secretKey: Name,
  authorize: (key: string) => Record<string, string>,
  error: z.ZodType<string | null>,
): { ask: AskGateway; standing(path: string): Promise<Standing> } {
  const own = [...new Set(keys.map(each => each[secretKey]))]
  const asking = askWithAny(own, key => onAccepted?.({ [secretKey]: key }))
  const reply = ({ path, form, headers }: GatewayCall) =>
    asking(
      key =>
        askJson(`${baseUrl}${path}`, {
          form: form && new URLSearchParams(form),
          headers: { ...authorize(key), ...headers },
          timeoutMs,
        }),
      judgeKey,
    )
  return {
    async ask(call, schema) {
      const replied = await reply(call)
      if (!replied || !isGood(replied)) return failureOf(replied, error, now())
      const told = schema.safeParse(replied.body)
      return told.success ? { kind: 'ok', value: told.data } : { kind: 'silent' }
    },
    async standing(path) {
      const replied = await reply({ path })
      if (!replied || replied.status >= 500 || replied.status === 429) return { kind: 'silent' }
      return isGood(replied) ? { kind: 'ok' } : { kind: 'refused', httpStatus: replied.status }
    },
  }
}

type Standing = { kind: 'ok' } | { kind: 'refused'; httpStatus: number } | { kind: 'silent' }

/** A webhook that is older, or that far ahead of our clock, may have been kept and resent by somebody. */
const WEBHOOK_MS = 5 * 60_000

const HEX_SHA256 = /^[0-9a-f]{64}$/i

/** A webhook as it came. */
export interface Webhook {
  /** The signatures in hex of `timestamp.rawBody`; there are several while a gateway changes its secret. */
  signed: readonly string[]
  /** In unix seconds. */
  timestamp: string
  rawBody: Buffer
  now: Date
}

/** Returns the secret that signed a webhook; null when none did, or at another time. */
function findSigner(webhook: Webhook, secrets: readonly string[], keyOf: (secret: string) => Buffer): string | null {
  const { signed, timestamp, rawBody, now } = webhook
  if (!/^\d{1,11}$/.test(timestamp)) return null
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > WEBHOOK_MS) return null
  const given = signed.filter(text => HEX_SHA256.test(text)).map(text => Buffer.from(text, 'hex'))
  const isSigner = (secret: string) => {
    const right = createHmac('sha256', keyOf(secret)).update(`${timestamp}.`).update(rawBody).digest()
    return given.some(each => timingSafeEqual(each, right))
  }
  return secrets.find(isSigner) ?? null
}

/**
 * Makes what hears webhooks that any of the secrets signed. @param keyOf returns the key that a secret stands for
 * @param event reads which charge an event is about; it fails for events about something else
 */
export function createHearing<Name extends string>(
  { keys, onAccepted }: Pick<GatewayOptions<Name, never>, 'keys' | 'onAccepted'>,
  webhookSecret: Name,
  keyOf: (secret: string) => Buffer,
  event: z.ZodType<string>,
): (webhook: Webhook) => { reference: string | null } | null {
  const secrets = [...new Set(keys.map(each => each[webhookSecret]))]
  return webhook => {
    const secret = findSigner(webhook, secrets, keyOf)
    if (secret === null) return null
    void onAccepted?.({ [webhookSecret]: secret })
    const told = event.safeParse(readJson(webhook.rawBody.toString('utf8')))
    return { reference: told.success ? told.data : null }
  }
}
