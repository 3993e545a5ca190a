type Fields = Record<string, unknown>

const fieldsOf = (side: unknown): Fields => (side && typeof side === 'object' ? (side as Fields) : {})

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The fields that differ between the two sides of an audit entry, as text; a missing side counts as empty. */
export function listChanges(before: unknown, after: unknown): { field: string; before: string; after: string }[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map(field => ({ field, before: shown(old[field]), after: shown(now[field]) }))
    .filter(change => change.before !== change.after)
}
