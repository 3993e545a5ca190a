import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { ACTION_TYPES, type ActionType, type TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import type { Sql } from '../database/database.ts'
import { inOrderWords, likePart, likeStart, personWords } from '../database/listing.ts'
import { Values } from '../database/values.ts'

/** What is asked of the wallets' history, and what is looked up before it is read: numbers and names. */

/** Where a line stands in the history, newest first. */
export interface HistoryCursor {
  createdAt: Date
  id: string
  walletId: string
}

export interface HistoryFilter {
  /** Only this wallet; without it all of them. */
  walletId?: string
  month?: string
  actionType?: ActionType[]
  status?: TopUpStatus[]
  transactionNo?: string
  agentName?: string
}

/** A filter whose numbers and agents have been looked up. */
export interface Sought extends Omit<HistoryFilter, 'transactionNo' | 'agentName'> {
  /** Only these, where a name is that of several agents. */
  walletIds?: string[]
  named: Named | null
  /** Only what stands below this line. */
  after?: HistoryCursor
}

/** Shorter parts of a text are in no index. */
const SHORTEST_INDEXED = 3
/** What may stand in "KT2611-04821937" or "WT2611-04821937". */
const PART_OF_NUMBER = /^(?:[KW]|(?:[KW]?T)?\d{0,4}-?\d{0,8})$/

/**
 * Which numbers contain what somebody typed: few by the ids of their orders and top-ups. What more contain than a list
 * counts is found on the list's way, and so is what is too short to be looked up.
 */
export type Named = { ids: string[] } | { part: string; isStart: boolean; isUncounted: boolean }

/** That an order was paid from a wallet; by its owner, whose orders have an index. */
export const isPaidFrom = (wallet: string) =>
  `o.wallet_id = ${wallet} AND o.buyer_key = (SELECT 'u:' || w.uid FROM wallet w WHERE w.id = ${wallet})`

/** Looked up once for a page and its count, in the wallet's own orders and top-ups where it is one wallet's history. */
async function findNamed(db: Sql, { walletId, transactionNo }: HistoryFilter): Promise<Named | null> {
  if (!transactionNo) return null
  const no = transactionNo.toUpperCase()
  if (!PART_OF_NUMBER.test(no)) return { ids: [] }
  const isStart = /^[KW]T/.test(no)
  if (no.length < SHORTEST_INDEXED) return { part: no, isStart, isUncounted: false }
  const { all: values, add } = new Values()
  const pattern = add(isStart ? likeStart(no) : likePart(no))
  const order = [`o.order_no LIKE ${pattern}`, 'o.wallet_id IS NOT NULL']
  const topUp = [`u.no LIKE ${pattern}`]
  if (walletId) {
    const wallet = add(walletId)
    order.push(isPaidFrom(wallet))
    topUp.push(`u.wallet_id = ${wallet}`)
  } else if (!isStart) order.push(inOrderWords('o', no, add))
  const found = await db.query<{ id: string }>({
    // As a step of its own it is planned for all of them: with the limit alone the planner hopes to meet them by chance.
    // Top-ups come first: many of them are told sooner than many orders.
    text: `WITH named AS MATERIALIZED (SELECT u.id FROM top_up u WHERE ${topUp.join(' AND ')}
        UNION ALL SELECT o.id FROM orders o WHERE ${order.join(' AND ')})
      SELECT id FROM named LIMIT ${MOST_COUNTED + 1}`,
    values,
  })
  if (found.length > MOST_COUNTED) return { part: no, isStart, isUncounted: true }
  return { ids: found.map(({ id }) => id) }
}

async function findWalletIds(db: Sql, agentName: string): Promise<string[]> {
  const found = await db.query<{ id: string }>({
    text: `SELECT w.id FROM wallet w JOIN account a ON a.uid = w.uid WHERE ${personWords('a')} ILIKE $1`,
    values: [likePart(agentName)],
  })
  return found.map(({ id }) => id)
}

/**
 * A number's first letter says whether it is an order's or a top-up's: the others need not be read. A name that one agent
 * has means that wallet, whose lines an index has in their order; null where nobody has it.
 */
export async function look(db: Sql, { agentName, ...filter }: HistoryFilter): Promise<Sought | null> {
  const walletIds = agentName ? await findWalletIds(db, agentName) : undefined
  if (walletIds?.length === 0) return null
  const wallets = walletIds?.length === 1 ? { walletId: walletIds[0] } : { walletIds }
  const meant = { K: 'เติมเกม', W: 'เติมเงิน' }[filter.transactionNo?.[0]?.toUpperCase() ?? '']
  const actionType = meant ? (filter.actionType ?? ACTION_TYPES).filter(type => type === meant) : filter.actionType
  if (actionType?.length === 0) return null
  const sought = { ...filter, ...wallets, actionType }
  return { ...sought, named: await findNamed(db, sought) }
}
