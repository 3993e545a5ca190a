import { phoneIn } from '@shop/shared/account/account.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { bangkokMonth } from '@shop/shared/time.ts'
import { account } from '../../account/tables.ts'
import type { Queries } from '../../database/database.ts'
import {
  Filter,
  hasEnd,
  hasOrderWords,
  inOrderWords,
  isEnd,
  likePart,
  likeStart,
  monthOfNumber,
  personWords,
} from '../../database/listing.ts'
import { as, pick, row, sql, under } from '../../database/sql.ts'
import { findSubjectsOfSlip } from '../../upload/store.ts'
import { orders } from '../tables.ts'

/** Finds the orders that a text names: by their number or its beginning, their player, their buyer, or their slip. */

const [o, e, a] = [under(orders, 'o'), under(orders, 'e'), under(account, 'a')]
const KEY = row({ key: as.text(`'u:' || ${a.uid}`) })

/** The most people with matching names or addresses whose orders are searched. */
const MOST_PEOPLE = 50

/** Finds people by a part of their name or address, or by their whole telephone number. */
export async function findBuyerKeys(db: Queries, text: string): Promise<string[]> {
  const people = await db.query({
    // Each part uses an index of its own.
    text: sql`(SELECT ${KEY} FROM ${a} WHERE ${personWords('a')} ILIKE $1 LIMIT ${MOST_PEOPLE})
      UNION (SELECT ${KEY} FROM ${a} WHERE ${a.phone} = $2 LIMIT ${MOST_PEOPLE})`,
    values: [likePart(text), phoneIn(text)],
  })
  return people.map(({ key }) => key)
}

/** Matches "KT", year and month, and digits, as far as somebody has typed them. */
const BEGINS_A_NUMBER = /^KT(\d\d)?(0[1-9]|1[0-2]|[01])?(-\d{0,8})?$/

/** The dash and the digits of a whole number, of which there is only one. */
const WHOLE_DIGITS = 9

/**
 * Filters orders whose number begins with a text; returns false when no number can. The number contains its month, and
 * using that keeps a search in an old month from reading all newer orders.
 */
export function beginsNumber(filter: Filter, text: string): boolean {
  const match = BEGINS_A_NUMBER.exec(text.toUpperCase())
  if (!match) return false
  const [orderNo, year, month, digits = ''] = match
  if (digits.length === WHOLE_DIGITS) {
    filter.where(orderNo, no => `${o.orderNo} = ${no}`)
    return true
  }
  // Here the text names a whole year or month.
  if (digits.length > 1 || month?.length === 1) filter.where(orderNo, no => `${o.orderNo} LIKE ${no}`, likeStart)
  if (year) {
    const [first, last] = month?.length === 2 ? [month, month] : ['01', '12']
    filter.where(bangkokMonth(`20${year}-${first}`).from, from => `${o.createdAt} >= ${from}`)
    filter.where(bangkokMonth(`20${year}-${last}`).to, to => `${o.createdAt} < ${to}`)
  }
  return true
}

/**
 * Returns the condition for a text that very many orders contain. When the text names a month, only that month is read.
 */
function containsCommon(filter: Filter, text: string): string {
  // A LIKE pattern is avoided, because the planner expects few matches and would read and sort them all.
  const contains = hasOrderWords('o', filter.bind(text))
  const month = monthOfNumber(text.toUpperCase())
  if (!month) return contains
  return `${contains} AND ${o.createdAt} >= ${filter.bind(month.from)} AND ${o.createdAt} < ${filter.bind(month.to)}`
}

/**
 * A text that more orders contain is so common that a list meets enough of them while it reads, and its count stops
 * there.
 */
const MOST_NAMED = MOST_COUNTED

/** A condition on orders for a filter that binds its values, and whether it matches more orders than are counted. */
interface Words {
  condition: (filter: Filter) => string
  isCommon: boolean
}

/** Texts that too many orders contain, remembered for each database, because they stay common. */
const commonTexts = new WeakMap<Queries, Set<string>>()
const MOST_REMEMBERED = 1000

/** Filters orders whose number ends with five digits. As an array, the planner expects few, and looks up each. */
export const mustEnd = (filter: Filter, end: string): void =>
  filter.where(
    end,
    end =>
      `${o.id} = ANY(ARRAY(SELECT ${e.id} FROM ${e} WHERE ${hasEnd('e', end)} AND right(${e.orderNo}, 5) = ${end}))`,
  )

/**
 * Returns the newest orders whose number or player's id ends with five digits. MATERIALIZED makes the planner look up the
 * end, instead of hoping to meet it among the newest orders.
 */
async function findByEnd(db: Queries, end: string): Promise<string[]> {
  const ending = under(orders, 'ending')
  const found = await db.query({
    text: sql`WITH ending AS MATERIALIZED (SELECT ${o.id}, ${o.createdAt} FROM ${o} WHERE ${hasEnd('o', '$1')})
      SELECT ${row(pick(ending, 'id'))} FROM ending ORDER BY ${ending.createdAt} DESC, ${ending.id} DESC LIMIT ${MOST_NAMED}`,
    values: [end],
  })
  return found.map(({ id }) => id)
}

const ofIds = (ids: string[]): Words => ({
  condition: filter => `${o.id} = ANY(${filter.bind(ids)}::uuid[])`,
  isCommon: false,
})

/**
 * Filters orders whose number or player contains a text. Five digits are the end of one, which people read out; only
 * when nothing ends with them are they looked for inside. When few match, their ids are looked up once for both page and
 * count, so that a list need not read all orders newest first.
 */
export async function findByWords(db: Queries, text: string): Promise<Words | null> {
  const common: Words = { condition: filter => containsCommon(filter, text), isCommon: true }
  const ending = isEnd(text) ? await findByEnd(db, text) : []
  if (ending.length > 0) return ofIds(ending)
  const known = commonTexts.get(db) ?? new Set()
  if (known.has(text)) return common
  const filter = new Filter()
  filter.must(inOrderWords('o', text, it => filter.bind(it)))
  const found = await db.query({
    // MATERIALIZED makes the planner plan for all of them; with the limit alone it would hope to meet them by chance.
    text: sql`WITH named AS MATERIALIZED (SELECT ${o.id} FROM ${o} WHERE ${filter})
      SELECT ${row(pick(under(orders, 'named'), 'id'))} FROM named LIMIT ${MOST_NAMED + 1}`,
    values: filter.values,
  })
  if (found.length === 0) return null
  if (found.length > MOST_NAMED) {
    if (known.size < MOST_REMEMBERED) commonTexts.set(db, known.add(text))
    return common
  }
  return ofIds(found.map(({ id }) => id))
}

/** Adds the condition and returns whether more orders match than a list counts. */
export async function mustContain(db: Queries, filter: Filter, text: string): Promise<boolean> {
  if (beginsNumber(filter, text)) return false
  const [byWords, keys, bySlip] = await Promise.all([
    findByWords(db, text),
    findBuyerKeys(db, text),
    findSubjectsOfSlip(db, text),
  ])
  const conditions = [
    byWords?.condition(filter),
    bySlip.length > 0 ? ofIds(bySlip).condition(filter) : null,
    keys.length > 0 ? `${o.buyerKey} = ANY(${filter.bind(keys)}::text[])` : null,
  ].filter(Boolean)
  filter.must(conditions.length > 0 ? `(${conditions.join(' OR ')})` : 'false')
  return byWords?.isCommon ?? false
}
