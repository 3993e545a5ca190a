import { randomBytes } from 'node:crypto'
import { urlOf } from '@shop/shared/client.ts'
import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { KEY_MODE, KEY_SCOPES, type KeyMode, type KeyScope } from '@shop/shared/reseller/reseller.ts'
import { hashSecret } from '../account/caller.ts'
import { insertKey } from '../reseller/key-store.ts'
import type { TestShop } from './shop.ts'

interface MadeKey {
  id: string
  token: string
}

/** Stores a key of an account, as its page would make it. */
export async function addKey(
  { db, clock }: Pick<TestShop, 'db' | 'clock'>,
  uid: string,
  of: { mode?: KeyMode; scopes?: KeyScope[]; addresses?: string[]; dailyLimitSatang?: number | null } = {},
): Promise<MadeKey> {
  const { mode = 'live', scopes = [...KEY_SCOPES], addresses = [], dailyLimitSatang = null } = of
  const id = KEY_MODE[mode].prefix + randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const key = { id, uid, name: `key of ${uid}`, mode, scopes, addresses, dailyLimitSatang }
  await db.transaction(tx => insertKey(tx, { ...key, secretHash: hashSecret(secret), createdAt: clock.now }))
  return { id, token: `${id}.${secret}` }
}

export interface Answered<Body> {
  status: number
  body: Body
  headers: Headers
}
export interface ApiFailure {
  code: string
  message: string
  requestId: string
  fields?: Record<string, string>
  details?: Record<string, unknown>
}

/** A program of an agent: calls the API with a key from an address. */
export function machineOf(
  request: (path: string, init?: RequestInit) => Promise<Response>,
  token: string | null,
  address = '203.0.113.9',
) {
  async function send<E extends EndpointShape>(
    endpoint: E,
    ...[input]: object extends EndpointInput<E> ? [input?: EndpointInput<E>] : [input: EndpointInput<E>]
  ): Promise<Answered<Reply<E> & ApiFailure>> {
    const loose = (input ?? {}) as { body?: unknown }
    const response = await request(urlOf(endpoint, loose as never), {
      method: endpoint.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(loose.body !== undefined && { 'content-type': 'application/json' }),
        'x-forwarded-for': address,
      },
      body: loose.body === undefined ? undefined : JSON.stringify(loose.body),
    })
    const body = (await response.json()) as Reply<E> & ApiFailure
    return { status: response.status, body, headers: response.headers }
  }
  return send
}
