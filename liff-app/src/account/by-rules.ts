import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'

/** Makes a form's own rules (what is wrong, by field; empty when nothing is) its resolver. */
export function byRules<Form extends FieldValues>(
  check: (form: Form) => Partial<Record<keyof Form, string>>,
): Resolver<Form> {
  return form => {
    const problems = Object.entries(check(form))
    if (problems.length === 0) return { values: form, errors: {} }
    const errors = Object.fromEntries(problems.map(([field, message]) => [field, { type: 'rule', message }]))
    return { values: {}, errors: errors as FieldErrors<Form> }
  }
}
