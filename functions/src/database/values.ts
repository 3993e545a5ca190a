import type { AnyPgColumn } from 'drizzle-orm/pg-core'

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

type AddValue = Values['add']
type TableColumns<Row> = Record<keyof Row, AnyPgColumn>

/** Whether a decision about a row may change a field, or it stays as it was when the row was made. */
export type Changing<Row> = Record<keyof Row, 'fixed' | 'changes'>

const fieldsOf = <Row>(table: TableColumns<Row>) => Object.keys(table) as (keyof Row)[]

/** `(id, no, …) VALUES ($1, $2, …)`: all of a row for an INSERT. */
export function insertSql<Row>(table: TableColumns<Row>, row: Row, add: AddValue): string {
  const fields = fieldsOf(table)
  return `(${fields.map(field => table[field].name)}) VALUES (${fields.map(field => add(row[field]))})`
}

/** `status = $1, version = $2, …`: all that may change of a row, for the SET of an UPDATE. */
export const setSql = <Row>(table: TableColumns<Row>, changing: Changing<Row>, row: Row, add: AddValue): string =>
  fieldsOf(table)
    .filter(field => changing[field] === 'changes')
    .map(field => `${table[field].name} = ${add(row[field])}`)
    .join(', ')
