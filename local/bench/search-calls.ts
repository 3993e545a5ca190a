import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import * as wallet from '@shop/shared/wallet/endpoints.ts'
import { AGENT, as, type ListCall, type Sought } from './list-call.ts'

/** The digits that people read out. */
const endOf = (no: string): string => no.slice(-6)

/** What staff and agents search by, and the filters that searches go with. */
export function searchCalls(sought: Sought): ListCall[] {
  const { orderNo, playerId, gameId, month, oldMonth } = sought
  const orders = as('demo-staff', listAllOrders, 'orders')
  const search = as('demo-staff', searchOrders, 'search')
  return [
    search('number', { text: orderNo }),
    search('end of number', { text: endOf(orderNo) }),
    search('player', { text: playerId }),
    search('part of player', { text: playerId.slice(2, 9) }),
    search('amount', { text: sought.amount }),
    search('one buyer', { text: 'many-agent-7@' }),
    search('many buyers', { text: 'ลูกค้า' }),
    search('nothing', { text: 'ไม่มีใครชื่อนี้' }),
    orders('text: number', { text: orderNo }),
    orders('text: end of number', { text: endOf(orderNo) }),
    orders('text: player', { text: playerId }),
    orders('text: part of player', { text: playerId.slice(2, 9) }),
    orders('text: common part', { text: '-26' }),
    orders('text: one buyer', { text: 'many-agent-7@' }),
    orders('text: many buyers', { text: 'ลูกค้า' }),
    orders('text: nothing', { text: 'ไม่มีใครชื่อนี้' }),
    orders('text: player, old month', { text: playerId, month: oldMonth }),
    orders('text: one buyer, this month', { text: 'many-agent-7@', month }),
    orders('text: one buyer, old month', { text: 'many-agent-7@', month: oldMonth }),
    orders('text: many buyers, old month', { text: 'ลูกค้า', month: oldMonth }),
    orders('text: nothing, old month', { text: 'ไม่มีใครชื่อนี้', month: oldMonth }),
    orders('status success', { status: 'success' }),
    orders('status waiting', { status: 'waiting_payment', month }),
    orders('status refunded, this month', { status: 'refunded', month }),
    orders('status refunded, old month', { status: 'refunded', month: oldMonth }),
    orders('status refunded by amount', { status: 'refunded', sort: 'amount' }),
    orders('game and status, old month', { game: gameId, status: 'failed', month: oldMonth }),
    ...walletSearches(sought),
  ]
}

function walletSearches({ orderNo, topUpNo, ownOrderNo, ownTopUpNo, month, oldMonth }: Sought): ListCall[] {
  const all = as('demo-staff', wallet.listAllTransactions, 'wallets')
  const own = as(AGENT, wallet.listOwnTransactions, "agent's wallet")
  const orders = as(AGENT, listOwnOrders, "agent's orders")
  return [
    all('order number', { transactionNo: ownOrderNo }),
    all('order number, not of a wallet', { transactionNo: orderNo }),
    all('end of order number', { transactionNo: endOf(ownOrderNo) }),
    all('top-up number', { transactionNo: topUpNo }),
    all('end of top-up number', { transactionNo: endOf(topUpNo) }),
    all('end of top-up number, old month', { transactionNo: endOf(topUpNo), month: oldMonth }),
    all('end of top-up number, top-ups', { transactionNo: endOf(topUpNo), actionType: 'เติมเงิน' }),
    all('begin of top-up number', { transactionNo: topUpNo.slice(0, 9) }),
    all('common part of a number', { transactionNo: '-26' }),
    all('short part of a number', { transactionNo: '7' }),
    all('no such number', { transactionNo: 'WT9999-99999999' }),
    all('no such part', { transactionNo: '99999X' }),
    all('top-ups', { actionType: 'เติมเงิน' }),
    all('top-ups that wait', { actionType: 'เติมเงิน', status: 'waiting_approve' }),
    all('top-ups rejected', { status: 'reject' }),
    all('top-ups rejected, old month', { status: 'reject', month: oldMonth }),
    all('one agent', { agentName: 'many-agent-7@' }),
    all('one agent, old month', { agentName: 'many-agent-7@', month: oldMonth }),
    own('order number', { transactionNo: ownOrderNo }),
    own('end of order number', { transactionNo: endOf(ownOrderNo) }),
    own('top-up number', { transactionNo: ownTopUpNo }),
    own('end of top-up number', { transactionNo: endOf(ownTopUpNo) }),
    own('end of top-up number, old month', { transactionNo: endOf(ownTopUpNo), month: oldMonth }),
    own('short part of a number', { transactionNo: '7' }),
    own('no such part', { transactionNo: '99999X' }),
    own('top-ups', { actionType: 'เติมเงิน' }),
    own('top-ups rejected', { status: 'reject' }),
    own('top-ups, old month', { actionType: 'เติมเงิน', month: oldMonth }),
    own('this month', { month }),
    own('old month', { month: oldMonth }),
    orders('number', { orderNo: ownOrderNo }),
    orders('end of number', { orderNo: endOf(ownOrderNo) }),
    orders('end of number, old month', { orderNo: endOf(ownOrderNo), month: oldMonth }),
    orders('no such part', { orderNo: '99999X' }),
    orders('refunded', { status: 'refunded' }),
    orders('refunded, old month', { status: 'refunded', month: oldMonth }),
  ]
}
