import type * as z from 'zod'
import { formatBaht } from './money.ts'

const FIELD_EMPTY = 'กรุณากรอกข้อมูล'
export const FIELD_WRONG = 'รูปแบบไม่ถูกต้อง'

type Issue = z.core.$ZodRawIssue

/** Amounts cross the wire in satang, under names that say so; people think in baht. */
const isAmount = ({ path }: Issue): boolean => /satang$/i.test(String(path?.at(-1) ?? ''))

/** Missing, null and blank are one thing to whoever fills in a form. */
const isEmpty = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '')

const TYPES: Record<string, string> = {
  string: 'ต้องเป็นข้อความ',
  number: 'ต้องเป็นตัวเลข',
  int: 'ต้องเป็นจำนวนเต็ม',
  boolean: 'ต้องเป็น true หรือ false',
  array: 'ต้องเป็นรายการ',
  object: 'ต้องเป็นชุดข้อมูล',
}

const FORMATS: Record<string, string> = {
  email: 'กรุณากรอกอีเมลให้ถูกต้อง',
  date: 'วันที่ต้องเป็นแบบ YYYY-MM-DD',
  datetime: 'วันเวลาต้องเป็นแบบ ISO 8601',
  uuid: 'รหัสอ้างอิงไม่ถูกต้อง',
  url: 'ที่อยู่เว็บไม่ถูกต้อง',
}

/** What is counted, or measured, in a limit's text. */
function limitOf(issue: Issue, limit: number | bigint): string {
  if (issue.origin === 'string') return `${limit} ตัวอักษร`
  if (issue.origin === 'array') return `${limit} รายการ`
  return isAmount(issue) ? `${formatBaht(Number(limit))} บาท` : Number(limit).toLocaleString('en')
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  const { origin, minimum, inclusive, input } = issue
  if (isEmpty(input)) return FIELD_EMPTY
  const limit = limitOf(issue, minimum)
  if (origin === 'string' || origin === 'array') return `ต้องมีอย่างน้อย ${limit}`
  if (Number(input) < 0 && minimum >= 0) return 'ต้องไม่ติดลบ'
  return inclusive === false ? `ต้องมากกว่า ${limit}` : `ต้องไม่น้อยกว่า ${limit}`
}

/**
 * What to tell a person about a value that a contract refuses, where its schema has no words of its own. For zod's
 * `error` option: API and forms parse with it, so that both say the same.
 */
export function fieldProblemOf(issue: Issue): string {
  if (isEmpty(issue.input) && issue.code !== 'custom') return FIELD_EMPTY
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? FIELD_WRONG
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return `ต้องไม่เกิน ${limitOf(issue, issue.maximum)}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? FIELD_WRONG
    case 'invalid_value':
      return `ต้องเป็นค่าใดค่าหนึ่งใน ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `ไม่รู้จัก ${issue.keys.join(', ')}`
    default:
      return FIELD_WRONG
  }
}
