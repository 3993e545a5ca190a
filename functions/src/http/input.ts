import { AppError } from '@shop/shared/errors.ts'
import type * as z from 'zod'

/** Deeper than any contract. */
const DEPTH_LIMIT = 20
const WRONG = 'รูปแบบไม่ถูกต้อง'

/** Refuses an address whose percent-encoding can't be read or hides a NUL, before any part of it is used. */
export function requireReadableUrl(url: string): void {
  try {
    if (isStorable(decodeURIComponent(url))) return
  } catch {
    // Said below, as for the other cases.
  }
  throw new AppError('INVALID_INPUT', { fields: { url: WRONG } })
}

/** PostgreSQL keeps neither NUL nor half a character. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Refuses what no text column can hold, anywhere in a value, and nesting that no contract has. */
function requireStorable(value: unknown, path: readonly string[]): void {
  const refuse = () => new AppError('INVALID_INPUT', { fields: { [nameOf(path)]: WRONG } })
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
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[nameOf(issue.path)] ??= fieldMessage(issue)
  throw new AppError('INVALID_INPUT', { fields })
}

const nameOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'body'

function fieldMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return 'ยาวหรือมากเกินไป'
  if (issue.code === 'too_small') return 'กรุณากรอกข้อมูล'
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'กรุณากรอกข้อมูล'
  return WRONG
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
