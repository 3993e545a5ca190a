import { searchUsers } from '@shop/shared/account/endpoints.ts'
import * as audit from '@shop/shared/audit/endpoints.ts'
import { getBacklog, getToday } from '@shop/shared/backlog/endpoints.ts'
import { SALE_PERIODS } from '@shop/shared/dashboard/dashboard.ts'
import * as dashboard from '@shop/shared/dashboard/endpoints.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { ORDER_SORTS, WAITING, WAITING_FOR } from '@shop/shared/order/history.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import * as refund from '@shop/shared/statement/refund-endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import * as wallet from '@shop/shared/wallet/endpoints.ts'
import { AGENT, as, type ListCall, type Make, type Sought } from './list-call.ts'
import { searchCalls } from './search-calls.ts'

/** Every list and every dashboard, with each sort and with what people filter and search by. */
export const listCalls = (sought: Sought): ListCall[] => [
  ...staffHistory(as('demo-staff', listAllOrders, 'orders'), sought),
  ...searchCalls(sought),
  ...frame(sought),
  ...buyers(sought),
  ...wallets(sought),
  ...managers(new Date()),
  ...dashboards(),
]

function staffHistory(orders: Make, { gameId, month, oldMonth }: Sought): ListCall[] {
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
    orders('game', { game: gameId }),
    orders('game, old month', { game: gameId, month: oldMonth }),
    ...WAITING_FOR.map(waiting => orders(`waiting: ${WAITING[waiting].isMine ? 'mine' : waiting}`, { waiting })),
  ]
}

function frame({ playerId }: Sought): ListCall[] {
  const queue = as('demo-staff', listQueue, 'queue')
  return [
    queue(''),
    queue('player', { text: playerId }),
    as('demo-staff', getBacklog, 'backlog')('of staff'),
    as('demo-manager', getBacklog, 'backlog')('of a manager'),
    as('demo-staff', getToday, 'today')('of staff'),
    as('demo-admin', getToday, 'today')('of an admin'),
  ]
}

function buyers({ month, oldMonth }: Sought): ListCall[] {
  const agent = as(AGENT, listOwnOrders, "agent's orders")
  return [
    as('many-7', listOwnOrders, "customer's orders")(''),
    agent(''),
    agent('this month', { month }),
    agent('old month', { month: oldMonth }),
  ]
}

function wallets({ month, oldMonth }: Sought): ListCall[] {
  const all = as('demo-staff', wallet.listAllTransactions, 'wallets')
  const find = as('demo-staff', wallet.searchWallets, 'find wallet')
  const path = wallet.getStatement.path.replace(':month', oldMonth)
  return [
    as(AGENT, wallet.listOwnTransactions, "agent's wallet")(''),
    as(AGENT, { path }, "agent's statement")('old month'),
    all(''),
    all('this month', { month }),
    all('old month', { month: oldMonth }),
    find('one', { name: 'many-agent-7@' }),
    find('many', { name: 'ลูกค้า' }),
    find('nobody', { name: 'ไม่มีใครชื่อนี้' }),
  ]
}

function managers(now: Date): ListCall[] {
  const to = bangkokDay(now)
  const week = { from: bangkokDay(new Date(now.getTime() - 6 * DAY_MS)), to }
  const users = as('demo-manager', searchUsers, 'users')
  const lines = as('demo-manager', statement.listStatementLines, 'statement lines')
  const refunds = as('demo-manager', refund.listOwedRefunds, 'refunds')
  const reconciliation = as('demo-manager', refund.getReconciliation, 'reconciliation')
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
    { ...reconciliation('a day', { from: to, to }), isSum: true },
    { ...reconciliation('a week', week), isSum: true },
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
