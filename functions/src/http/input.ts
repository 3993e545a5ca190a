import { AppError } from '@shop/shared/errors.ts'
import { FIELD_WRONG, fieldProblemOf } from '@shop/shared/field-problem.ts'
import * as z from 'zod'

/** Deeper than any contract. */
const DEPTH_LIMIT = 20

/** Refuses an address whose percent-encoding can't be read or hides a NUL, before any part of it is used. */
export function requireReadableUrl(url: string): void {
  try {
    if (isStorable(decodeURIComponent(url))) return
  } catch {
    // Said below, as for the other cases.
  }
  throw new AppError('INVALID_INPUT', { fields: { url: FIELD_WRONG } })
}

/** PostgreSQL keeps neither NUL nor half a character. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Refuses what no text column can hold, anywhere in a value, and nesting that no contract has. */
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

/** The names that a schema of fields knows; null for any other. */
const namesOf = (schema: z.ZodType): string[] | null =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : null

/** Refuses filters and sorts that a call doesn't have: without them its answer would look like theirs. */
export function requireKnownFilters(schema: z.ZodType | undefined, given: Record<string, unknown>): void {
  const known = schema ? namesOf(schema) : []
  const unknown = known && Object.keys(given).filter(name => !known.includes(name))
  if (!unknown?.length) return
  throw new AppError('INVALID_INPUT', { fields: Object.fromEntries(unknown.map(name => [name, 'ไม่มีตัวกรองชื่อนี้'])) })
}

/** Refuses a field that is one of the schema's but for its capitals; others may stand there and are not read. */
export function requireSpelling(schema: z.ZodType, given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  const known = new Map(namesOf(schema)?.map(name => [name.toLowerCase(), name]))
  for (const name of Object.keys(given)) {
    const meant = known.get(name.toLowerCase())
    if (meant && meant !== name) throw new AppError('INVALID_INPUT', { fields: { [name]: `ต้องเขียนว่า ${meant}` } })
  }
}

/** @throws UNSUPPORTED_MEDIA_TYPE: forms of other sites can send neither JSON nor, without asking, anything else. */
export function requireMediaType(contentType: string | undefined, wanted: string): void {
  const [type = ''] = (contentType ?? '').split(';')
  if (type.trim().toLowerCase() !== wanted) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws MALFORMED_JSON, also for bytes that are no UTF-8. */
export function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(raw))
  } catch {
    throw new AppError('MALFORMED_JSON')
  }
}
