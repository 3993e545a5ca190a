import { MOST_KEPT } from '@shop/shared/list-count.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Sql } from './database.ts'
import { Values } from './values.ts'

/** Pieces of the SQL behind reads. */

const literal = (text: string) => text.replace(/[%_\\]/g, '\\$&')

/** A LIKE pattern for texts that contain what a person typed, wildcards taken as letters. */
export const likePart = (text: string) => `%${literal(text)}%`

/** The same for texts that begin with it. */
export const likeStart = (text: string) => `${literal(text)}%`

/** A person's given and family name of the account table under an alias; '' when there is none. */
export const fullName = (alias: string) => `trim(${alias}.given_name || ' ' || ${alias}.family_name)`

/** A person's name for staff: given and family name, else the sign-in name. */
export const personName = (alias: string) => `coalesce(nullif(${fullName(alias)}, ''), ${alias}.username)`

/** LINE's id of a person of the account table under an alias: that of a linked identity, else the one the uid names. */
export const lineId = (alias: string) => `coalesce(
  (SELECT l.subject FROM linked_identity l WHERE l.uid = ${alias}.uid AND l.provider = 'line'),
  CASE WHEN ${alias}.uid LIKE 'line:%' THEN substr(${alias}.uid, 6) END)`

/** What people are searched by; the index `account_words` names the same. */
export const personWords = (alias: string) =>
  `(${alias}.username || ' ' || ${alias}.given_name || ' ' || ${alias}.family_name || ' ' || coalesce(${alias}.email, ''))`

/**
 * A dash as a letter that nobody types. To pg_trgm a dash ends a word, and "-26" would be looked up as all words that begin
 * with 26; a player's id is more often such a one than an order's number.
 */
const dashAsLetter = (text: string) => `replace(${text}, '-', 'ǀ')`

const orderText = (alias: string) =>
  `${alias}.order_no || ' ' || ${alias}.player_id || ' ' || coalesce(${alias}.player_name, '')`

/** That what orders are searched by contains a text, which no index answers. */
export const hasOrderWords = (alias: string, text: string) => `strpos(lower(${orderText(alias)}), lower(${text})) > 0`

/**
 * The same by the index `orders_words`, which names the same. Each three characters of a pattern are a list to be read there,
 * and in each list of digits stands a hundredth of all orders: of many digits the first, middle and last three tell enough.
 */
export function inOrderWords(alias: string, text: string, bind: (value: string) => string): string {
  // Where letters have no case the index need not fold it.
  const like = text.toLowerCase() === text.toUpperCase() ? 'LIKE' : 'ILIKE'
  const matches = (part: string) => `${dashAsLetter(orderText(alias))} ${like} ${dashAsLetter(bind(likePart(part)))}`
  if (!/^\d{6,}$/.test(text)) return matches(text)
  const lists = [0, Math.floor(text.length / 2) - 1, text.length - 3].map(at => matches(text.slice(at, at + 3)))
  return `${lists.join(' AND ')} AND ${hasOrderWords(alias, bind(text))}`
}

/** Year and month as a part of an order's or top-up's number names them: "KT2601", "2601-0". */
const NAMES_A_MONTH = /^(?:[KW]?T(\d\d)(0[1-9]|1[0-2])|(\d\d)(0[1-9]|1[0-2])-)/

/** The Bangkok month of the numbers that contain a part in upper case; null for a part that names none. */
export function monthOfNumber(part: string): { from: Date; to: Date } | null {
  const [, year, month, barYear, barMonth] = NAMES_A_MONTH.exec(part) ?? []
  return year || barYear ? bangkokMonth(`20${year ?? barYear}-${month ?? barMonth}`) : null
}

/**
 * `o.order_no AS "orderNo", …`: a table's columns under an alias, named as the domain names them.
 * @param within names them "order.orderNo", …, for `nest`
 */
export const selectList = (table: Record<string, AnyPgColumn>, alias: string, within?: string) =>
  Object.entries(table)
    .map(([name, column]) => `${alias}.${column.name} AS "${within ? `${within}.` : ''}${name}"`)
    .join(', ')

/** The SQL of each field of a row. A new field of the row's type without its SQL does not compile. */
export type SqlOf<Row> = Record<keyof Row, string>

const inOrderOfNames = (sqlOf: Record<string, string>) =>
  Object.entries(sqlOf).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * `g.code AS "gameCode", …`: what a statement reads for a row, from a table over the row's type. It stands in the order of
 * the names, however it was written, so that two lists of the same row can be united.
 */
export const columns = <Row extends object = Record<never, never>>(sqlOf: SqlOf<NoInfer<Row>>): string =>
  inOrderOfNames(sqlOf)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ')

/** The same as one JSON object. Moments in it are texts. */
export const jsonObject = <Row extends object = Record<never, never>>(sqlOf: SqlOf<NoInfer<Row>>): string =>
  `json_build_object(${inOrderOfNames(sqlOf).map(([name, sql]) => `'${name}', ${sql}`)})`

/** A row that was read with columns called "order.id", "order.status", …: as an object with an object `order` in it. */
export function nest<Row>(row: Record<string, unknown>): Row {
  const own: Record<string, unknown> = {}
  const within: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of Object.entries(row)) {
    const [first, field] = name.split('.') as [string, string?]
    if (field === undefined) own[first] = value
    else {
      within[first] ??= {}
      within[first][field] = value
    }
  }
  return { ...own, ...within } as Row
}

/** Conditions that must all hold, and the values of their placeholders. */
export class Filter {
  readonly #bound = new Values()
  readonly values = this.#bound.all
  readonly #conditions: string[]

  constructor(...conditions: string[]) {
    this.#conditions = conditions
  }

  /** The placeholder of a value, e.g. "$3". */
  bind(value: unknown): string {
    return this.#bound.add(value)
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

/** How the text of a sort key is read back; null for what is none. */
const KEY_TYPE = {
  timestamptz(text: string): string | null {
    if (/^-?infinity$/.test(text)) return text
    const milliseconds = /^[12]\d{3}-/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString()
  },
  bigint: (text: string) => (/^\d{1,15}$/.test(text) ? text : null),
  uuid: (text: string) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null),
}

/** Where a list goes on: the sort keys of the row it follows, as texts. */
export type Cursor = string[]

/** What a list is sorted by, from the first key to the one that tells equals apart. No key is ever null. */
export type SortKeys = readonly { sql: string; type: keyof typeof KEY_TYPE }[]
export type Direction = 'asc' | 'desc'

/** `ORDER BY` of sort keys. */
export const orderOf = (keys: SortKeys, direction: Direction): string =>
  keys.map(({ sql }) => `${sql} ${direction}`).join(', ')

/** The column that tells a row's cursor. */
export const cursorOf = (keys: SortKeys): string => `ARRAY[${keys.map(({ sql }) => `(${sql})::text`).join(', ')}]`

const BETWEEN_KEYS = '~'

export const cursorText = (cursor: Cursor): string => cursor.join(BETWEEN_KEYS)

/** The cursor that a text names; null for a text that no list gave. */
export function readCursor(text: string, keys: SortKeys): Cursor | null {
  const texts = text.split(BETWEEN_KEYS)
  const cursor = keys.map(({ type }, at) => KEY_TYPE[type](texts[at] ?? ''))
  return texts.length === keys.length && cursor.every(each => each !== null) ? cursor : null
}

/** Adds the condition that a row stands after the row of a cursor. */
export function mustFollow(filter: Filter, keys: SortKeys, direction: Direction, cursor: Cursor): void {
  const values = keys.map(({ type }, at) => `${filter.bind(cursor[at])}::${type}`)
  filter.must(`(${keys.map(({ sql }) => sql).join(', ')}) ${direction === 'asc' ? '>' : '<'} (${values.join(', ')})`)
}

interface List {
  /** The table with its alias, and the joins that conditions and order need: `account a LEFT JOIN …`. */
  from: string
  filter: Filter
  /** Adds where the page goes on from, instead of a page's number; what is counted is counted without it. */
  goOn?: ((filter: Filter) => void) | null
  /** Holds in `from` and in `select` alike. */
  order: string
  /**
   * Where counting stops, 10,001 without it, and in which order it goes: that of an index which the filters are read by. A
   * scan from the oldest row on, or in the order of another column, would pass all that the filters leave out.
   */
  counted?: { limit: number; order: string }
  /** How many there are, where that is known without counting. */
  total?: number
  /** What is read of a page's rows, which stand under the same alias: `SELECT a.uid, … FROM page a`. */
  select: string
}

/** A page of rows and how many there are in all, as far as they are counted. */
export async function findPage<Row>(
  db: Sql,
  { from, filter, goOn, order, counted, total, select }: List,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: Row[]; total: number }> {
  const alias = from.split(' ')[1]
  const counting = counted ? `ORDER BY ${counted.order} LIMIT ${counted.limit}` : `LIMIT ${MOST_KEPT + 1}`
  const count = {
    text: `SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} WHERE ${filter} ${counting}) AS counted`,
    values: [...filter.values],
  }
  goOn?.(filter)
  const limits = `LIMIT ${pageSize} OFFSET ${goOn ? 0 : (page - 1) * pageSize}`
  const [rows, [totals]] = await Promise.all([
    db.query<Row>({
      text: `WITH page AS (SELECT ${alias}.* FROM ${from} WHERE ${filter} ORDER BY ${order} ${limits}) ${select} ORDER BY ${order}`,
      values: filter.values,
    }),
    total === undefined ? db.query<{ total: number }>(count) : [{ total }],
  ])
  return { rows, total: totals!.total }
}
