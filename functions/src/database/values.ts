import { getTableColumns, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'

/** Returns the column list of `json_to_recordset`: the name and type of each field. */
export const recordSql = (types: Record<string, string>): string =>
  Object.entries(types)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')

/** Returns an INSERT of many rows, which $1 holds as a JSON array; it leaves out the table's columns in `without`. */
export function insertManySql(table: PgTable, without: readonly string[] = []): string {
  const all: [string, AnyPgColumn][] = Object.entries(getTableColumns(table))
  const fields = all.filter(([field]) => !without.includes(field))
  const types = Object.fromEntries(fields.map(([field, column]) => [field, column.getSQLType()]))
  return `INSERT INTO ${getTableName(table)} (${fields.map(([, column]) => column.name)})
    SELECT ${fields.map(([field]) => `"${field}"`)} FROM json_to_recordset($1) AS r (${recordSql(types)})`
}

/** Collects values and numbers their placeholders while a statement is put together from parts. */
export class Values {
  readonly all: unknown[] = []
  /** The placeholder of a value, e.g. "$3". */
  add = (value: unknown, type = ''): string => `$${this.all.push(value)}${type}`
  /** The placeholder of each of some values, by its name. */
  addAll = <V extends object>(values: V): Placeholders<V> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.add(value)])) as Placeholders<V>
}

export type Placeholders<V> = Record<keyof V, string>

type AddValue = Values['add']
type TableColumns<Row> = Record<keyof Row, AnyPgColumn>

/** For each field of a row: whether a decision may change it, or it is fixed when the row is made. */
export type Changing<Row> = Record<keyof Row, 'fixed' | 'changes'>

const fieldsOf = <Row>(table: TableColumns<Row>) => Object.keys(table) as (keyof Row)[]

/** Returns `(id, no, …) VALUES ($1, $2, …)` with all fields of a row, for an INSERT. */
export function insertSql<Row>(table: TableColumns<Row>, row: Row, add: AddValue): string {
  const fields = fieldsOf(table)
  return `(${fields.map(field => table[field].name)}) VALUES (${fields.map(field => add(row[field]))})`
}

/** Returns `status = $1, version = $2, …` with all changing fields of a row, for the SET of an UPDATE. */
export const setSql = <Row>(table: TableColumns<Row>, changing: Changing<Row>, row: Row, add: AddValue): string =>
  fieldsOf(table)
    .filter(field => changing[field] === 'changes')
    .map(field => `${table[field].name} = ${add(row[field])}`)
    .join(', ')
