import { MOST_KEPT } from '@shop/shared/list-count.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type { Queries } from './database.ts'
import { as, type Expr, orNull, Text } from './sql.ts'
import { Values } from './values.ts'

/** SQL fragments for reads. */

const literal = (text: string) => text.replace(/[%_\\]/g, '\\$&')

/** Returns a LIKE pattern for texts that contain what a person typed; wildcards in it are taken literally. */
export const likePart = (text: string) => `%${literal(text)}%`

/** Returns a LIKE pattern for texts that begin with what a person typed. */
export const likeStart = (text: string) => `${literal(text)}%`

/** Returns the SQL of a person's given and family name, for the account table under an alias; '' when there is none. */
export const fullName = (alias: string) => `trim(${alias}.given_name || ' ' || ${alias}.family_name)`

/** Returns the SQL of a person's name for staff: given and family name, else the sign-in name. */
export const personName = (alias: string): Expr<string> =>
  as.text(`coalesce(nullif(${fullName(alias)}, ''), ${alias}.username)`)

/**
 * Returns the SQL of a person's LINE id, for the account table under an alias: that of a linked identity, else the one
 * in the uid.
 */
export const lineId = (alias: string): Expr<string | null> =>
  orNull(
    as.text(`coalesce(
  (SELECT l.subject FROM linked_identity l WHERE l.uid = ${alias}.uid AND l.provider = 'line'),
  CASE WHEN ${alias}.uid LIKE 'line:%' THEN substr(${alias}.uid, 6) END)`),
  )

/** The text in which people are searched; the index `account_words` must use the same expression. */
export const personWords = (alias: string) =>
  `(${alias}.username || ' ' || ${alias}.given_name || ' ' || ${alias}.family_name || ' ' || coalesce(${alias}.email, ''))`

/**
 * Replaces dashes by a letter that nobody types. pg_trgm takes a dash for the end of a word and would look up "-26" as
 * all words that begin with 26; a player's id is such a word more often than an order's number.
 */
const dashAsLetter = (text: string) => `replace(${text}, '-', 'ǀ')`

const orderText = (alias: string) =>
  `${alias}.order_no || ' ' || ${alias}.player_id || ' ' || coalesce(${alias}.player_name, '')`

/** Returns the condition that an order's searched text contains a text; no index can answer it. */
export const hasOrderWords = (alias: string, text: string) => `strpos(lower(${orderText(alias)}), lower(${text})) > 0`

/**
 * Returns the same condition for the index `orders_words`, which must use the same expression. The index reads a list
 * for each three characters of a pattern, and each list of three digits holds a hundredth of all orders. For many
 * digits the first, middle and last three are therefore enough.
 */
export function inOrderWords(alias: string, text: string, bind: (value: string) => string): string {
  // Text without upper and lower case need not be folded by the index.
  const like = text.toLowerCase() === text.toUpperCase() ? 'LIKE' : 'ILIKE'
  const matches = (part: string) => `${dashAsLetter(orderText(alias))} ${like} ${dashAsLetter(bind(likePart(part)))}`
  if (!/^\d{6,}$/.test(text)) return matches(text)
  const lists = [0, Math.floor(text.length / 2) - 1, text.length - 3].map(at => matches(text.slice(at, at + 3)))
  return `${lists.join(' AND ')} AND ${hasOrderWords(alias, bind(text))}`
}

/** Matches what people read out of a number or a player's id: its last digits. */
const IS_END = /^\d{5}$/

/** Tells whether a text is looked up as an end first. */
export const isEnd = (text: string): boolean => IS_END.test(text)

/**
 * Returns the condition that an order's number or player's id ends with five digits; the index `orders_ends` must use the
 * same expression. It finds no more rows than have that end, however many contain it.
 */
export const hasEnd = (alias: string, end: string) =>
  `ARRAY[right(${alias}.order_no, 5), right(${alias}.player_id, 5)] @> ARRAY[${end}]`

/** Matches the year and month in a part of an order's or top-up's number: "KT2601", "2601-0". */
const NAMES_A_MONTH = /^(?:[KW]?T(\d\d)(0[1-9]|1[0-2])|(\d\d)(0[1-9]|1[0-2])-)/

/** Returns the Bangkok month that a part of a number names (in upper case); null when it names none. */
export function monthOfNumber(part: string): { from: Date; to: Date } | null {
  const [, year, month, barYear, barMonth] = NAMES_A_MONTH.exec(part) ?? []
  return year || barYear ? bangkokMonth(`20${year ?? barYear}-${month ?? barMonth}`) : null
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

  /** Adds a condition on a value; does nothing when the value is missing. */
  where<T>(
    value: T | null | undefined,
    condition: (placeholder: string) => string,
    as: (value: T) => unknown = it => it,
  ) {
    if (value !== undefined && value !== null) this.#conditions.push(condition(this.bind(as(value))))
  }

  /** True while all rows match. */
  get isEmpty(): boolean {
    return this.#conditions.length === 0
  }

  toString(): string {
    return this.#conditions.length > 0 ? this.#conditions.join(' AND ') : 'true'
  }
}

/** How the text of a sort key is converted back; null for invalid text. */
const KEY_TYPE = {
  timestamptz(text: string): string | null {
    if (/^-?infinity$/.test(text)) return text
    const milliseconds = /^[12]\d{3}-/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString()
  },
  bigint: (text: string) => (/^\d{1,15}$/.test(text) ? text : null),
  uuid: (text: string) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null),
}

/** The position from which a list continues: the sort keys of the last row shown, as texts. */
export type Cursor = string[]

/** The sort keys of a list, from the first to one that is unique. No key is ever null. */
export type SortKeys = readonly { sql: string | Expr<unknown>; type: keyof typeof KEY_TYPE }[]
export type Direction = 'asc' | 'desc'

/** Returns the ORDER BY of a list. */
export const orderOf = (keys: SortKeys, direction: Direction): string =>
  keys.map(({ sql }) => `${sql} ${direction}`).join(', ')

/** Returns the SQL of the column that holds a row's cursor. */
export const cursorOf = (keys: SortKeys): string => `ARRAY[${keys.map(({ sql }) => `(${sql})::text`).join(', ')}]`

const BETWEEN_KEYS = '~'

export const cursorText = (cursor: Cursor): string => cursor.join(BETWEEN_KEYS)

/** Returns the cursor that a text names; null for a text that no list gave. */
export function readCursor(text: string, keys: SortKeys): Cursor | null {
  const texts = text.split(BETWEEN_KEYS)
  const cursor = keys.map(({ type }, at) => KEY_TYPE[type](texts[at] ?? ''))
  return texts.length === keys.length && cursor.every(each => each !== null) ? cursor : null
}

/** Adds the condition that a row comes after the row of a cursor. */
export function mustFollow(filter: Filter, keys: SortKeys, direction: Direction, cursor: Cursor): void {
  const values = keys.map(({ type }, at) => `${filter.bind(cursor[at])}::${type}`)
  filter.must(`(${keys.map(({ sql }) => sql).join(', ')}) ${direction === 'asc' ? '>' : '<'} (${values.join(', ')})`)
}

interface List<Select> {
  /** The table with its alias, and the joins that conditions and order need: `account a LEFT JOIN …`. */
  from: string | Text<never>
  filter: Filter
  /** Adds the condition from which the page continues, instead of a page's number. The count ignores it. */
  goOn?: ((filter: Filter) => void) | null
  /** The order of the rows; it must be valid both in `from` and in `select`. */
  order: string
  /**
   * Where counting stops (10,001 by default), and the order in which it counts: that of an index that serves the
   * filters. In another order it would read all the rows that the filters leave out.
   */
  counted?: { limit: number; order: string }
  /** The number of rows, when it is known without counting. */
  total?: number
  /** The columns of a page's rows, which have the same alias: `SELECT a.uid, … FROM page a`. */
  select: Select
}

/** Returns a page of rows and the total, as far as it is counted. */
export async function findPage<Row>(
  db: Queries,
  { from, filter, goOn, order, counted, total, select }: List<string | Text<Row>>,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: Row[]; total: number }> {
  const alias = `${from}`.split(' ')[1]
  const counting = counted ? `ORDER BY ${counted.order} LIMIT ${counted.limit}` : `LIMIT ${MOST_KEPT + 1}`
  const count = {
    text: `SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} WHERE ${filter} ${counting}) AS counted`,
    values: [...filter.values],
  }
  goOn?.(filter)
  const limits = `LIMIT ${pageSize} OFFSET ${goOn ? 0 : (page - 1) * pageSize}`
  const text = `WITH page AS (SELECT ${alias}.* FROM ${from} WHERE ${filter} ORDER BY ${order} ${limits}) ${select} ORDER BY ${order}`
  const [rows, [totals]] = await Promise.all([
    db.query<Row>({
      text: select instanceof Text ? new Text<Row>(text, select.fields) : text,
      values: filter.values,
    }),
    total === undefined ? db.query<{ total: number }>(count) : [{ total }],
  ])
  return { rows, total: totals!.total }
}
