// A client of the resellers' API: types from the document (schema.d.ts), patience with what passes, errors by their codes.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Order = components['schemas']['Order']
export type OrderInput = paths['/reseller/v1/orders']['post']['requestBody']['content']['application/json']
export type Package =
  paths['/reseller/v1/packages']['get']['responses'][200]['content']['application/json']['packages'][number]
type Failure = components['schemas']['Error']

/** The API refused a call. `code` says why, and does not change; `message` is Thai text for people. */
export class ResellerError extends Error {
  readonly code: Failure['code']
  readonly status: number
  readonly requestId: string
  readonly details: Failure['details']

  constructor(status: number, { code, message, requestId, details }: Failure) {
    super(message)
    this.name = 'ResellerError'
    this.code = code
    this.status = status
    this.requestId = requestId
    this.details = details
  }
}

const FINAL: readonly Order['status'][] = ['completed', 'failed', 'canceled']
export const isFinal = ({ status }: Order): boolean => FINAL.includes(status)

const MOST_TRIES = 6
const PASSES = [429, 500, 502, 503, 504]
export const sleep = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

/**
 * Repeats what passes by itself, as long after as Retry-After says. An order is known by its ref, so a repeated one is the
 * same order; all other calls may be made twice anyway.
 */
async function patientFetch(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === MOST_TRIES
    let wait = 2 ** attempt * (0.75 + Math.random() / 2)
    try {
      const reply = await fetch(request.clone(), { signal: AbortSignal.timeout(30_000) })
      if (isLast || !PASSES.includes(reply.status)) return reply
      wait = Number(reply.headers.get('retry-after')) || wait
    } catch (error) {
      if (isLast) throw error
    }
    await sleep(wait)
  }
}

/** The answer of a call. @throws ResellerError */
async function answer<T>(call: Promise<{ data?: T; error?: Failure; response: Response }>): Promise<T> {
  const { data, error, response } = await call
  if (error) throw new ResellerError(response.status, error)
  return data as T
}

/** @param url the shop's address, without a path; @param key as it was shown when it was made */
export function createReseller({ url, key }: { url: string; key: string }) {
  const api = createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    fetch: patientFetch,
  })
  return {
    /** Every call of the API, typed; the others are those that most programs need. */
    api,
    packages: async () => (await answer(api.GET('/reseller/v1/packages'))).packages,
    wallet: () => answer(api.GET('/reseller/v1/wallet')),
    /** Places an order, once for each `ref`. */
    order: (body: OrderInput) => answer(api.POST('/reseller/v1/orders', { body })),
    find: (id: string) => answer(api.GET('/reseller/v1/orders/{id}', { params: { path: { id } } })),
    codes: async (id: string) =>
      (await answer(api.GET('/reseller/v1/orders/{id}/codes', { params: { path: { id } } }))).codes,
  }
}
