import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import {
  type Approver,
  approvalBarrier,
  canCorrectTopUp,
  needsTwoApprovers,
  roomOf,
  type TopUp,
  transferOf,
} from '@shop/shared/wallet/top-up.ts'
import { may } from '../account/caller.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { findChargeOfTopUp } from '../gateway/store.ts'
import { viewChargeForStaff } from '../gateway/view.ts'
import { csvReply } from '../http/csv.ts'
import { runOnce } from '../http/idempotency.ts'
import { findConfirmedAt, findSlipVerdict } from '../slipcheck/store.ts'
import { findOthersOfSlip, findUsersOfUse } from '../transfer/store.ts'
import { checkSlip, takeTopUpLimit } from './handlers.ts'
import { findHistory, readHistory } from './history-store.ts'
import { findWallet, findWallets, type Wallet } from './store.ts'
import { findStatementLine, findTopUp } from './top-up-store.ts'
import * as topUps from './top-ups.ts'
import { STAFF_HISTORY_SHEET, topUpReply, viewLine } from './view.ts'

const SEARCH_LIMIT = 20

async function listAll(context: Context, query: ParsedInput<typeof contract.listAllTransactions>['query']) {
  // What waits is worked off, so it stands in the order in which it came.
  const isOldestFirst = query.status?.join() === 'waiting_approve'
  const { rows, total } = await findHistory(context.shop.db, { ...query, isOldestFirst })
  const page = rows.map(line => ({ ...viewLine(line, personOf(context).uid), uid: line.ownerUid }))
  return { rows: page, total, nowDate: context.now.toISOString() }
}

async function viewTopUp(context: Context, id: string): Promise<TopUpForStaff> {
  const { db } = context.shop
  const record = await findTopUp(db, id)
  if (!record) throw new AppError('NOT_FOUND')
  const { topUp, phone: tel, ...people } = record
  const wallet = await findWallet(db, topUp.walletId)
  invariant(wallet, 'a top-up names a wallet')
  const line = await findStatementLine(db, id)
  const approver = await topUps.approverOf(db, personOf(context), topUp, line)
  const mayDecide = may(context, 'wallet.approve')
  const charge = topUp.payment === 'bank' ? null : await findChargeOfTopUp(db, id)
  return {
    ...people,
    tel,
    ...wallet,
    ...topUp,
    charge: charge && viewChargeForStaff(charge),
    createdDate: topUp.createdAt.toISOString(),
    roomSatang: roomOf(wallet),
    slipVerdict: await findSlipVerdict(db, id),
    slipOthers: await findOthersOfSlip(db, topUp.slipId, id),
    maybeUsedBy: line ? [] : await findUsersOfTopUp(db, topUp, context.now),
    decidedDate: topUp.decidedAt?.toISOString() ?? null,
    needsTwoApprovers: needsTwoApprovers(topUp, approver),
    receivedTodaySatang: approver.receivedTodaySatang,
    approvalBarrier: mayDecide ? barrierOf(topUp, wallet, approver) : 'FORBIDDEN',
    canReject: mayDecide && topUp.status === 'waiting_approve',
    isCorrected: topUp.correctedAt !== null,
    canCorrect:
      mayDecide && canCorrectTopUp(topUp, personOf(context).uid) && wallet.balanceSatang >= topUp.amountSatang,
  }
}

/** Returns what may already have the money of a waiting top-up that has no statement line. */
async function findUsersOfTopUp(db: Sql, topUp: TopUp, now: Date) {
  if (topUp.status !== 'waiting_approve') return []
  return findUsersOfUse(db, transferOf(topUp, await findConfirmedAt(db, topUp), now))
}

function barrierOf(topUp: TopUp, wallet: Wallet, approver: Approver): TopUpForStaff['approvalBarrier'] {
  return approvalBarrier(topUp, approver) ?? (topUp.amountSatang > roomOf(wallet) ? 'TOP_UP_ABOVE_ROOM' : null)
}

async function addOnBehalf(context: Context, walletId: string, request: topUps.TopUpRequest) {
  if (!(await findWallet(context.shop.db, walletId))) throw new AppError('WALLET_NOT_FOUND')
  const add = async (tx: Sql) => {
    const topUp = await topUps.addOnBehalf(tx, personOf(context), walletId, request)
    await checkSlip(tx, context, topUp)
    return topUpReply(topUp)
  }
  return runOnce(context.shop.db, mustBeOnce(context), context.now, add, () => takeTopUpLimit(context))
}

/** Runs a write of money once, in a transaction. */
const once = <T>(context: Context, work: (tx: Sql) => Promise<T>): Promise<T> =>
  runOnce(context.shop.db, mustBeOnce(context), context.now, work)

async function searchWallets(context: Context, name: string) {
  const wallets = await findWallets(context.shop.db, name, SEARCH_LIMIT)
  return wallets.map(wallet => ({ ...wallet, roomSatang: roomOf(wallet) }))
}

export const walletStaffRoutes: Route[] = [
  route(contract.listAllTransactions, ({ query }, context) => listAll(context, query)),
  route(contract.exportAllTransactions, ({ query }, { shop, now }) =>
    csvReply(STAFF_HISTORY_SHEET, readHistory(shop.reports, query), now),
  ),
  route(contract.getTopUpForStaff, ({ params }, context) => viewTopUp(context, params.id)),
  route(contract.decideTopUp, ({ body }, context) =>
    once(context, async tx => topUpReply(await topUps.decide(tx, personOf(context), body))),
  ),
  route(contract.addTopUp, ({ body: { walletId, ...request } }, context) => addOnBehalf(context, walletId, request)),
  route(contract.correctTopUp, ({ body }, context) =>
    once(context, tx => topUps.correct(tx, personOf(context), body.id, body.reason)),
  ),
  route(contract.searchWallets, ({ query }, context) => searchWallets(context, query.name ?? '')),
]
