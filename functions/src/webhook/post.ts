import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { DeliveryError } from '@shop/shared/webhook/webhook.ts'
import { type AddressRules, findTarget, isPublic, resolveHost, type Target } from './address.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Resellers' own machines. */
    webhooks: Webhooks
  }
}

/** The time for a delivery, from the question where its host is to the last byte of the answer. */
const TIMEOUT_MS = 15_000
/** So much of an answer is read. Nothing of it is kept. */
const MOST_BYTES = 20_000
/** One of several addresses has so long until the next is tried; Node's own 250 ms would not reach all of the world. */
const PATIENCE = { autoSelectFamilyAttemptTimeout: 2000 }

/** How a delivery was answered, or why it was not. */
export type Answer = { status: number; retryAfter: string | null } | { error: DeliveryError }

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
}

/** Calls resellers' own machines. Never throws. */
export interface Webhooks {
  /** Returns why nothing would be sent to an address; null when it may be used. */
  check(url: string): Promise<DeliveryError | null>
  /** Looks anew where the address leads, and sends to exactly there. A redirection is an answer like any other. */
  send(post: Post): Promise<Answer>
}

export interface WebhookOptions extends Partial<AddressRules> {
  timeoutMs?: number
  /** Where a receiver that a test runs is found, and who signed its certificate. */
  port?: number
  ca?: string
}

export function createWebhooks(options: WebhookOptions): Webhooks {
  const rules: AddressRules = {
    localOrigin: options.localOrigin,
    resolve: options.resolve ?? resolveHost,
    isPublic: options.isPublic ?? isPublic,
  }
  const { timeoutMs = TIMEOUT_MS } = options
  const look = (url: string) => findTarget(url, rules)
  return {
    async check(url) {
      const found = await within(timeoutMs, () => look(url))
      return 'error' in found ? found.error : null
    },
    send: post =>
      within(timeoutMs, async ended => {
        const target = await look(post.url)
        return 'error' in target ? target : call(target, post, options, ended)
      }),
  }
}

/** Ends work that takes too long. The signal that it gets tells it to stop. */
async function within<Done>(
  timeoutMs: number,
  work: (ended: AbortSignal) => Promise<Done>,
): Promise<Done | { error: DeliveryError }> {
  const ended = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<{ error: 'too_slow' }>()
  const timer = setTimeout(() => {
    resolve({ error: 'too_slow' })
    ended.abort()
  }, timeoutMs)
  return Promise.race([late, work(ended.signal)]).finally(() => clearTimeout(timer))
}

/** Gives a connection the addresses that were judged, and asks nobody. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIP(address) }))
  return (_, { all: wantsAll }, answer) =>
    wantsAll ? answer(null, all) : answer(null, all[0]!.address, all[0]!.family)
}

/** Sends a delivery. What it ends with, when it fails, is told by how far it came. */
function call(
  { url, host, addresses }: Target,
  { headers, body }: Post,
  { port, ca }: WebhookOptions,
  ended: AbortSignal,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const isTls = url.protocol === 'https:'
  let failure: DeliveryError = 'unreachable'
  const request = (isTls ? https : http).request({
    method: 'POST',
    host,
    port: port ?? url.port,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      'user-agent': 'topup-shop-webhooks/1.0',
      ...headers,
    },
    // No connection of another delivery, which may have been judged otherwise.
    agent: false,
    signal: ended,
    ...PATIENCE,
    ...(addresses && { lookup: lookupOf(addresses) }),
    ...(isTls && { servername: isIP(host) ? '' : host, rejectUnauthorized: true, ca }),
  })
  request.on('socket', socket => {
    socket.once('connect', () => {
      failure = isTls ? 'no_tls' : 'broken'
    })
    ;(socket as TLSSocket).once('secureConnect', () => {
      failure = 'broken'
    })
  })
  request.on('response', response => {
    const answer = { status: response.statusCode!, retryAfter: response.headers['retry-after'] ?? null }
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes < MOST_BYTES) return
      resolve(answer)
      request.destroy()
    })
    response.on('end', () => resolve(answer))
    response.on('error', () => resolve({ error: 'broken' }))
  })
  request.on('error', () => resolve({ error: failure }))
  // Also when the other side speaks another protocol, which is told by no error.
  request.on('close', () => resolve({ error: failure }))
  request.end(body)
  return promise
}
