import { searchUsers } from '@shop/shared/account/endpoints.ts'
import * as audit from '@shop/shared/audit/endpoints.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { SALE_PERIODS } from '@shop/shared/dashboard/dashboard.ts'
import * as dashboard from '@shop/shared/dashboard/endpoints.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { ORDER_SORTS, WAITING, WAITING_FOR } from '@shop/shared/order/history.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import * as refund from '@shop/shared/statement/refund-endpoints.ts'
import { bangkokDay, bangkokMonthOf, DAY_MS } from '@shop/shared/time.ts'
import * as wallet from '@shop/shared/wallet/endpoints.ts'
import { runSql } from './site.ts'

/** One call as somebody makes it; with a body it is a POST. */
export interface ListCall {
  name: string
  uid: string
  /** With its query. */
  path: string
  body?: unknown
}

/** A delivered order of an old month, to be searched for. */
interface Old {
  orderNo: string
  playerId: string
  gameId: number
  amount: string
}

const OLD_MS = 300 * DAY_MS

type Asked = Record<string, string | number | boolean>

/** Every list and every dashboard, with each sort and with what people filter and search by. */
export async function listCallsOf(databaseUrl: string): Promise<ListCall[]> {
  const now = new Date()
  const month = bangkokMonthOf(now)
  const oldMonth = bangkokMonthOf(new Date(now.getTime() - OLD_MS))
  const [old] = await runSql<Old>(
    databaseUrl,
    `SELECT order_no AS "orderNo", player_id AS "playerId", game_id AS "gameId",
      ((price_satang + tail_satang) / 100.0)::numeric(12, 2)::text AS amount
    FROM orders WHERE status = 'success' AND payment = 'bank' AND created_at > now() - interval '${OLD_MS} milliseconds'
    ORDER BY created_at, id LIMIT 1`,
  )
  if (!old) throw new Error('There is no old order to search for.')
  const as =
    (uid: string, { path }: { path: string }, label: string) =>
    (name: string, query: Asked = {}): ListCall => {
      const asked = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
      return { name: `${label} ${name}`.trim(), uid, path: asked.size > 0 ? `${path}?${asked}` : path }
    }
  return [
    ...staffHistory(as('demo-staff', listAllOrders, 'orders'), old, { month, oldMonth }),
    ...frame(as, old),
    ...buyers(as, { month, oldMonth }),
    ...wallets(as, old, { month, oldMonth }),
    ...managers(as, now),
    ...dashboards(),
  ]
}

type Make = (name: string, query?: Asked) => ListCall
type As = (uid: string, endpoint: { path: string }, label: string) => Make
interface Months {
  month: string
  oldMonth: string
}

function staffHistory(orders: Make, old: Old, { month, oldMonth }: Months): ListCall[] {
  const sorted = ORDER_SORTS.flatMap(sort => [
    orders(`by ${sort}`, { sort }),
    orders(`by ${sort}, oldest`, { sort, direction: 'asc' }),
    orders(`by ${sort}, this month`, { sort, month }),
    orders(`by ${sort}, old month`, { sort, month: oldMonth }),
    orders(`by ${sort}, old month, oldest`, { sort, month: oldMonth, direction: 'asc' }),
  ])
  return [
    ...sorted,
    orders('page 50', { page: 50, pageSize: 20 }),
    orders('status success', { status: 'success' }),
    orders('status waiting', { status: 'waiting_payment', month }),
    orders('status refunded, this month', { status: 'refunded', month }),
    orders('status refunded, old month', { status: 'refunded', month: oldMonth }),
    orders('status refunded by amount', { status: 'refunded', sort: 'amount' }),
    orders('game', { game: old.gameId }),
    orders('game, old month', { game: old.gameId, month: oldMonth }),
    orders('game and status, old month', { game: old.gameId, status: 'failed', month: oldMonth }),
    ...WAITING_FOR.map(waiting => orders(`waiting: ${WAITING[waiting].isMine ? 'mine' : waiting}`, { waiting })),
    orders('text: number', { text: old.orderNo }),
    orders('text: end of number', { text: old.orderNo.slice(-6) }),
    orders('text: player', { text: old.playerId }),
    orders('text: one buyer', { text: 'many-agent-7@' }),
    orders('text: many buyers', { text: 'ลูกค้า' }),
    orders('text: nothing', { text: 'ไม่มีใครชื่อนี้' }),
    orders('text: player, old month', { text: old.playerId, month: oldMonth }),
    orders('text: one buyer, this month', { text: 'many-agent-7@', month }),
    orders('text: one buyer, old month', { text: 'many-agent-7@', month: oldMonth }),
    orders('text: many buyers, old month', { text: 'ลูกค้า', month: oldMonth }),
    orders('text: nothing, old month', { text: 'ไม่มีใครชื่อนี้', month: oldMonth }),
  ]
}

function frame(as: As, old: Old): ListCall[] {
  const search = as('demo-staff', searchOrders, 'search')
  const queue = as('demo-staff', listQueue, 'queue')
  return [
    search('number', { text: old.orderNo }),
    search('end of number', { text: old.orderNo.slice(-6) }),
    search('player', { text: old.playerId }),
    search('amount', { text: old.amount }),
    search('one buyer', { text: 'many-agent-7@' }),
    search('many buyers', { text: 'ลูกค้า' }),
    search('nothing', { text: 'ไม่มีใครชื่อนี้' }),
    queue(''),
    queue('player', { text: old.playerId }),
    as('demo-staff', getBacklog, 'backlog')('of staff'),
    as('demo-manager', getBacklog, 'backlog')('of a manager'),
  ]
}

function buyers(as: As, { month, oldMonth }: Months): ListCall[] {
  const agent = as('many-agent-7', listOwnOrders, "agent's orders")
  return [
    as('many-7', listOwnOrders, "customer's orders")(''),
    agent(''),
    agent('this month', { month }),
    agent('old month', { month: oldMonth }),
    agent('refunded', { status: 'refunded' }),
  ]
}

function wallets(as: As, old: Old, { month, oldMonth }: Months): ListCall[] {
  const own = as('many-agent-7', wallet.listOwnTransactions, "agent's wallet")
  const all = as('demo-staff', wallet.listAllTransactions, 'wallets')
  const find = as('demo-staff', wallet.searchWallets, 'find wallet')
  const path = wallet.getStatement.path.replace(':month', oldMonth)
  return [
    own(''),
    own('this month', { month }),
    own('old month', { month: oldMonth }),
    as('many-agent-7', { path }, "agent's statement")('old month'),
    all(''),
    all('this month', { month }),
    all('old month', { month: oldMonth }),
    all('top-ups', { actionType: 'เติมเงิน' }),
    all('top-ups that wait', { actionType: 'เติมเงิน', status: 'waiting_approve' }),
    all('number', { transactionNo: old.orderNo }),
    all('one agent', { agentName: 'many-agent-7@' }),
    all('one agent, old month', { agentName: 'many-agent-7@', month: oldMonth }),
    find('one', { name: 'many-agent-7@' }),
    find('many', { name: 'ลูกค้า' }),
    find('nobody', { name: 'ไม่มีใครชื่อนี้' }),
  ]
}

function managers(as: As, now: Date): ListCall[] {
  const to = bangkokDay(now)
  const week = { from: bangkokDay(new Date(now.getTime() - 6 * DAY_MS)), to }
  const users = as('demo-manager', searchUsers, 'users')
  const lines = as('demo-manager', statement.listStatementLines, 'statement lines')
  const refunds = as('demo-manager', refund.listOwedRefunds, 'refunds')
  const withoutLine = as('demo-manager', refund.listBookedWithoutLine, 'without line')
  const entries = as('demo-admin', audit.listAudit, 'audit')
  return [
    users(''),
    users('one', { name: 'many-agent-7@' }),
    users('many', { name: 'ลูกค้า' }),
    users('nobody', { name: 'ไม่มีใครชื่อนี้' }),
    users('agents', { roles: 'agent' }),
    lines('', { receivingAccountId: 1, ...week }),
    as('demo-manager', statement.listStatementAccounts, 'statement accounts')(''),
    refunds('owed'),
    refunds('sent', { sent: true }),
    refunds('nothing', { text: 'ไม่มีใครชื่อนี้' }),
    as('demo-manager', refund.getReconciliation, 'reconciliation')('a day', { from: to, to }),
    as('demo-manager', refund.getReconciliation, 'reconciliation')('a week', week),
    withoutLine(''),
    withoutLine('overdue', { overdue: true }),
    withoutLine('today', { receivingAccountId: 1, day: to }),
    entries(''),
    entries('action', { action: 'account.' }),
  ]
}

const DASHBOARDS = [
  dashboard.getSale,
  dashboard.getNumberOfSale,
  dashboard.getSalesRevenue,
  dashboard.getTopPackages,
  dashboard.getDailyRevenue,
  dashboard.getSaleType,
]

const dashboards = (): ListCall[] =>
  DASHBOARDS.flatMap(({ path }) =>
    SALE_PERIODS.map(period => ({
      name: `dashboard ${path.split('/').at(-1)} ${period}`,
      uid: 'demo-manager',
      path,
      body: { game: dashboard.ALL, period, paymentMethod: dashboard.ALL },
    })),
  )
