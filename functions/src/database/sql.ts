import { type GetColumnData, getTableColumns, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'

/**
 * SQL as text whose parts say what they are. A column carries the type that its table gives it, a list of columns the row
 * that they make, and a text the row of the list in it: what a statement returns is what its type says. See
 * docs/decisions/0078-rows-that-are-checked.md.
 */

declare const IS: unique symbol
declare const RETURNS: unique symbol
const OUTER = Symbol('outer')

/** The SQL of one value of type `T`, as it arrives here. In a text it stands as it is: `WHERE ${o.status} = 'paid'`. */
export class Expr<out T> {
  declare readonly [IS]: T
  readonly sql: string
  /** How a list of columns asks for it, so that the driver makes a `T` of it. */
  readonly read: string
  readonly isNullable: boolean
  /** Its SQL type, for a column of a table. */
  readonly type: string | null

  constructor(sql: string, { read = sql, isNullable = false, type = null as string | null } = {}) {
    this.sql = sql
    this.read = read
    this.isNullable = isNullable
    this.type = type
  }

  toString(): string {
    return this.sql
  }
}

/** Of each field of a row, its SQL. */
export type Fields<Row> = { readonly [Name in keyof Row]-?: Expr<Row[Name]> }
type AnyFields = Readonly<Record<string, Expr<unknown>>>

/** A text, or a part of one, that returns rows of type `Row`; `never` for one that returns nothing. */
export class Text<out Row> {
  declare readonly [RETURNS]: Row
  readonly text: string
  /** What it returns, by name; null when nothing. */
  readonly fields: AnyFields | null

  constructor(text: string, fields: AnyFields | null) {
    this.text = text
    this.fields = fields
  }

  toString(): string {
    return this.text
  }

  /** Holds an answer against what the text says. @throws Error for other names, and for a null where none is told */
  check(answer: { fields: readonly { name: string }[]; rows: readonly Record<string, unknown>[] }): void {
    const told = this.fields ?? {}
    const names = answer.fields.map(({ name }) => name).sort()
    const flaw =
      names.join() !== Object.keys(told).sort().join()
        ? `returns ${names}`
        : names.find(name => !told[name]!.isNullable && answer.rows.some(row => row[name] === null))
    if (flaw) throw new Error(`not what the statement says it returns: ${flaw}\n${this.text}`)
  }
}

type Columns<Table extends PgTable> = Table['_']['columns']

/** A table's columns under an alias, by the domain's names. As part of a text it is the table itself: `orders o`. */
export type Under<Table extends PgTable> = {
  readonly [Name in keyof Columns<Table>]: Expr<GetColumnData<Columns<Table>[Name]>>
}
/** The same where a join may find no row. */
type OuterUnder<Table extends PgTable> = {
  readonly [Name in keyof Columns<Table>]: Expr<GetColumnData<Columns<Table>[Name]> | null>
}

/** The driver makes a moment of a day, and of these texts, which are read as they are. */
const AS_TEXT = new Set(['date'])

/** Made once for each table and alias: some statements are built anew for each order. */
const named = new WeakMap<PgTable, Map<string, unknown>>()

function under_<Shape>(table: PgTable, alias: string | undefined, isOuter: boolean): Shape {
  const made = named.get(table) ?? new Map<string, unknown>()
  named.set(table, made)
  const key = `${alias} ${isOuter}`
  if (!made.has(key)) made.set(key, columnsOf(table, alias, isOuter))
  return made.get(key) as Shape
}

function columnsOf(table: PgTable, alias: string | undefined, isOuter: boolean): object {
  const name = getTableName(table)
  const columns: [string, AnyPgColumn][] = Object.entries(getTableColumns(table))
  const exprs = columns.map(([field, column]) => {
    const sql = alias === undefined ? column.name : `${alias}.${column.name}`
    const type = column.getSQLType()
    const read = AS_TEXT.has(type) ? `${sql}::text` : sql
    return [field, new Expr(sql, { read, isNullable: isOuter || !column.notNull, type })] as const
  })
  // Not enumerable, so that `{ ...o }` holds columns only.
  return Object.defineProperties(Object.fromEntries(exprs), {
    toString: { value: () => (alias === undefined || alias === name ? name : `${name} ${alias}`) },
    [OUTER]: { value: isOuter },
  })
}

/** @param alias without one, names stand alone, as after SET */
export const under = <Table extends PgTable>(table: Table, alias?: string): Under<Table> => under_(table, alias, false)

/** Of a table that is joined by LEFT JOIN: each of its columns may be null. */
export const outer = <Table extends PgTable>(table: Table, alias: string): OuterUnder<Table> =>
  under_(table, alias, true)

/** Some of a table's columns. */
export const pick = <Table extends object, Name extends keyof Table>(
  from: Table,
  ...names: Name[]
): Pick<Table, Name> => Object.fromEntries(names.map(name => [name, from[name]])) as Pick<Table, Name>

const computed =
  <Base>(type: string) =>
  <T extends Base = Base>(sql: string): Expr<T> =>
    new Expr<T>(sql, { read: `(${sql})::${type}` })

/** Computed values, which the database makes what their word says. None of them is ever null, see `orNull`. */
export const as = {
  int: computed<number>('int'),
  big: computed<number>('bigint'),
  satang: computed<number>('bigint'),
  text: computed<string>('text'),
  bool: computed<boolean>('boolean'),
  instant: computed<Date>('timestamptz'),
  /** JSON, or a list, of the shape that whatever wrote it gave it. */
  shape: <T>(sql: string): Expr<T> => new Expr<T>(sql),
}

/** The same value, which may be missing. */
export const orNull = <T>(expr: Expr<T>): Expr<T | null> => new Expr(expr.sql, { ...expr, isNullable: true })
/** The same value, where the statement's conditions leave no nulls. */
export const notNull = <T>(expr: Expr<T>): Expr<NonNullable<T>> => new Expr(expr.sql, { ...expr, isNullable: false })

/** The value, or another one where it is missing. */
export const coalesce = <T>(expr: Expr<T>, other: Expr<NonNullable<T>> | (NonNullable<T> & number)) =>
  new Expr<NonNullable<T>>(`coalesce(${expr}, ${other})`)

/** The value where a condition holds, else null. */
export const when = <T>(condition: string, expr: Expr<T>): Expr<T | null> =>
  new Expr(`CASE WHEN ${condition} THEN ${expr} END`, { isNullable: true })

const inOrderOfNames = (fields: AnyFields) => Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * `g.code AS "gameCode", …`: what a statement returns, sorted by name, so that two lists of the same row can be united.
 * With a `Row`, each of its fields must be there and be of its type.
 */
export const row = <Row extends object>(fields: Fields<Row>): Text<Row> =>
  new Text(
    inOrderOfNames(fields as unknown as AnyFields)
      .map(([name, { read }]) => `${read} AS "${name}"`)
      .join(', '),
    fields as unknown as AnyFields,
  )

/** All rows of some statements that return the same. */
export const unionAll = <Row>(texts: readonly Text<Row>[]): Text<Row> =>
  new Text(texts.join(' UNION ALL '), texts[0]!.fields)

/** Waits for whoever has locked a name, and locks it until the transaction ends. @param name its SQL */
export const locked = (name: string) =>
  row({ locked: as.shape<unknown>(`pg_advisory_xact_lock(hashtextextended(${name}, 0))`) })

/** A value as JSON has it. */
type InJson<T> = T extends Date ? string : T

/** The same fields as one JSON object. Moments in it are texts. */
export const json = <Row extends object>(fields: Fields<Row>): Expr<{ [Name in keyof Row]: InJson<Row[Name]> }> =>
  new Expr(
    `json_build_object(${inOrderOfNames(fields as unknown as AnyFields).map(([name, { read }]) => `'${name}', ${read}`)})`,
  )

/** The value that an expression is. */
export type ValueOf<T> = T extends Expr<infer Value> ? Value : never
/** The row that a text returns. */
export type RowOf<T> = T extends Text<infer Row> ? Row : never

/** All rows of a SELECT, told by what follows the word, as one JSON list; [] for none. Moments in it are texts. */
export const listOf = <Row>(select: Text<Row>): Expr<{ [Name in keyof Row]: InJson<Row[Name]> }[]> =>
  new Expr(`(SELECT coalesce(json_agg(t), '[]') FROM (SELECT ${select}) t)`)

interface Part {
  toString(): string
}
/** The row of the last list of columns in a text: those before it are of its WITH. */
type Returned<Parts> = Parts extends readonly [...infer Before, infer Last]
  ? Last extends Text<infer Row>
    ? [Row] extends [never]
      ? Returned<Before>
      : Row
    : Returned<Before>
  : never

const LEFT_JOIN = /\bLEFT JOIN\s*$/

/**
 * A statement, or a part of one. It returns what the last list of columns in it says; without one it returns nothing. What
 * is read from behind that list, as in `FROM (SELECT …)`, is put in as its mere `.text`.
 */
export function sql<const Parts extends readonly Part[]>(
  strings: TemplateStringsArray,
  ...parts: Parts
): Text<Returned<Parts>> {
  let all = strings[0]!
  let fields: AnyFields | null = null
  parts.forEach((part, at) => {
    if (part instanceof Text) fields = part.fields ?? fields
    else if (OUTER in (Object(part) as object) && LEFT_JOIN.test(all) !== (part as { [OUTER]: boolean })[OUTER])
      throw new Error(`${part} must be under(…), or outer(…) after LEFT JOIN`)
    all += `${part}${strings[at + 1]}`
  })
  return new Text(all, fields)
}
