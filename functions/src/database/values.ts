import { keysOf } from '@shop/shared/table.ts'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Sql } from './database.ts'
import { type Expr, pick, sql, under } from './sql.ts'

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

type Columns = Readonly<Record<string, Expr<unknown>>>

/** Returns the column list of `json_to_recordset` for fields that are stored in columns: "gameId" integer, … */
export const recordOf = (fields: Columns): string =>
  recordSql(Object.fromEntries(Object.entries(fields).map(([field, { type }]) => [field, type!])))

/** Returns those fields as they were sent: s."gameId", … */
export const sentSql = (fields: Columns, alias: string): string =>
  Object.keys(fields)
    .map(field => `${alias}."${field}"`)
    .join(', ')

/** Returns the SET of an ON CONFLICT that overwrites these columns: name = excluded.name, … */
export const excludedSql = (fields: Columns): string =>
  Object.values(fields)
    .map(column => `${column} = excluded.${column}`)
    .join(', ')

type Field<Table extends PgTable> = keyof Table['_']['columns'] & keyof Table['$inferSelect'] & string
/** Rows that have each of these fields, and no other. */
type Whole<Row, Stored> = Stored & Row & Record<Exclude<keyof Row, keyof Stored>, never>

/**
 * Returns what adds many rows to a table in one statement, or overwrites those with the same `key`. A row has a field for
 * each of the table's columns but those `without`, and no other: a field that would not be stored does not compile.
 */
export function storingMany<Table extends PgTable, Key extends Field<Table>, Without extends Field<Table> = never>(
  table: Table,
  { key, without = [] }: { key: readonly Key[]; without?: readonly Without[] },
) {
  type Stored = { [Name in Exclude<Field<Table>, Without>]: Table['$inferSelect'][Name] }
  const columns: Columns = under<PgTable>(table)
  const overwritten = Object.keys(columns).filter(field => ![...key, ...without].includes(field as never))
  const text = sql`${insertManySql(table, without)}
    ON CONFLICT (${Object.values(pick(columns, ...key))}) DO UPDATE SET ${excludedSql(pick(columns, ...overwritten))}`
  return async <Row>(tx: Sql, rows: readonly Whole<Row, Stored>[]): Promise<void> => {
    await tx.query({ text, values: [JSON.stringify(rows)] })
  }
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

const fieldsOf = <Row>(table: TableColumns<Row>) => keysOf(table)

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
