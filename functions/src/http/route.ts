import { CATALOGUE_VERSION, toldVersion } from '@shop/shared/catalogue-version.ts'
import {
  CHANGE_ID,
  type EndpointShape,
  fileLimitOf,
  fileRefusal,
  type ParsedInput,
  type ReplyInput,
} from '@shop/shared/endpoint.ts'
import { AppError, type ErrorBody, invariant } from '@shop/shared/errors.ts'
import { type Caller, isBackOffice } from '@shop/shared/permissions.ts'
import type { Context as HonoContext } from 'hono'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { uuidv7 } from 'uuidv7'
import { isUnavailable } from '../database/database.ts'
import type { Shop } from '../shop.ts'
import { callerAddress } from './address.ts'
import { authorise, type Identity, identify, ownerKey } from './caller.ts'
import { hashRequest, type Once } from './idempotency.ts'
import { check, parseJson, requireKnownFilters, requireMediaType, requireSpelling } from './input.ts'
import { holdFile } from './intake.ts'
import { factsOf, log } from './log.ts'
import { readRawBody } from './raw-body.ts'

const JSON_LIMIT_BYTES = 100_000
/** What multipart adds around the file. */
const FORM_OVERHEAD_BYTES = 2000
/** Printable ASCII: a key is compared and kept, never shown. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
const DEFAULT_RETRY_AFTER_SECONDS = 5

/** What a handler gets beside its parsed input. */
export interface Context extends Identity {
  shop: Shop
  now: Date
  /** What guests are counted by: an IPv4 address or the network of an IPv6 one. */
  address: string
  /** Set for endpoints that are `idempotent`. */
  once: Once | null
  /** Set for endpoints that take a file. */
  file: SentFile | null
  /** Of what this request writes to the catalogue; its answer names it. */
  changeId: string
}

export interface SentFile {
  bytes: Buffer
  /** As the sender's device calls it. */
  name: string
}

/** An endpoint of the contract, and how the server answers it. */
export interface Route {
  endpoint: EndpointShape
  answer: (c: HonoContext, shop: Shop) => Promise<Response>
}

/** Binds an endpoint to its handler: identify, authorise, parse, handle, answer. */
export function route<E extends EndpointShape>(
  endpoint: E,
  handle: (input: ParsedInput<E>, context: Context) => Promise<ReplyInput<E>>,
): Route {
  return { endpoint, answer: (c, shop) => answer(c, shop, endpoint, handle as Handle) }
}

type Handle = (input: ParsedInput<EndpointShape>, context: Context) => Promise<unknown>

/** A binary or CSV reply; a stream is read as fast as the caller takes it. */
export interface FileReply {
  body: Uint8Array | ReadableStream<Uint8Array>
  contentType: string
  /** Offered as a download under this name. */
  fileName?: string
}

/** Who does something, and when: what business functions need to know of a request. */
export interface Person {
  uid: string
  role: Caller
  now: Date
  /** Of what this request writes to the catalogue. */
  changeId?: string
}

/** The signed-in person behind a request; only for endpoints that guests can't reach. */
export function personOf({
  uid,
  caller,
  now,
  changeId,
}: Pick<Context, 'uid' | 'caller' | 'now'> & { changeId?: string }): Person {
  invariant(uid, 'only signed-in people reach this')
  return { uid, role: caller, now, changeId }
}

/** The caller's key for what they do once; guests without a key are told apart by address. */
export function callerKey(context: Pick<Context, 'uid' | 'guestHash' | 'address'>): string {
  return ownerKey(context) ?? `a:${context.address}`
}

/** Whom a limit per caller counts: the account, or a guest's address; a guest key is whatever the guest makes it. */
export function limitKey({ uid, address }: Pick<Context, 'uid' | 'address'>): string {
  return uid ? `u:${uid}` : `a:${address}`
}

export function mustBeOnce(context: Context): Once {
  invariant(context.once, 'the endpoint is declared idempotent')
  return context.once
}

async function answer(c: HonoContext, shop: Shop, endpoint: EndpointShape, handle: Handle): Promise<Response> {
  const identity = await identify(c.req, shop)
  authorise(identity, endpoint.allow)
  const address = addressOf(c, shop)
  const changeId = uuidv7()
  const work = async () => {
    const raw = await readBody(c, endpoint)
    const file = endpoint.bodyKind === 'file' ? await readFile(c, endpoint, raw) : null
    const context: Context = { ...identity, shop, now: shop.now(), address, once: null, file, changeId }
    // A form's boundary differs with every try; the file in it does not.
    if (endpoint.idempotent) context.once = onceOf(c, context, file?.bytes ?? raw)
    return handle(parseInput(c, endpoint, raw), context)
  }
  const reply = await (endpoint.bodyKind === 'file' ? holdFile(address, work) : work())
  if (endpoint.replyKind) return fileResponse(reply as FileReply)
  const result = endpoint.reply.parse(reply)
  return c.json(endpoint.callable ? { result } : (result as object), 200, {
    'cache-control': 'no-store',
    [CATALOGUE_VERSION]: knownVersion(shop),
    ...(endpoint.method !== 'GET' && isBackOffice(endpoint.allow) && { [CHANGE_ID]: changeId }),
  })
}

async function readBody(c: HonoContext, endpoint: EndpointShape): Promise<Buffer> {
  if (!endpoint.body && endpoint.bodyKind !== 'file') return Buffer.alloc(0)
  const isFile = endpoint.bodyKind === 'file'
  requireMediaType(c.req.header('content-type'), isFile ? 'multipart/form-data' : 'application/json')
  const limit = isFile ? fileLimitOf(endpoint) + FORM_OVERHEAD_BYTES : (endpoint.bodyLimitBytes ?? JSON_LIMIT_BYTES)
  const tooLarge = () => fileRefusal(endpoint, '_TOO_LARGE') ?? new AppError('PAYLOAD_TOO_LARGE')
  return readRawBody(c.req.raw, limit, tooLarge)
}

async function readFile(c: HonoContext, endpoint: EndpointShape, raw: Buffer): Promise<SentFile> {
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': c.req.header('content-type') ?? '' },
  })
    .formData()
    .catch(() => null)
  const file = form?.get('file')
  if (!(file instanceof File) || file.size === 0)
    throw fileRefusal(endpoint, '_NOT_IMAGE') ?? fileRefusal(endpoint, '_EMPTY') ?? new AppError('INVALID_INPUT')
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name }
}

/** What was asked; `raw` is the body of an endpoint that has one. @throws INVALID_INPUT */
export function parseInput(c: HonoContext, endpoint: EndpointShape, raw?: Buffer): ParsedInput<EndpointShape> {
  let body: unknown
  if (endpoint.body && raw) {
    const json = parseJson(raw)
    const given = endpoint.callable ? (json as { data?: unknown } | null)?.data : json
    requireSpelling(endpoint.body, given)
    body = check(endpoint.body, given)
  }
  const query = queryOf(c)
  requireKnownFilters(endpoint.query, query)
  return {
    params: endpoint.params && check(endpoint.params, c.req.param()),
    query: endpoint.query && check(endpoint.query, query),
    body,
  } as ParsedInput<EndpointShape>
}

function queryOf(c: HonoContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}

function onceOf(c: HonoContext, context: Context, raw: Buffer): Once {
  const key = c.req.header('idempotency-key')
  if (!key || !IDEMPOTENCY_KEY.test(key)) throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
  return { scope: callerKey(context), key, requestHash: hashRequest(c.req.method, c.req.path, raw) }
}

function addressOf(c: HonoContext, { config }: Shop): string {
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming
  return callerAddress({
    forwardedFor: c.req.header('x-forwarded-for'),
    peer: incoming?.socket?.remoteAddress,
    proxiesInFront: config.PROXIES_IN_FRONT,
    hostingNetworks: config.HOSTING_NETWORKS,
  })
}

function fileResponse({ body, contentType, fileName }: FileReply): Response {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  }
  if (fileName) headers['content-disposition'] = `attachment; filename="${fileName}"`
  return new Response(body as ConstructorParameters<typeof Response>[0], { headers })
}

/** The version of the catalogue that this server knows, as it is told. */
const knownVersion = ({ catalogue, now }: Shop): string => String(toldVersion(catalogue.knownVersion(), now()))

/** Answers a failure as the catalogue of errors says; what is not the caller's fault is logged with what caused it. */
export function answerError(error: unknown, c: HonoContext, shop: Shop, callable = false): Response {
  const failure = failureOf(error)
  if (failure.status >= 500) {
    const severity = failure.cause === undefined ? 'WARNING' : 'ERROR'
    log(severity, 'request failed', { method: c.req.method, route: routePath(c, -1), ...factsOfFailure(failure) })
  }
  const body: ErrorBody = failure.toBody()
  const wire = callable ? { error: { status: body.code, message: body.message, details: body } } : body
  const retryAfter = failure.retryAfterSeconds ?? (failure.status === 503 ? DEFAULT_RETRY_AFTER_SECONDS : null)
  return c.json(wire, failure.status as ContentfulStatusCode, {
    'cache-control': 'no-store',
    [CATALOGUE_VERSION]: knownVersion(shop),
    ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
  })
}

/** What went wrong as the catalogue knows it. */
function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(isUnavailable(error) ? 'UNAVAILABLE' : 'INTERNAL', { cause: error })
}

const factsOfFailure = (failure: AppError) => ({
  code: failure.code,
  status: failure.status,
  ...(failure.cause === undefined ? {} : { cause: factsOf(failure.cause) }),
})
