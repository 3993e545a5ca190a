import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Sql } from './database.ts'

/** Pieces of the SQL behind reads. */

/** Counting stops here: people page through the newest, nobody reads row 10,001. */
export const COUNT_LIMIT = 10_001

const literal = (text: string) => text.replace(/[%_\\]/g, '\\$&')

/** A LIKE pattern for texts that contain what a person typed, wildcards taken as letters. */
export const likePart = (text: string) => `%${literal(text)}%`

/** The same for texts that begin with it. */
export const likeStart = (text: string) => `${literal(text)}%`

/** A person's given and family name of the account table under an alias; '' when there is none. */
export const fullName = (alias: string) => `trim(${alias}.given_name || ' ' || ${alias}.family_name)`

/** A person's name for staff: given and family name, else the sign-in name. */
export const personName = (alias: string) => `coalesce(nullif(${fullName(alias)}, ''), ${alias}.username)`

/** What people are searched by. */
export const personWords = (alias: string) =>
  `(${alias}.username || ' ' || ${alias}.given_name || ' ' || ${alias}.family_name || ' ' || coalesce(${alias}.email, ''))`

/** `o.order_no AS "orderNo", …`: a table's columns under an alias, named as the domain names them. */
export const selectList = (columns: Record<string, AnyPgColumn>, alias: string) =>
  Object.entries(columns)
    .map(([name, column]) => `${alias}.${column.name} AS "${name}"`)
    .join(', ')

/** Conditions that must all hold, and the values of their placeholders. */
export class Filter {
  readonly values: unknown[] = []
  readonly #conditions: string[]

  constructor(...conditions: string[]) {
    this.#conditions = conditions
  }

  /** The placeholder of a value, e.g. "$3". */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** Adds a condition that needs no value. */
  must(condition: string): void {
    this.#conditions.push(condition)
  }

  /** Adds a condition on a value; without the value nothing. */
  where<T>(
    value: T | null | undefined,
    condition: (placeholder: string) => string,
    as: (value: T) => unknown = it => it,
  ) {
    if (value !== undefined && value !== null) this.#conditions.push(condition(this.bind(as(value))))
  }

  toString(): string {
    return this.#conditions.length > 0 ? this.#conditions.join(' AND ') : 'true'
  }
}

interface List {
  /** The table with its alias, and the joins that conditions and order need: `account a LEFT JOIN …`. */
  from: string
  filter: Filter
  /** Holds in `from` and in `select` alike. */
  order: string
  /** What is read of a page's rows, which stand under the same alias: `SELECT a.uid, … FROM page a`. */
  select: string
}

/** A page of rows and how many there are in all, at most 10,001. */
export async function findPage<Row>(
  db: Sql,
  { from, filter, order, select }: List,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: Row[]; total: number }> {
  const { values } = filter
  const matching = `FROM ${from} WHERE ${filter}`
  const alias = from.split(' ')[1]
  const limits = `LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const [rows, [count]] = await Promise.all([
    db.query<Row>({
      text: `WITH page AS (SELECT ${alias}.* ${matching} ORDER BY ${order} ${limits}) ${select} ORDER BY ${order}`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${COUNT_LIMIT}) AS counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}
