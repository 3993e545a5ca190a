/** The column list of `json_to_recordset`: what it takes of each record, by name and as what. */
export const recordSql = (types: Record<string, string>): string =>
  Object.entries(types)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')

/** Numbers the placeholders of a statement whose parts are put together. */
export class Values {
  readonly all: unknown[] = []
  /** The placeholder of a value, e.g. "$3". */
  add = (value: unknown, type = ''): string => `$${this.all.push(value)}${type}`
}
