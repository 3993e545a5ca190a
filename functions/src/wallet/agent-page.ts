import { AppError, invariant } from '@shop/shared/errors.ts'
import { bangkokMonth, bangkokMonthOf } from '@shop/shared/time.ts'
import * as contract from '@shop/shared/wallet/agent-endpoints.ts'
import { roomOf } from '@shop/shared/wallet/top-up.ts'
import { viewAgent } from '../agent/handlers.ts'
import { findAgent } from '../agent/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { findLastOrder, findPinResets, findPurchases, findTierHistory } from './agent-page-store.ts'
import { statementCsv, statementOf } from './statement.ts'
import { findTopUpSums, findWallet } from './store.ts'

/** @throws NOT_FOUND, WALLET_NOT_FOUND */
async function walletIdOf(db: Sql, uid: string): Promise<string> {
  const agent = await findAgent(db, uid)
  if (!agent) throw new AppError('NOT_FOUND')
  if (!agent.walletId) throw new AppError('WALLET_NOT_FOUND')
  return agent.walletId
}

/** Returns a wallet's limits and what happened on it in the month of `now`. */
async function readWallet(db: Sql, walletId: string, now: Date) {
  const month = bangkokMonth(bangkokMonthOf(now))
  const [wallet, topUps, purchases] = await Promise.all([
    findWallet(db, walletId),
    findTopUpSums(db, walletId, month),
    findPurchases(db, walletId, month),
  ])
  invariant(wallet, 'the wallet of an agent exists')
  const { approvedSatang: monthTopUpSatang, ...waiting } = topUps
  return {
    ...wallet,
    ...waiting,
    monthTopUpSatang,
    roomSatang: roomOf(wallet),
    monthOrders: purchases.orders,
    monthSpentSatang: purchases.spentSatang,
  }
}

/** Returns everything that the shop's people look up about one agent. @throws NOT_FOUND */
async function readAgent(context: Context, uid: string) {
  const { shop, now } = context
  const { db } = shop
  const agent = await findAgent(db, uid)
  if (!agent || (agent.role !== 'agent' && agent.walletId === null)) throw new AppError('NOT_FOUND')
  const [wallet, lastOrder, tiers, pinResets] = await Promise.all([
    agent.walletId === null ? null : readWallet(db, agent.walletId, now),
    findLastOrder(db, uid),
    findTierHistory(db, uid),
    findPinResets(db, uid),
  ])
  return {
    agent: viewAgent(agent, personOf(context)),
    createdAt: agent.createdAt.toISOString(),
    wallet,
    lastOrder: lastOrder && inJson(lastOrder),
    tiers: tiers.map(inJson),
    pinResets: pinResets.map(inJson),
    nowDate: now.toISOString(),
  }
}

export const agentPageRoutes: Route[] = [
  route(contract.getAgent, ({ params }, context) => readAgent(context, params.uid)),
  route(contract.getAgentStatement, async ({ params: { uid, month } }, { shop }) =>
    statementOf(shop.db, await walletIdOf(shop.db, uid), month),
  ),
  route(contract.exportAgentStatement, async ({ params: { uid, month } }, context) =>
    statementCsv(context, await walletIdOf(context.shop.db, uid), month),
  ),
]
