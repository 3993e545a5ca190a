import { formatBahtShort } from '@shop/shared/money.ts'
import { fieldName } from './field-names.ts'

type Fields = Record<string, unknown>

const isNested = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The fields of a side; those of what it holds by "outer.inner". */
function fieldsOf(side: unknown, prefix = ''): Fields {
  if (!isNested(side)) return {}
  return Object.fromEntries(
    Object.entries(side).flatMap(([name, value]) =>
      isNested(value) ? Object.entries(fieldsOf(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  )
}

/** Longer than anything but the terms, which can be read in the settings. */
const MOST_CHARACTERS = 300

/** Filters and payment methods by their names; anything else as it stands. */
const listed = (items: readonly unknown[]) =>
  items
    .map(item => {
      const { name, code } = (item ?? {}) as Partial<Record<string, unknown>>
      return name && code ? `${name} (${code})` : typeof item === 'string' ? item : JSON.stringify(item)
    })
    .join(', ')

function shown(field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'ใช่' : 'ไม่'
  if (typeof value === 'number' && field.endsWith('Satang')) return `${formatBahtShort(value)} บาท`
  const text = typeof value === 'string' ? value : Array.isArray(value) ? listed(value) : JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

/** The fields that differ between the two sides of an audit entry, in words; null is nothing there. */
export function listChanges(
  before: unknown,
  after: unknown,
): { field: string; label: string; before: string | null; after: string | null }[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter(field => JSON.stringify(old[field] ?? '') !== JSON.stringify(now[field] ?? ''))
    .map(field => ({
      field,
      label: fieldName(field),
      before: shown(field, old[field]),
      after: shown(field, now[field]),
    }))
}
