import type { EndpointShape } from '@shop/shared/endpoint.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'

/** Errors of every endpoint: trouble of the server itself, and refusals of the caller. */
const OF_EVERY: readonly ErrorCode[] = [
  'INTERNAL',
  'UNAVAILABLE',
  'FILES_UNAVAILABLE',
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'SESSION_REVOKED',
  'SESSION_EXPIRED',
  'FORBIDDEN',
  'ACCOUNT_INACTIVE',
  'LINE_NOT_ALLOWED',
  'SIGN_IN_THEN_LINK',
  'PASSWORD_CHANGE_REQUIRED',
  'PIN_CHANGE_REQUIRED',
  'TOTP_REQUIRED',
]
const OF_BODY: readonly ErrorCode[] = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']
const OF_FILE: readonly ErrorCode[] = ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_SLOW']
const OF_ONCE: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'CONFLICT']

/**
 * Returns every error code that an endpoint may answer: those in its list, and those that follow from its kind of
 * request.
 */
export const errorsOf = (endpoint: EndpointShape): ReadonlySet<ErrorCode> =>
  new Set([
    ...OF_EVERY,
    ...(endpoint.body ? OF_BODY : []),
    ...(endpoint.bodyKind === 'file' ? OF_FILE : []),
    ...(endpoint.idempotent ? OF_ONCE : []),
    ...(endpoint.errors ?? []),
  ])
