import type { EndpointShape } from '@shop/shared/endpoint.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'
import { isOfMachines } from '@shop/shared/permissions.ts'
import { KEY_ERRORS } from '@shop/shared/reseller/v1-endpoints.ts'

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
/** The same of the calls of agents' machines, which have no session and send no files. */
const OF_EVERY_MACHINE: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE', 'INVALID_INPUT', ...KEY_ERRORS]
/** An empty or misspelt part of its path leads to no call. */
const OF_MACHINES_PATH: readonly ErrorCode[] = ['NOT_FOUND']
const OF_BODY: readonly ErrorCode[] = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']
const OF_FILE: readonly ErrorCode[] = ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_SLOW']
/** What takes a second person is done only where somebody is told of it. */
const OF_SECOND_WORD: readonly ErrorCode[] = ['NOBODY_HEARS']
const OF_ONCE: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'CONFLICT']

/**
 * Returns every error code that an endpoint may answer: those in its list, and those that follow from its kind of
 * request.
 */
export const errorsOf = (endpoint: EndpointShape): ReadonlySet<ErrorCode> =>
  new Set([
    ...(isOfMachines(endpoint.allow) ? OF_EVERY_MACHINE : OF_EVERY),
    ...(isOfMachines(endpoint.allow) && endpoint.params ? OF_MACHINES_PATH : []),
    ...(endpoint.body ? OF_BODY : []),
    ...(endpoint.bodyKind === 'file' ? OF_FILE : []),
    ...(endpoint.idempotent ? OF_ONCE : []),
    ...(endpoint.secondWord ? OF_SECOND_WORD : []),
    ...(endpoint.errors ?? []),
  ])
