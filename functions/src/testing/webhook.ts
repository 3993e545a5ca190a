import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import type { WebhookEvent } from '@shop/shared/webhook/webhook.ts'
import { createAuthority, createCertificate } from 'local/x509.ts'
import { uuidv7 } from 'uuidv7'
import { isPublic } from '../webhook/address.ts'
import { type Answer, createWebhooks, type Post, type WebhookOptions } from '../webhook/post.ts'
import { newSecret } from '../webhook/sign.ts'
import { insertEndpoint } from '../webhook/store.ts'
import type { TestShop } from './shop.ts'

/** Stands for a public address: nothing else of this machine is taken for one. */
export const RECEIVER_ADDRESS = '127.0.0.2'
export const HOST = 'hook.reseller.example'

const authority = createAuthority('receivers of tests')
const certificate = createCertificate(HOST, [HOST], authority)

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A reseller's machine. */
export interface Receiver {
  port: number
  received: Received[]
  /** How many connections there were, also those that sent nothing. */
  connections: number
  /** What it answers; 204 unless a test says otherwise. */
  answer: RequestListener
  stop: () => Promise<void>
}

export interface ReceiverOptions {
  address?: string
  /** null for a machine that speaks http. */
  tls?: { key: string; cert: string } | null
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { address = RECEIVER_ADDRESS, tls = certificate } = options
  const it: Receiver = {
    port: 0,
    received: [],
    connections: 0,
    answer: (_, response) => void response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url = '', headers } = request
    it.received.push({ method, path: url, headers, body: Buffer.concat(parts).toString() })
    it.answer(request, response)
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', () => it.connections++)
  server.listen(0, address)
  await once(server, 'listening')
  it.port = (server.address() as AddressInfo).port
  return it
}

/** The shop's own caller, which finds every host at the receiver unless a test says otherwise. */
export const webhooksTo = ({ port }: Pick<Receiver, 'port'>, options: WebhookOptions = {}) =>
  createWebhooks({
    resolve: async () => [RECEIVER_ADDRESS],
    isPublic: address => address === RECEIVER_ADDRESS || isPublic(address),
    port,
    ca: authority.cert,
    ...options,
  })

/** Answers deliveries without a network, one after the other; the last answer goes on. */
export function scriptWebhooks(
  { shop }: TestShop,
  ...answers: (number | Answer | ((post: Post) => Promise<Answer>))[]
) {
  const sent: Post[] = []
  shop.webhooks = {
    check: async () => null,
    async send(post) {
      sent.push(post)
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (typeof answer === 'function') return answer(post)
      return typeof answer === 'number' ? { status: answer, retryAfter: null } : answer
    },
  }
  return sent
}

/** An endpoint of somebody, whatever its address. Returns its id and secret. */
export async function addEndpoint(
  { db, shop, clock }: TestShop,
  uid: string,
  { mode = 'live', url = `https://${HOST}/hook` }: { mode?: KeyMode; url?: string } = {},
): Promise<{ id: string; secret: string }> {
  const [id, secret] = [uuidv7(), newSecret()]
  const sealed = shop.vouchers!.sealText(id, secret)
  await insertEndpoint(db, { id, uid, mode, url, secret: sealed, createdAt: clock.now })
  return { id, secret }
}

export interface StoredMessage {
  id: string
  endpointId: string
  type: WebhookEvent
  body: string
  state: string
  tries: number
  lastStatus: number | null
  lastError: string | null
  nextAt: Date | null
}

/** All messages, in the order in which they were put. */
export const messagesOf = ({ db }: TestShop): Promise<StoredMessage[]> =>
  db.query<StoredMessage>({
    text: `SELECT m.id, endpoint_id AS "endpointId", type, body, state, tries, last_status AS "lastStatus", last_error AS "lastError",
      next_at AS "nextAt" FROM webhook_message m JOIN webhook_endpoint e ON e.id = m.endpoint_id
      ORDER BY m.created_at, e.created_at, m.type`,
  })

interface EndpointState {
  isOn: boolean
  offFor: string | null
  failingSince: Date | null
  restsUntil: Date | null
}

export async function endpointOf({ db }: TestShop, id: string): Promise<EndpointState> {
  const [row] = await db.query<EndpointState>({
    text: `SELECT is_on AS "isOn", off_for AS "offFor", failing_since AS "failingSince", rests_until AS "restsUntil"
      FROM webhook_endpoint WHERE id = $1`,
    values: [id],
  })
  return row!
}
