import type { Schema } from '@shop/shared/endpoint.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import type { FormInstance } from 'antd'
import { isSentOn } from './sent-on.ts'

/** How a form leads to a field at fault: it gets the focus, and its label and message are in sight. */
export const TO_FAULT = { focus: true, block: 'center' } as const

/** Leads to the form's first field at fault, if it has one. */
export function leadToFault<T extends object>(form: FormInstance<T>): void {
  const fault = form.getFieldsError().find(({ errors }) => errors.length > 0)
  if (fault) form.scrollToField(fault.name as never, TO_FAULT)
}

/** A form rule that refuses an empty text, and one of spaces alone. */
export const required = (message: string) => ({ required: true, whitespace: true, message })

/** A form rule that checks a field by the contract's schema. Empty fields pass; the rule `required` is for those. */
export const fieldRule = (schema: Schema) => ({
  validator: async (_: unknown, value: unknown) => {
    const { error } = schema.safeParse(value, { error: fieldProblemOf })
    if (error && value !== undefined && value !== '') throw new Error(error.issues[0]!.message)
  },
})

/**
 * Shows a refusal's messages at the fields they are about; `also` names the field that an error code belongs to.
 * @returns the text for the whole form; null when a field shows it, or when it was passed on to a second person
 */
export function showRefusal<T extends object>(
  form: FormInstance<T>,
  error: unknown,
  also: Partial<Record<string, keyof T & string>> = {},
): string | null {
  if (isSentOn(error)) return null
  if (!(error instanceof AppError)) return messageOf(error)
  const own = also[error.code]
  const fields = own ? { [own]: messageOf(error) } : (error.fields ?? {})
  const known = Object.keys(form.getFieldsValue())
  const found = Object.entries(fields).filter(([name]) => known.includes(name))
  form.setFields(found.map(([name, text]) => ({ name, errors: [text] })) as never)
  if (found.length === 0) return messageOf(error)
  leadToFault(form)
  return null
}
