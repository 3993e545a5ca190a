import { CHANGE_ID, type EndpointInput, type EndpointShape, fileLimitOf, fileRefusal, type Reply } from './endpoint.ts'
import { AppError } from './errors.ts'

export interface ClientOptions {
  /** Origin of the API; '' for the page's own origin. */
  baseUrl: string
  /** Headers for each call, e.g. Authorization and Guest-Key. */
  headers: () => Promise<Record<string, string>> | Record<string, string>
  fetch?: typeof fetch
  /** Called once when a call answers 401 with a token that was sent. */
  onUnauthenticated?: (error: AppError) => void
  /** Called once when a call answers 403. */
  onForbidden?: (error: AppError) => void
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: Blob
  idempotencyKey?: string
}

/** Builds the URL of a call; throws when a path parameter is missing. */
export function urlOf(endpoint: EndpointShape, input: LooseInput = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = input.params?.[name]
    if (value === undefined || value === '') throw new Error(`missing path parameter ${name} of ${endpoint.path}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined || value === null || value === '') continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** Returns what is sent as the body of a call. @throws its `_TOO_LARGE` */
function bodyOf(endpoint: EndpointShape, input: LooseInput): FormData | string | undefined {
  if (endpoint.bodyKind === 'file') {
    // A server that stops reading halfway can't always say why, so the size is checked here first.
    const isTooLarge = (input.file as Blob).size > fileLimitOf(endpoint)
    if (isTooLarge) throw fileRefusal(endpoint, '_TOO_LARGE') ?? new AppError('PAYLOAD_TOO_LARGE')
    const body = new FormData()
    body.append('file', input.file as Blob)
    return body
  }
  return endpoint.body && JSON.stringify(endpoint.callable ? { data: input.body } : input.body)
}

async function read<E extends EndpointShape>(endpoint: E, response: Response): Promise<Reply<E>> {
  if (endpoint.replyKind) return (await response.blob()) as Reply<E>
  const reply = await response.json()
  return (endpoint.callable ? reply.result : reply) as Reply<E>
}

export type Client = ReturnType<typeof createClient>

/** The typed client: `call(endpoint, input)` resolves with the reply or rejects with an `AppError`. */
export function createClient(options: ClientOptions) {
  async function send(endpoint: EndpointShape, input: LooseInput, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { ...(await options.headers()) }
    if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey
    const body = bodyOf(endpoint, input)
    if (typeof body === 'string') headers['content-type'] = 'application/json'
    const response = await (options.fetch ?? fetch)(options.baseUrl + urlOf(endpoint, input), {
      method: endpoint.method,
      headers,
      body,
      signal,
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      throw Object.assign(new AppError('UNAVAILABLE'), { cause })
    })
    if (response.ok) return response
    const failure = await response.json().catch(() => null)
    const error = AppError.fromBody(response.status, endpoint.callable ? failure?.error?.details : failure)
    if (response.status === 401 && headers.authorization) options.onUnauthenticated?.(error)
    if (response.status === 403 && headers.authorization) options.onForbidden?.(error)
    throw error
  }

  async function call<E extends EndpointShape>(
    endpoint: E,
    ...[input, signal]: object extends EndpointInput<E>
      ? [input?: EndpointInput<E>, signal?: AbortSignal]
      : [input: EndpointInput<E>, signal?: AbortSignal]
  ): Promise<Reply<E>> {
    return read(endpoint, await send(endpoint, (input ?? {}) as LooseInput, signal))
  }

  /** Calls a write of the back office and returns its reply with the id by which it can be undone. */
  async function change<E extends EndpointShape>(
    endpoint: E,
    input: EndpointInput<E>,
  ): Promise<{ reply: Reply<E>; changeId: string | null }> {
    const response = await send(endpoint, input as LooseInput)
    return { reply: await read(endpoint, response), changeId: response.headers.get(CHANGE_ID) }
  }

  /** Returns TanStack Query options of an endpoint that only reads. */
  function query<E extends EndpointShape>(
    endpoint: E,
    ...[input]: object extends EndpointInput<E> ? [input?: EndpointInput<E>] : [input: EndpointInput<E>]
  ) {
    const loose = (input ?? {}) as LooseInput
    return {
      queryKey: [endpoint.path, loose.params ?? {}, loose.query ?? loose.body ?? {}] as const,
      queryFn: ({ signal }: { signal?: AbortSignal }): Promise<Reply<E>> =>
        (call as (endpoint: E, input: LooseInput, signal?: AbortSignal) => Promise<Reply<E>>)(endpoint, loose, signal),
    }
  }

  /** Returns a file's answer while it arrives, for files that may be large. */
  const open = <E extends EndpointShape>(endpoint: E, input: EndpointInput<E>, signal: AbortSignal) =>
    send(endpoint, input as LooseInput, signal)

  return { call, change, query, open }
}
