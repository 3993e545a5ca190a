import type { EndpointShape, ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import { AppError, type ErrorBody, errorMessage, invariant } from '@shop/shared/errors.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import type { Hono, Context as HonoContext } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod'
import type { Shop } from '../shop.ts'
import { authorise, type Identity, identify, ownerKey } from './caller.ts'
import { hashRequest, type Once } from './idempotency.ts'

const JSON_LIMIT_BYTES = 100_000
const FILE_LIMIT_BYTES = 10_000_000
/** What multipart adds around the file. */
const FORM_OVERHEAD_BYTES = 2000

/** What a handler gets beside its parsed input. */
export interface Context extends Identity {
  shop: Shop
  now: Date
  address: string
  /** Set for endpoints that are `idempotent`. */
  once: Once | null
  /** Set for endpoints that take a file. */
  file: SentFile | null
}

export interface SentFile {
  bytes: Buffer
  /** As the sender's device calls it. */
  name: string
}

export interface Route {
  endpoint: EndpointShape
  handle: (input: ParsedInput<EndpointShape>, context: Context) => Promise<unknown>
}

/** Binds an endpoint of the contract to its handler. */
export function route<E extends EndpointShape>(
  endpoint: E,
  handle: (input: ParsedInput<E>, context: Context) => Promise<ReplyInput<E>>,
): Route {
  return { endpoint, handle: handle as Route['handle'] }
}

/** A binary or CSV reply. */
export interface FileReply {
  body: Uint8Array | string
  contentType: string
  /** Offered as a download under this name. */
  fileName?: string
}

/** Who does something, and when: what business functions need to know of a request. */
export interface Person {
  uid: string
  role: Caller
  now: Date
}

/** The signed-in person behind a request; only for endpoints that guests can't reach. */
export function personOf({ uid, caller, now }: Pick<Context, 'uid' | 'caller' | 'now'>): Person {
  invariant(uid, 'only signed-in people reach this')
  return { uid, role: caller, now }
}

/** The caller's key for rate limits and idempotency; guests without a key are told apart by address. */
export function callerKey(context: Pick<Context, 'uid' | 'guestHash' | 'address'>): string {
  return ownerKey(context) ?? `a:${context.address}`
}

export function mustBeOnce(context: Context): Once {
  invariant(context.once, 'the endpoint is declared idempotent')
  return context.once
}

/** Registers one route: identify, authorise, parse, handle, answer. */
export function register(app: Hono, shop: Shop, { endpoint, handle }: Route): void {
  app.on(endpoint.method, endpoint.path, async c => {
    const identity = await identify(c.req, shop)
    authorise(identity, endpoint.allow)
    const raw = await readBody(c, endpoint)
    const context: Context = {
      ...identity,
      shop,
      now: shop.now(),
      address: addressOf(c, shop),
      once: null,
      file: endpoint.bodyKind === 'file' ? await readFile(c, endpoint, raw) : null,
    }
    // A form's boundary differs with every try; the file in it does not.
    if (endpoint.idempotent) context.once = onceOf(c, context, context.file?.bytes ?? raw)
    const reply = await handle(parseInput(c, endpoint, raw), context)
    if (endpoint.replyKind) return fileResponse(reply as FileReply)
    const result = endpoint.reply.parse(reply)
    return c.json(endpoint.callable ? { result } : (result as object), 200, { 'cache-control': 'no-store' })
  })
}

async function readBody(c: HonoContext, endpoint: EndpointShape): Promise<Buffer> {
  if (!endpoint.body && endpoint.bodyKind !== 'file') return Buffer.alloc(0)
  const isFile = endpoint.bodyKind === 'file'
  const limit = isFile ? FILE_LIMIT_BYTES + FORM_OVERHEAD_BYTES : (endpoint.bodyLimitBytes ?? JSON_LIMIT_BYTES)
  const tooLarge = () => refusalOf(endpoint, '_TOO_LARGE') ?? new AppError('PAYLOAD_TOO_LARGE')
  if (Number(c.req.header('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The endpoint's own words for a file it can't take: SLIP_NOT_IMAGE, PICTURE_TOO_LARGE and so on. */
function refusalOf({ errors }: EndpointShape, ending: '_TOO_LARGE' | '_NOT_IMAGE'): AppError | undefined {
  const code = errors?.find(each => each.endsWith(ending))
  return code && new AppError(code)
}

async function readFile(c: HonoContext, endpoint: EndpointShape, raw: Buffer): Promise<SentFile> {
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': c.req.header('content-type') ?? '' },
  })
    .formData()
    .catch(() => null)
  const file = form?.get('file')
  if (!(file instanceof File) || file.size === 0)
    throw refusalOf(endpoint, '_NOT_IMAGE') ?? new AppError('INVALID_INPUT')
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    throw new AppError('MALFORMED_JSON')
  }
}

function parseInput(c: HonoContext, endpoint: EndpointShape, raw: Buffer): ParsedInput<EndpointShape> {
  let body: unknown
  if (endpoint.body) {
    const json = parseJson(raw)
    body = check(endpoint.body, endpoint.callable ? (json as { data?: unknown } | null)?.data : json)
  }
  return {
    params: endpoint.params && check(endpoint.params, c.req.param()),
    query: endpoint.query && check(endpoint.query, queryOf(c)),
    body,
  } as ParsedInput<EndpointShape>
}

function queryOf(c: HonoContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries())
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}

/** Parses one part of the input; throws INVALID_INPUT naming each field. */
function check(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= fieldMessage(issue)
  throw new AppError('INVALID_INPUT', { fields })
}

function fieldMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return 'ยาวหรือมากเกินไป'
  if (issue.code === 'too_small') return 'กรุณากรอกข้อมูล'
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'กรุณากรอกข้อมูล'
  return 'รูปแบบไม่ถูกต้อง'
}

function onceOf(c: HonoContext, context: Context, raw: Buffer): Once {
  const key = c.req.header('idempotency-key')
  if (!key || key.length > 200) throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
  return { scope: callerKey(context), key, requestHash: hashRequest(c.req.method, c.req.path, raw) }
}

function addressOf(c: HonoContext, shop: Shop): string {
  const { PROXIES_IN_FRONT } = shop.config
  const entries = c.req.header('x-forwarded-for')?.split(',') ?? []
  const forwarded = PROXIES_IN_FRONT > 0 ? entries.at(-PROXIES_IN_FRONT)?.trim() : undefined
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming
  return forwarded ?? incoming?.socket?.remoteAddress ?? 'unknown'
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

/** Answers a failure: the catalogue's for expected ones, one general line and a log for the rest. */
export function answerError(error: unknown, c: HonoContext, callable = false): Response {
  const known = error instanceof AppError
  if (!known) console.error(`${c.req.method} ${c.req.path} failed`, error)
  const status = known ? error.status : 500
  const body: ErrorBody = known ? error.toBody() : { code: 'INTERNAL', message: errorMessage('INTERNAL') }
  const wire = callable ? { error: { status: body.code, message: body.message, details: body } } : body
  return c.json(wire, status as ContentfulStatusCode, { 'cache-control': 'no-store' })
}
