import { type Names, toldField, toldValue } from './told.ts'

type Fields = Record<string, unknown>

const isNested = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Returns the fields of a side; nested ones are named "outer.inner". */
function fieldsOf(side: unknown, prefix = ''): Fields {
  if (!isNested(side)) return {}
  return Object.fromEntries(
    Object.entries(side).flatMap(([name, value]) =>
      isNested(value) ? Object.entries(fieldsOf(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  )
}

/** A field that differs, in words; null means that there is nothing. */
export interface Change {
  field: string
  label: string
  before: string | null
  after: string | null
}

/** Returns the fields that differ between the two sides of an audit entry. */
export function listChanges(before: unknown, after: unknown, names: Names = {}): Change[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map(field => ({
      field,
      label: toldField(field, names),
      before: toldValue(field, old[field], names),
      after: toldValue(field, now[field], names),
      isSame: JSON.stringify(old[field] ?? '') === JSON.stringify(now[field] ?? ''),
    }))
    .filter(({ before, after, isSame }) => !isSame && (before !== null || after !== null))
    .map(({ isSame: _, ...change }) => change)
}
