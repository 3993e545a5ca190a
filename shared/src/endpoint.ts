import type * as z from 'zod'
import { AppError, type ErrorCode } from './errors.ts'
import type { Action } from './permissions.ts'

export type Schema = z.ZodType
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface EndpointShape {
  method: Method
  /** Hono-style path, e.g. `/romons.package/api/packages/:gameCode`. */
  path: string
  summary: string
  /** The permission the caller needs; the table in permissions.ts says who has it. */
  allow: Action
  /**
   * Only clients outside this repository call it, so it must not change. A test checks that no app of ours calls it.
   */
  forOthers?: true
  params?: Schema
  query?: Schema
  body?: Schema
  /** The largest body it accepts, in bytes; the default is enough for forms and small lists. */
  bodyLimitBytes?: number
  /** `file`: multipart/form-data with one field `file` instead of a JSON body. */
  bodyKind?: 'file'
  reply: Schema
  /** Replies of kind `binary` and `text/csv` are streamed unchanged. */
  replyKind?: 'binary' | 'csv'
  /** Callers must send an Idempotency-Key header. */
  idempotent?: boolean
  /** Firebase callable protocol: body is `{ data }`, reply is `{ result }`. */
  callable?: boolean
  /**
   * Whether it may need a second person's agreement. `runs`: its input is stored and carried out in the asker's name.
   * `repeats`: only a digest is stored and the asker calls it again, as every call must whose answer or input has a secret.
   */
  secondWord?: 'runs' | 'repeats'
  /** The fields of its body that are passwords: even a digest would reveal something of them, so they are left out of it. */
  secrets?: readonly string[]
  errors?: readonly ErrorCode[]
}

/** Declares one call. Plain data: the server route, the typed client, OpenAPI and the fakes all come from it. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

/** The header in which a write of the back office answers the id for undoChange. */
export const CHANGE_ID = 'change-id'

/** The largest file, unless the endpoint has a limit of its own. */
export const FILE_LIMIT_BYTES = 10_000_000

/** Returns the largest file that an endpoint accepts, in bytes. */
export const fileLimitOf = ({ bodyLimitBytes = FILE_LIMIT_BYTES }: EndpointShape): number => bodyLimitBytes

/** Returns the endpoint's own error for a file that it refuses: SLIP_NOT_IMAGE, PICTURE_TOO_LARGE and so on. */
export function fileRefusal(
  { errors }: EndpointShape,
  ending: '_TOO_LARGE' | '_NOT_IMAGE' | '_EMPTY',
): AppError | undefined {
  const code = errors?.find(each => each.endsWith(ending))
  return code && new AppError(code)
}

type In<E, K extends keyof EndpointShape> = E extends Record<K, Schema> ? z.input<E[K]> : undefined
type Out<E, K extends keyof EndpointShape> = E extends Record<K, Schema> ? z.output<E[K]> : undefined

/** What a caller passes: only the parts the endpoint declares. */
export type EndpointInput<E extends EndpointShape> = (E extends { params: Schema }
  ? { params: In<E, 'params'> }
  : object) &
  (E extends { query: Schema } ? { query?: In<E, 'query'> } : object) &
  (E extends { body: Schema } ? { body: In<E, 'body'> } : object) &
  (E extends { bodyKind: 'file' } ? { file: Blob } : object) &
  (E extends { idempotent: true } ? { idempotencyKey: string } : object)

/** What a handler receives after parsing. */
export interface ParsedInput<E extends EndpointShape> {
  params: Out<E, 'params'>
  query: Out<E, 'query'>
  body: Out<E, 'body'>
}

/** What a client gets. */
export type Reply<E extends EndpointShape> = E extends { replyKind: string } ? Blob : z.output<E['reply']>
export type ReplyInput<E extends EndpointShape> = z.input<E['reply']>
