import { CATALOGUE_VERSION, toldVersion } from '@shop/shared/catalogue-version.ts'
import {
  CHANGE_ID,
  type EndpointShape,
  fileLimitOf,
  fileRefusal,
  type ParsedInput,
  type ReplyInput,
} from '@shop/shared/endpoint.ts'
import { AppError, type ErrorBody, type ErrorCode, errorStatus, invariant } from '@shop/shared/errors.ts'
import { type Audience, type Caller, isBackOffice, isOfMachines } from '@shop/shared/permissions.ts'
import type { ValueMove } from '@shop/shared/value/value.ts'
import type { Context as HonoContext } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { uuidv7 } from 'uuidv7'
import { authorise, type Identity, identify, identityOf, ownerKey, type Proof, prove } from '../account/caller.ts'
import { isConnectionLost, isUnavailable, type Sql } from '../database/database.ts'
import { addressOf } from '../http/address.ts'
import { deviceOf } from '../http/device.ts'
import { type FileReply, fileResponse } from '../http/file-reply.ts'
import { hashRequest, type Once } from '../http/idempotency.ts'
import { check, parseJson, requireKnownFilters, requireMediaType, requireSpelling } from '../http/input.ts'
import { holdFile, watchArriving } from '../http/intake.ts'
import { factsOf, log } from '../http/log.ts'
import { readRawBody } from '../http/raw-body.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { Shop } from '../shop/shop.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Returns the audiences whose news reach nobody, as far as the shop can know. */
    findUnheard: (db: Sql) => Promise<Audience[]>
  }
}

const JSON_LIMIT_BYTES = 100_000
/** Bytes that multipart adds around the file. */
const FORM_OVERHEAD_BYTES = 2000
/** Printable ASCII, because a key is compared and stored but never shown. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
const DEFAULT_RETRY_AFTER_SECONDS = 5

/** The parts of a request beside its input. */
interface Sent {
  shop: Shop
  now: Date
  /** The key for counting guests: an IPv4 address or the network of an IPv6 one. */
  address: string
  /** The sender's device in a few words: "iPhone · LINE". */
  device: string
  /** Set for endpoints that are `idempotent`. */
  once: Once | null
  /** Set for endpoints that take a file. */
  file: SentFile | null
  /** The id of everything that this request writes to the catalogue; the answer holds it, too. */
  changeId: string
  /** The second person who agreed to it; null for a request that needed none. */
  secondBy: SecondBy | null
}

/** The second person who agreed to a request, and what they agreed to. */
export interface SecondBy {
  uid: string
  role: Caller
  /** Owner keys of the second person. */
  keys: readonly string[]
  wordId: string
  /** True when the agreement existed before and the asker repeats the call. */
  isRepeated: boolean
  asked: Pick<ValueMove, 'kind' | 'amountSatang' | 'subject'>
}

/** A request as it was sent, in plain JSON. */
export interface SentInput {
  params: Record<string, string>
  query: Record<string, string | string[]>
  body: unknown
}

/** A request that waits for a second person's agreement. */
export interface HeldRequest {
  endpoint: EndpointShape
  /** `POST /path`, which identifies the endpoint. */
  call: string
  sent: SentInput
  context: Context
}

/** Handles such a request; `run` carries it out when an agreement exists. */
type AskSecond = (held: HeldRequest, need: AppError, run: (secondBy: SecondBy) => Promise<unknown>) => Promise<unknown>

/** What a handler gets beside its parsed input. */
export interface Context extends Sent, Identity {}

/** A request whose handler reads the caller's account in a larger statement. */
export interface Arrival extends Sent, Proof {
  /**
   * Authorises the caller; the handler may decide, do or reveal nothing before. @throws the reason why the caller is
   * refused
   */
  enter(account: Identity['account']): Context
}

export interface SentFile {
  bytes: Buffer
  /** The file's name on the sender's device. */
  name: string
}

/** An endpoint of the contract with the function that answers it. */
export interface Route {
  endpoint: EndpointShape
  answer: (c: HonoContext, shop: Shop, askSecond: AskSecond) => Promise<Response>
  /** Carries out a stored request as `context`; only for endpoints that may need a second person's agreement. */
  again?: (sent: SentInput, context: Context) => Promise<unknown>
}

export const callOf = ({ method, path }: EndpointShape): string => `${method} ${path}`

/**
 * Binds an endpoint to its handler. A request is identified, authorised, parsed, handled and answered, in this order.
 */
export function route<E extends EndpointShape>(
  endpoint: E,
  handle: (input: ParsedInput<E>, context: Context) => Promise<ReplyInput<E>>,
): Route {
  return {
    endpoint,
    answer: (c, shop, askSecond) =>
      answer(c, { shop, askSecond }, endpoint, { enters: false, handle: handle as Handle<Context> }),
    ...(endpoint.secondWord === 'runs' && {
      again: (sent, context) => handle(inputOf(endpoint, sent) as ParsedInput<E>, context),
    }),
  }
}

/**
 * Binds an endpoint to a handler that reads the caller's account in a larger statement and authorises the caller
 * itself.
 */
export function enteringRoute<E extends EndpointShape>(
  endpoint: E,
  handle: (input: ParsedInput<E>, arrival: Arrival) => Promise<ReplyInput<E>>,
): Route {
  invariant(!isBackOffice(endpoint.allow), 'the back office asks for the second factor, which no account tells')
  return {
    endpoint,
    answer: (c, shop, askSecond) =>
      answer(c, { shop, askSecond }, endpoint, { enters: true, handle: handle as Handle<Arrival> }),
  }
}

type Handle<Given> = (input: ParsedInput<EndpointShape>, given: Given) => Promise<unknown>

/** `enters` is true when the handler authorises its caller itself. */
type Handler = { enters: false; handle: Handle<Context> } | { enters: true; handle: Handle<Arrival> }

/** The person who acts and the time: all that business functions need to know of a request. */
export interface Person {
  uid: string
  role: Caller
  now: Date
  /** The id of everything that this request writes to the catalogue. */
  changeId?: string
  secondBy?: SecondBy | null
  /** Says whether others hear of what they do. */
  findUnheard: Shop['findUnheard']
}

/** The signed-in person behind a request; only for endpoints that guests can't reach. */
export function personOf({
  uid,
  caller,
  now,
  changeId,
  secondBy,
  shop,
}: Pick<Context, 'uid' | 'caller' | 'now' | 'shop'> & Partial<Pick<Context, 'changeId' | 'secondBy'>>): Person {
  invariant(uid, 'only signed-in people reach this')
  return { uid, role: caller, now, changeId, secondBy, findUnheard: shop.findUnheard }
}

/** Returns the caller's key for idempotent calls; guests without a key are distinguished by address. */
export function callerKey(sender: Sender): string {
  return ownerKey(sender) ?? `a:${sender.address}`
}

/**
 * Returns the key for limits per caller: the account, or a guest's address, because guests choose their guest keys
 * freely.
 */
export function limitKey({ uid, address }: Pick<Context, 'uid' | 'address'>): string {
  return uid ? `u:${uid}` : `a:${address}`
}

export function mustBeOnce({ once }: Sent): Once {
  invariant(once, 'the endpoint is declared idempotent')
  return once
}

async function answer(
  c: HonoContext,
  { shop, askSecond }: { shop: Shop; askSecond: AskSecond },
  endpoint: EndpointShape,
  handler: Handler,
): Promise<Response> {
  const proof = await prove(c.req, shop, isOfMachines(endpoint.allow))
  const [now, address, changeId] = [shop.now(), addressOf(c, shop), uuidv7()]
  const letIn = (identity: Identity) => {
    authorise(identity, endpoint.allow)
    return identity
  }
  const identifyNow = async () => letIn(await withAnotherConnection(() => identify(proof, shop)))
  // A guest has no account, so there is none to read.
  const known = handler.enters && (proof.token || proof.machineKey) ? null : await identifyNow()
  const letInFirst = async (error: unknown): Promise<never> => {
    // A caller who is not authorised gets that answer before any other.
    if (!known) await identifyNow()
    throw error
  }
  const raw = await readBody(c, endpoint, address).catch(letInFirst)
  const work = async () => {
    const request = await readRequest(c, endpoint, { ...proof, address }, raw).catch(letInFirst)
    const { input, sent: asSent, ...rest } = request
    const device = deviceOf(c.req.header('user-agent'))
    const sent: Sent = { shop, now, address, device, changeId, secondBy: null, ...rest }
    if (!handler.enters) {
      const context: Context = { ...sent, ...known! }
      return handler.handle(input, context).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'SECOND_WORD_NEEDED') throw error
        const held = { endpoint, call: callOf(endpoint), sent: asSent, context }
        return askSecond(held, error, secondBy => handler.handle(input, { ...context, secondBy }))
      })
    }
    const enter = (account: Identity['account']) => ({ ...sent, ...letIn(identityOf(proof, account, now)) })
    return handler.handle(input, { ...sent, ...proof, enter })
  }
  const isRepeatable = endpoint.method === 'GET' || endpoint.idempotent
  const safely = isRepeatable ? () => withAnotherConnection(work) : work
  const reply = await (endpoint.bodyKind === 'file' ? holdFile(address, safely) : safely())
  if (endpoint.replyKind) return fileResponse(reply as FileReply)
  const result = endpoint.reply.parse(reply)
  return c.json(endpoint.callable ? { result } : (result as object), 200, {
    'cache-control': 'no-store',
    [CATALOGUE_VERSION]: knownVersion(shop),
    ...(endpoint.method !== 'GET' && isBackOffice(endpoint.allow) && { [CHANGE_ID]: changeId }),
  })
}

/**
 * Does once more what a connection was lost under, as when the database was started anew or another one took its place.
 * The work must be safe to repeat, because it may have been done the first time.
 */
const withAnotherConnection = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (!isConnectionLost(error)) throw error
    return work()
  })

/** The facts of a caller that keys and counts are made from. */
type Sender = Pick<Context, 'uid' | 'guestHash' | 'address'>

async function readRequest(c: HonoContext, endpoint: EndpointShape, sender: Sender, raw: Buffer) {
  const file = endpoint.bodyKind === 'file' ? await readFile(c, endpoint, raw) : null
  // The form's boundary changes with every try, so the hash covers the file itself.
  const once = endpoint.idempotent ? onceOf(c, sender, file?.bytes ?? raw) : null
  const sent = sentInput(c, endpoint, raw)
  // For who wraps a route, and has to know what was asked also where that is refused.
  c.set('sent', sent)
  return { file, once, sent, input: inputOf(endpoint, sent) }
}

async function readBody(c: HonoContext, endpoint: EndpointShape, address: string): Promise<Buffer> {
  if (!endpoint.body && endpoint.bodyKind !== 'file') return Buffer.alloc(0)
  const isFile = endpoint.bodyKind === 'file'
  requireMediaType(c.req.header('content-type'), isFile ? 'multipart/form-data' : 'application/json')
  const limit = isFile ? fileLimitOf(endpoint) + FORM_OVERHEAD_BYTES : (endpoint.bodyLimitBytes ?? JSON_LIMIT_BYTES)
  const tooLarge = () => fileRefusal(endpoint, '_TOO_LARGE') ?? new AppError('PAYLOAD_TOO_LARGE')
  if (!isFile) return readRawBody(c.req.raw, limit, tooLarge)
  return watchArriving(address, watcher => readRawBody(c.req.raw, limit, tooLarge, watcher))
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

/** Parses a request's input; `raw` is the body of an endpoint that has one. @throws INVALID_INPUT */
export function parseInput(c: HonoContext, endpoint: EndpointShape, raw?: Buffer): ParsedInput<EndpointShape> {
  return inputOf(endpoint, sentInput(c, endpoint, raw))
}

function sentInput(c: HonoContext, endpoint: EndpointShape, raw?: Buffer): SentInput {
  const json = endpoint.body && raw ? parseJson(raw) : undefined
  const body = endpoint.callable ? (json as { data?: unknown } | null | undefined)?.data : json
  return { params: c.req.param(), query: queryOf(c), body }
}

/** Parses the input of a stored request. @throws INVALID_INPUT */
function inputOf(endpoint: EndpointShape, { params, query, body }: SentInput): ParsedInput<EndpointShape> {
  if (endpoint.body) requireSpelling(endpoint.body, body)
  const checkedBody = endpoint.body && check(endpoint.body, body)
  requireKnownFilters(endpoint.query, query)
  return {
    params: endpoint.params && check(endpoint.params, params),
    query: endpoint.query && check(endpoint.query, query),
    body: checkedBody,
  } as ParsedInput<EndpointShape>
}

function queryOf(c: HonoContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}

function onceOf(c: HonoContext, sender: Sender, raw: Buffer): Once {
  const key = c.req.header('idempotency-key')
  if (!key || !IDEMPOTENCY_KEY.test(key)) throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
  return { scope: callerKey(sender), key, requestHash: hashRequest(c.req.method, c.req.path, raw) }
}

/** Returns the path of a request's route, because paths contain ids and tokens. What no route answers is `/*`. */
export function routeOf(c: HonoContext): string {
  // What is answered before all checks matches their `/*`, too.
  return matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path ?? '/*'
}

/** Returns the version of the catalogue that this server knows, for the answer's header. */
const knownVersion = ({ catalogue, now }: { catalogue: { knownVersion(): number }; now: () => Date }): string =>
  String(toldVersion(catalogue.knownVersion(), now()))

/**
 * Answers a failure with the status and text of its error code. A failure that is not the caller's fault is logged with
 * its cause.
 */
export function answerError(
  error: unknown,
  c: HonoContext,
  shop: Shop,
  { callable = false, statusOf = errorStatus }: { callable?: boolean; statusOf?: (code: ErrorCode) => number } = {},
): Response {
  const failure = failureOf(error)
  if (failure.status >= 500) {
    const severity = failure.cause === undefined ? 'WARNING' : 'ERROR'
    log(severity, 'request failed', { method: c.req.method, route: routeOf(c), ...factsOfFailure(failure) })
  }
  const body: ErrorBody = failure.toBody(currentRequestId())
  const wire = callable ? { error: { status: body.code, message: body.message, details: body } } : body
  const retryAfter = failure.retryAfterSeconds ?? (failure.status === 503 ? DEFAULT_RETRY_AFTER_SECONDS : null)
  return c.json(wire, statusOf(failure.code) as ContentfulStatusCode, {
    'cache-control': 'no-store',
    [CATALOGUE_VERSION]: knownVersion(shop),
    ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
    // The connection is closed, because the rest of the upload would go on arriving on it.
    ...(failure.code === 'UPLOAD_TOO_SLOW' && { connection: 'close' }),
  })
}

/** Returns the AppError for any error. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(isUnavailable(error) ? 'UNAVAILABLE' : 'INTERNAL', { cause: error })
}

const factsOfFailure = (failure: AppError) => ({
  code: failure.code,
  status: failure.status,
  ...(failure.cause === undefined ? {} : { cause: factsOf(failure.cause) }),
})
