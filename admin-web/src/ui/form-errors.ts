import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { FormInstance } from 'antd'

/**
 * Puts a refusal's messages at the fields they are about, `also` naming the field of a code that has one.
 * Returns the text for the form's top: null when every message found its field.
 */
export function showRefusal<T extends object>(
  form: FormInstance<T>,
  error: unknown,
  also: Partial<Record<string, keyof T & string>> = {},
): string | null {
  if (!(error instanceof AppError)) return messageOf(error)
  const own = also[error.code]
  const fields = own ? { [own]: error.message } : (error.fields ?? {})
  const known = Object.keys(form.getFieldsValue())
  const found = Object.entries(fields).filter(([name]) => known.includes(name))
  form.setFields(found.map(([name, text]) => ({ name, errors: [text] })) as never)
  if (found.length === 0) return error.message
  form.focusField(found[0]![0] as never)
  return null
}
