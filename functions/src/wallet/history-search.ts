import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { ACTION_TYPES, type ActionType, type TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { account } from '../account/tables.ts'
import type { Queries } from '../database/database.ts'
import { inOrderWords, likePart, likeStart, personWords } from '../database/listing.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { Values } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { topUp, wallet } from './tables.ts'

/** Prepares a search in the wallets' history: looks up numbers and names before the history is read. */

/** Where a line stands in the history, newest first. */
export interface HistoryCursor {
  createdAt: Date
  id: string
  walletId: string
}

export interface HistoryFilter {
  /** The only wallet to read; without it all of them. */
  walletId?: string
  month?: string
  actionType?: ActionType[]
  status?: TopUpStatus[]
  transactionNo?: string
  agentName?: string
  /** Only for top-ups of one status, which staff work off. */
  isOldestFirst?: boolean
}

/** A filter whose numbers and agents have been looked up. */
export interface Sought extends Omit<HistoryFilter, 'transactionNo' | 'agentName'> {
  /** The wallets to read, when several agents have the name. */
  walletIds?: string[]
  named: Named | null
  /** Only lines below this one are read. */
  after?: HistoryCursor
}

/** Shorter parts of a text can't be looked up in an index. */
const SHORTEST_INDEXED = 3
/** Matches a part of "KT2611-04821937" or "WT2611-04821937". */
const PART_OF_NUMBER = /^(?:[KW]|(?:[KW]?T)?\d{0,4}-?\d{0,8})$/

/**
 * The numbers that contain what somebody typed. A few are given by the ids of their orders and top-ups. When there are
 * more than a list counts, or the text is too short to be looked up, the list compares each line.
 */
export type Named = { ids: string[] } | { part: string; isStart: boolean; isUncounted: boolean }

const [o, u, w, a] = [under(orders, 'o'), under(topUp, 'u'), under(wallet, 'w'), under(account, 'a')]

/**
 * Returns the condition that an order was paid from a wallet. It also names the wallet's owner, because their orders
 * have an index.
 */
export const isPaidFrom = (id: string) =>
  `${o.walletId} = ${id} AND ${o.buyerKey} = (SELECT 'u:' || ${w.uid} FROM ${w} WHERE ${w.id} = ${id})`

/** Looked up once for both page and count; for one wallet's history only among its own orders and top-ups. */
async function findNamed(db: Queries, { walletId, transactionNo }: HistoryFilter): Promise<Named | null> {
  if (!transactionNo) return null
  const no = transactionNo.toUpperCase()
  if (!PART_OF_NUMBER.test(no)) return { ids: [] }
  const isStart = /^[KW]T/.test(no)
  if (no.length < SHORTEST_INDEXED) return { part: no, isStart, isUncounted: false }
  const { all: values, add } = new Values()
  const pattern = add(isStart ? likeStart(no) : likePart(no))
  const order = [`${o.orderNo} LIKE ${pattern}`, `${o.walletId} IS NOT NULL`]
  const topped = [`${u.no} LIKE ${pattern}`]
  if (walletId) {
    const its = add(walletId)
    order.push(isPaidFrom(its))
    topped.push(`${u.walletId} = ${its}`)
  } else if (!isStart) order.push(inOrderWords('o', no, add))
  const found = await db.query({
    // MATERIALIZED makes the planner plan for all of them; with the limit alone it would hope to meet them by chance.
    // Top-ups come first, because many of them are found sooner than many orders.
    text: sql`WITH named AS MATERIALIZED (SELECT ${u.id} FROM ${u} WHERE ${topped.join(' AND ')}
        UNION ALL SELECT ${o.id} FROM ${o} WHERE ${order.join(' AND ')})
      SELECT ${row({ id: as.text('named.id') })} FROM named LIMIT ${MOST_COUNTED + 1}`,
    values,
  })
  if (found.length > MOST_COUNTED) return { part: no, isStart, isUncounted: true }
  return { ids: found.map(({ id }) => id) }
}

async function findWalletIds(db: Queries, agentName: string): Promise<string[]> {
  const found = await db.query({
    text: sql`SELECT ${row(pick(w, 'id'))} FROM ${w} JOIN ${a} ON ${a.uid} = ${w.uid} WHERE ${personWords('a')} ILIKE $1`,
    values: [likePart(agentName)],
  })
  return found.map(({ id }) => id)
}

/**
 * Resolves a filter. The first letter of a number tells whether it is an order's or a top-up's, so the other kind need
 * not be read. A name that one agent has becomes that wallet, whose lines an index returns in order; null when nobody
 * has the name.
 */
export async function look(db: Queries, { agentName, ...filter }: HistoryFilter): Promise<Sought | null> {
  const walletIds = agentName ? await findWalletIds(db, agentName) : undefined
  if (walletIds?.length === 0) return null
  const wallets = walletIds?.length === 1 ? { walletId: walletIds[0] } : { walletIds }
  const meant = { K: 'เติมเกม', W: 'เติมเงิน' }[filter.transactionNo?.[0]?.toUpperCase() ?? '']
  const actionType = meant ? (filter.actionType ?? ACTION_TYPES).filter(type => type === meant) : filter.actionType
  if (actionType?.length === 0) return null
  const sought = { ...filter, ...wallets, actionType }
  return { ...sought, named: await findNamed(db, sought) }
}
