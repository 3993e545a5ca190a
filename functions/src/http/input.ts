import { AppError } from '@shop/shared/errors.ts'
import { FIELD_WRONG, fieldProblemOf } from '@shop/shared/field-problem.ts'
import * as z from 'zod'

/** No contract nests its input deeper than this. */
const DEPTH_LIMIT = 20

/** Refuses an address with unreadable percent-encoding or a hidden NUL, before any part of it is used. */
export function requireReadableUrl(url: string): void {
  try {
    if (isStorable(decodeURIComponent(url))) return
  } catch {
    // The error is thrown below, as in the other cases.
  }
  throw new AppError('INVALID_INPUT', { fields: { url: FIELD_WRONG } })
}

/** PostgreSQL can store neither NUL nor half of a surrogate pair. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Refuses a value that contains text PostgreSQL can't store, or that is nested deeper than any contract. */
function requireStorable(value: unknown, path: readonly string[]): void {
  const refuse = () => new AppError('INVALID_INPUT', { fields: { [nameOf(path)]: FIELD_WRONG } })
  if (typeof value === 'string' && !isStorable(value)) throw refuse()
  if (typeof value !== 'object' || value === null) return
  if (path.length >= DEPTH_LIMIT) throw refuse()
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) throw refuse()
    requireStorable(inner, [...path, key])
  }
}

/** Parses one part of the input; throws INVALID_INPUT naming each field. */
export function check(schema: z.ZodType, value: unknown): unknown {
  requireStorable(value, [])
  const parsed = schema.safeParse(value, { error: fieldProblemOf })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[nameOf(issue.path)] ??= issue.message
  throw new AppError('INVALID_INPUT', { fields })
}

const nameOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'body'

/** Returns the field names of an object schema; null for any other schema. */
const namesOf = (schema: z.ZodType): string[] | null =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : null

/**
 * Refuses filters and sorts that a call doesn't have. If they were ignored, its answer would look as if they had been
 * applied.
 */
export function requireKnownFilters(schema: z.ZodType | undefined, given: Record<string, unknown>): void {
  const known = schema ? namesOf(schema) : []
  const unknown = known && Object.keys(given).filter(name => !known.includes(name))
  if (!unknown?.length) return
  throw new AppError('INVALID_INPUT', { fields: Object.fromEntries(unknown.map(name => [name, 'ไม่มีตัวกรองชื่อนี้'])) })
}

/** Refuses a field whose name differs from one of the schema's only in capitals; other unknown fields are ignored. */
export function requireSpelling(schema: z.ZodType, given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  const known = new Map(namesOf(schema)?.map(name => [name.toLowerCase(), name]))
  for (const name of Object.keys(given)) {
    const meant = known.get(name.toLowerCase())
    if (meant && meant !== name) throw new AppError('INVALID_INPUT', { fields: { [name]: `ต้องเขียนว่า ${meant}` } })
  }
}

/** @throws UNSUPPORTED_MEDIA_TYPE: without a preflight request, pages of other sites can't send these media types */
export function requireMediaType(contentType: string | undefined, wanted: string): void {
  const [type = ''] = (contentType ?? '').split(';')
  if (type.trim().toLowerCase() !== wanted) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws MALFORMED_JSON, also for bytes that are not UTF-8 */
export function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(raw))
  } catch {
    throw new AppError('MALFORMED_JSON')
  }
}
