import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import {
  Filter,
  hasOrderWords,
  inOrderWords,
  likePart,
  likeStart,
  monthOfNumber,
  personWords,
} from '../database/listing.ts'

/** Which orders a text names: by their number or its beginning, their player, their buyer. */

/** People whose names or addresses contain a text and whose orders are searched. */
const MOST_PEOPLE = 50

export async function findBuyerKeys(db: Sql, text: string): Promise<string[]> {
  const people = await db.query<{ key: string }>({
    text: `SELECT 'u:' || a.uid AS key FROM account a WHERE ${personWords('a')} ILIKE $1 LIMIT ${MOST_PEOPLE}`,
    values: [likePart(text)],
  })
  return people.map(({ key }) => key)
}

/** "KT", year and month, and digits, as far as somebody typed. */
const BEGINS_A_NUMBER = /^KT(\d\d)?(0[1-9]|1[0-2]|[01])?(-\d{0,8})?$/

/**
 * Orders whose number begins with a text; false for a text that begins none. A number names its month: saying it keeps
 * the newest orders from being read one by one on the way to an old month's.
 */
export function beginsNumber(filter: Filter, text: string): boolean {
  const match = BEGINS_A_NUMBER.exec(text.toUpperCase())
  if (!match) return false
  const [orderNo, year, month, digits = ''] = match
  // A whole month's or year's orders all begin with it.
  if (digits.length > 1 || month?.length === 1) filter.where(orderNo, no => `o.order_no LIKE ${no}`, likeStart)
  if (year) {
    const [first, last] = month?.length === 2 ? [month, month] : ['01', '12']
    filter.where(bangkokMonth(`20${year}-${first}`).from, from => `o.created_at >= ${from}`)
    filter.where(bangkokMonth(`20${year}-${last}`).to, to => `o.created_at < ${to}`)
  }
  return true
}

/** That an order contains what more orders contain than are counted; where that names a month, they are read from there. */
function containsCommon(filter: Filter, text: string): string {
  // Not by a pattern: the planner takes what it matches for few, and would read and sort them all.
  const contains = hasOrderWords('o', filter.bind(text))
  const month = monthOfNumber(text.toUpperCase())
  if (!month) return contains
  return `${contains} AND o.created_at >= ${filter.bind(month.from)} AND o.created_at < ${filter.bind(month.to)}`
}

/** Words that more orders contain are so common that a list finds them on its way, and counts no further. */
const MOST_NAMED = MOST_COUNTED

/** A condition on orders, for a filter that binds its values, and whether it holds for more than are counted. */
interface Words {
  condition: (filter: Filter) => string
  isCommon: boolean
}

/** What more orders contain than are counted, they go on to contain; what is known of one database. */
const commonTexts = new WeakMap<Sql, Set<string>>()
const MOST_REMEMBERED = 1000

/**
 * Whose number or player contains a text. Few orders are named by their ids: those are looked up once for a page and its
 * count, and no list of theirs is read newest first through all that do not contain the text.
 */
export async function findByWords(db: Sql, text: string): Promise<Words | null> {
  const common: Words = { condition: filter => containsCommon(filter, text), isCommon: true }
  const known = commonTexts.get(db) ?? new Set()
  if (known.has(text)) return common
  const filter = new Filter()
  filter.must(inOrderWords('o', text, it => filter.bind(it)))
  const found = await db.query<{ id: string }>({
    // As a step of its own it is planned for all of them: with the limit alone the planner hopes to meet them by chance.
    text: `WITH named AS MATERIALIZED (SELECT o.id FROM orders o WHERE ${filter})
      SELECT id FROM named LIMIT ${MOST_NAMED + 1}`,
    values: filter.values,
  })
  if (found.length === 0) return null
  if (found.length > MOST_NAMED) {
    if (known.size < MOST_REMEMBERED) commonTexts.set(db, known.add(text))
    return common
  }
  const ids = found.map(({ id }) => id)
  return { condition: filter => `o.id = ANY(${filter.bind(ids)}::uuid[])`, isCommon: false }
}

/** Tells whether more orders contain it than a list counts. */
export async function mustContain(db: Sql, filter: Filter, text: string): Promise<boolean> {
  if (beginsNumber(filter, text)) return false
  const [byWords, keys] = await Promise.all([findByWords(db, text), findBuyerKeys(db, text)])
  const conditions = [
    byWords?.condition(filter),
    keys.length > 0 ? `o.buyer_key = ANY(${filter.bind(keys)}::text[])` : null,
  ].filter(Boolean)
  filter.must(conditions.length > 0 ? `(${conditions.join(' OR ')})` : 'false')
  return byWords?.isCommon ?? false
}
